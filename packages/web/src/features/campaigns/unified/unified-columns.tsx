import type { UnifiedCampaign } from '@carillon/contract/unified-campaigns'
import { countOf, formatCount, formatKnownShare, formatMoney } from '../../../lib/format.ts'
import type { Column } from '../../../ui/data-screen/columns.ts'
import { StatusPill } from '../../../ui/pill.tsx'
import { Missing, When } from '../../../ui/text.tsx'
import { ChannelMarks } from './channel-marks.tsx'
import { unifiedFiguresOf } from './unified-figures.ts'

/** Columns of the list; headers name the currency and the denominators. */
export const unifiedColumns: readonly Column<UnifiedCampaign>[] = [
  {
    id: 'name',
    header: 'Campaign',
    cell: ({ campaignName }) => <span className="block max-w-80 min-w-40 truncate font-medium">{campaignName}</span>,
  },
  { id: 'channels', header: 'Channels', cell: ({ channels }) => <ChannelMarks channels={channels} /> },
  { id: 'status', header: 'Status', width: 130, cell: ({ status }) => <StatusPill status={status} /> },
  {
    id: 'people',
    header: 'People',
    align: 'right',
    cell: ({ stats }) => (stats.total > 0 ? formatCount(stats.total) : <Missing />),
  },
  {
    id: 'reached',
    header: 'Reached once',
    align: 'right',
    cell: (campaign) =>
      campaign.stats.submitted > 0 ? formatCount(unifiedFiguresOf(campaign).reached) : <Missing why="not sent" />,
  },
  {
    id: 'cost',
    header: 'Cost per person ₹',
    align: 'right',
    cell: (campaign) => <Rupees value={unifiedFiguresOf(campaign).costPerPerson} />,
  },
  {
    id: 'read',
    header: 'Read %',
    align: 'right',
    cell: (campaign) => <Share share={unifiedFiguresOf(campaign).readShare} />,
  },
  {
    id: 'replies',
    header: 'Reply %',
    align: 'right',
    cell: (campaign) => <Share share={unifiedFiguresOf(campaign).replyShare} />,
  },
  { id: 'created', header: 'Created', cell: ({ createdAt }) => <When at={createdAt} /> },
]

function Rupees({ value }: { value: number | undefined }) {
  return value === undefined ? <Missing /> : formatMoney(value).replace('₹', '')
}

function Share({ share }: { share: number | undefined }) {
  return share === undefined ? <Missing /> : (share * 100).toFixed(1)
}

/** A campaign in the list on phones. */
export function UnifiedCard({ campaign }: { campaign: UnifiedCampaign }) {
  const { campaignName, channels, status, stats } = campaign
  const { reached, costPerPerson, readShare } = unifiedFiguresOf(campaign)
  return (
    <>
      <span className="block truncate font-medium">{campaignName}</span>
      <span className="mt-1 flex flex-wrap items-center gap-2">
        <StatusPill status={status} />
        <ChannelMarks channels={channels} />
      </span>
      <span className="mt-1 block text-caption text-muted-foreground tabular-nums">
        {stats.submitted > 0
          ? [
              `${formatCount(reached)} of ${countOf(stats.total, 'person', 'people')} reached`,
              ...(costPerPerson === undefined ? [] : [`${formatMoney(costPerPerson)} each`]),
              ...(readShare === undefined ? [] : [`${formatKnownShare(readShare)} read`]),
            ].join(' · ')
          : stats.total > 0
            ? countOf(stats.total, 'person', 'people')
            : 'Not sent'}
      </span>
    </>
  )
}
