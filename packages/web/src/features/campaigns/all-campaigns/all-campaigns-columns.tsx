import { sharesOf } from '@carillon/contract/figures'
import type { AnyCampaign } from '@carillon/contract/campaign-lists'
import { countOf, formatCount, formatKnownShare, formatProgress } from '../../../lib/format.ts'
import { ChannelMark } from '../../../channels/channel-mark.tsx'
import type { Column } from '../../../ui/data-screen/columns.ts'
import { StatusPill } from '../../../ui/pill.tsx'
import { Progress } from '../../../ui/progress.tsx'
import { Missing, When } from '../../../ui/text.tsx'
import { AbPhaseNote } from '../ab-tests/ab-phase-note.tsx'
import { WhoWaits } from '../report/waiting-recipients.tsx'
import { helpPercent } from './all-campaigns-view.ts'

export const allCampaignsColumns: readonly Column<AnyCampaign>[] = [
  {
    id: 'name',
    header: 'Campaign',
    cell: ({ campaignName, templateName }) => (
      <span className="block max-w-80 min-w-40">
        <span className="block truncate leading-4.5 font-medium">{campaignName}</span>
        <span className="block truncate text-caption text-muted-foreground">{templateName || 'No template yet'}</span>
      </span>
    ),
  },
  { id: 'account', header: 'Account', cell: (campaign) => <Whose campaign={campaign} /> },
  { id: 'channel', header: 'Channel', width: 120, cell: ({ channel }) => <ChannelMark channel={channel} /> },
  { id: 'status', header: 'Status', width: 190, cell: (campaign) => <Status campaign={campaign} /> },
  {
    id: 'recipients',
    header: 'Recipients',
    align: 'right',
    width: 110,
    cell: ({ stats }) => (stats.total > 0 ? formatCount(stats.total) : <Missing />),
  },
  {
    id: 'delivered',
    header: 'Delivered %',
    align: 'right',
    width: 110,
    cell: ({ stats }) => {
      const shares = sharesOf(stats)
      return shares ? formatKnownShare(shares.delivered) : <Missing />
    },
  },
  {
    id: 'failed',
    header: 'Failed %',
    align: 'right',
    width: 100,
    cell: (campaign) => <Failed campaign={campaign} />,
  },
  { id: 'created', header: 'Created', align: 'right', width: 130, cell: ({ createdAt }) => <When at={createdAt} /> },
]

/** The organisation, and the account if it is a member. */
function Whose({ campaign: { account, organization } }: { campaign: AnyCampaign }) {
  return (
    <span className="block max-w-60">
      <span className="block truncate leading-4.5">{organization.name || account.name}</span>
      {account._id === organization._id || organization.name === '' ? null : (
        <span className="block truncate text-caption text-muted-foreground">{account.name}</span>
      )}
    </span>
  )
}

function Status({ campaign }: { campaign: AnyCampaign }) {
  const { status, percent, campaignName, channel, waiting } = campaign
  const isUnderWay = status === 'running' || status === 'paused' || status === 'queued'
  return (
    <span className="block">
      <span className="flex items-center gap-3">
        <StatusPill status={status} />
        {isUnderWay ? (
          <Progress
            percent={percent}
            label={`${campaignName}, ${formatProgress(percent)}`}
            tone={status === 'paused' ? 'care' : 'brand'}
            className="w-14"
          />
        ) : null}
      </span>
      <AbPhaseNote campaign={campaign} />
      <WhoWaits waiting={waiting} channel={channel} />
    </span>
  )
}

function Failed({ campaign: { stats } }: { campaign: AnyCampaign }) {
  const shares = sharesOf(stats)
  if (!shares) return <Missing />
  const isMuch = shares.failed * 100 > helpPercent
  return <span className={isMuch ? 'font-medium text-danger-text' : undefined}>{formatKnownShare(shares.failed)}</span>
}

/** A campaign in the list on phones. */
export function AllCampaignsCard({ campaign }: { campaign: AnyCampaign }) {
  const { stats, organization, account } = campaign
  const shares = sharesOf(stats)
  return (
    <>
      <span className="flex min-w-0 items-center gap-2 font-medium">
        <ChannelMark channel={campaign.channel} markOnly />
        <span className="truncate">{campaign.campaignName}</span>
      </span>
      <span className="mt-1 flex items-center gap-3">
        <StatusPill status={campaign.status} />
        <span className="truncate text-dense text-muted-foreground">{organization.name || account.name}</span>
      </span>
      <AbPhaseNote campaign={campaign} />
      <WhoWaits waiting={campaign.waiting} channel={campaign.channel} />
      <span className="mt-1 block text-caption text-muted-foreground tabular-nums">
        {stats.total > 0 ? countOf(stats.total, 'recipient') : 'no audience yet'} ·{' '}
        {shares
          ? `${formatKnownShare(shares.delivered)} delivered · ${formatKnownShare(shares.failed)} failed`
          : 'not sent'}
      </span>
    </>
  )
}
