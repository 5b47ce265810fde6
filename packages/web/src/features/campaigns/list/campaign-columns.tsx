import { channelTraits } from '@carillon/contract/channels/table'
import { sharesOf } from '@carillon/contract/figures'
import type { Campaign } from '@carillon/contract/campaign-records'
import {
  countOf,
  formatCount,
  formatKnownShare,
  formatMoney,
  formatProgress,
  formatScheduleDay,
} from '../../../lib/format.ts'
import { ChannelMark } from '../../../channels/channel-mark.tsx'
import type { Column } from '../../../ui/data-screen/columns.ts'
import { StatusPill } from '../../../ui/pill.tsx'
import { Progress } from '../../../ui/progress.tsx'
import { Missing, When } from '../../../ui/text.tsx'
import { spentOf } from '../report/spent.ts'
import { AbPhaseNote } from '../ab-tests/ab-phase-note.tsx'
import { WhoWaits } from '../report/waiting-recipients.tsx'

/** Columns of the list; headers name the denominators of rates and the currency. */
export const campaignColumns: readonly Column<Campaign>[] = [
  {
    id: 'name',
    header: 'Name',
    sortable: true,
    cell: ({ campaignName, templateName }) => (
      <span className="block max-w-80 min-w-40">
        <span className="block truncate leading-4.5 font-medium">{campaignName}</span>
        <span className="block truncate text-caption text-muted-foreground">{templateName || 'No template yet'}</span>
      </span>
    ),
  },
  { id: 'channel', header: 'Channel', cell: ({ channel }) => <ChannelMark channel={channel} /> },
  { id: 'status', header: 'Status', width: 260, cell: (campaign) => <StatusCell campaign={campaign} /> },
  {
    id: 'recipients',
    header: 'Recipients',
    align: 'right',
    sortable: true,
    cell: ({ stats }) => (stats.total > 0 ? formatCount(stats.total) : <Missing />),
  },
  {
    id: 'delivered',
    header: 'Delivered %',
    align: 'right',
    cell: ({ stats }) => <Share share={sharesOf(stats)?.delivered} />,
  },
  {
    id: 'read',
    header: 'Read %',
    align: 'right',
    cell: ({ channel, stats }) => {
      const { hasReadReceipts, label } = channelTraits[channel]
      return hasReadReceipts ? (
        <Share share={sharesOf(stats)?.read} />
      ) : (
        <Missing why={`${label} has no read receipts`} />
      )
    },
  },
  {
    id: 'replies',
    header: 'Replies',
    align: 'right',
    cell: ({ stats }) => (stats.submitted > 0 ? formatCount(stats.replied) : <Missing />),
  },
  {
    id: 'cost',
    header: 'Cost ₹',
    align: 'right',
    sortable: true,
    cell: ({ stats }) => (stats.submitted > 0 ? formatMoney(spentOf(stats)).replace('₹', '') : <Missing />),
  },
  { id: 'created', header: 'Created', sortable: true, cell: ({ createdAt }) => <When at={createdAt} /> },
  { id: 'creator', header: 'Created by', optional: true, cell: ({ createdBy }) => createdBy },
]

/** The status pill, then progress, start time, or why it stopped. */
function StatusCell({ campaign }: { campaign: Campaign }) {
  const { status, percent, campaignName, startAt, timezone, statusDetail, channel, waiting } = campaign
  const isUnderWay = status === 'running' || status === 'paused' || status === 'queued' || status === 'validating'
  return (
    <span className="flex items-center">
      <span className="w-26 shrink-0">
        <StatusPill status={status} />
      </span>
      {isUnderWay ? (
        <span className="min-w-0">
          <span className="flex items-center">
            <Progress
              percent={percent}
              label={`${campaignName}, ${formatProgress(percent)}`}
              tone={status === 'paused' ? 'care' : status === 'validating' ? 'mute' : 'brand'}
              className="w-12"
            />
            <span className="w-12 text-right text-dense text-muted-foreground tabular-nums">
              {formatProgress(percent)}
            </span>
          </span>
          <AbPhaseNote campaign={campaign} />
          <WhoWaits waiting={waiting} channel={channel} />
        </span>
      ) : (
        <span className="max-w-44 truncate text-dense text-muted-foreground" title={statusDetail}>
          {status === 'scheduled' && startAt ? formatScheduleDay(startAt, timezone) : statusDetail}
        </span>
      )}
    </span>
  )
}

function Share({ share }: { share: number | undefined }) {
  return share === undefined ? <Missing /> : (share * 100).toFixed(1)
}

/** A campaign in the list on phones. */
export function CampaignCard({ campaign }: { campaign: Campaign }) {
  const { stats } = campaign
  const shares = sharesOf(stats)
  return (
    <>
      <span className="flex min-w-0 items-center gap-2 font-medium">
        <ChannelMark channel={campaign.channel} markOnly />
        <span className="truncate">{campaign.campaignName}</span>
      </span>
      <span className="mt-1 block">
        <StatusCell campaign={campaign} />
      </span>
      <span className="mt-1 block text-caption text-muted-foreground tabular-nums">
        {stats.total > 0 ? countOf(stats.total, 'recipient') : campaign.fileName || 'no audience yet'} ·{' '}
        {shares ? `${formatKnownShare(shares.delivered)} delivered` : 'not sent'}
      </span>
    </>
  )
}
