import type { Campaign, CampaignStatus } from '@carillon/contract/campaign-records'
import { channelTraits } from '@carillon/contract/channels/table'
import { figuresOf, sharesOf } from '@carillon/contract/figures'
import { countOf, formatCount, formatKnownShare, formatMoney, formatScheduleDay } from '../../../lib/format.ts'
import { Progress } from '../../../ui/progress.tsx'
import { spentOf } from '../report/spent.ts'

const underWay: readonly CampaignStatus[] = ['queued', 'running', 'paused']

type CampaignProgressProps = { campaign: Campaign; etaSeconds: number | null }

/** Progress of a campaign, or what it waits for; empty once it has ended. */
export function CampaignProgress({ campaign, etaSeconds }: CampaignProgressProps) {
  const { status, stats, percent, campaignName } = campaign
  const isUnderWay = underWay.includes(status)
  if (!isUnderWay) return <CampaignState campaign={campaign} />
  const note = status === 'running' && etaSeconds !== null ? timeLeftLabel(etaSeconds) : undefined
  return (
    <div className="flex flex-col gap-2 px-5 pt-4 pb-4">
      <p className="flex items-baseline gap-3">
        <span className="min-w-0 flex-1 font-semibold tabular-nums">
          {formatCount(figuresOf(stats).tried)} of {formatCount(stats.total)} sent
        </span>
        {note ? <span className="text-caption text-muted-foreground">{note}</span> : null}
      </p>
      <Progress
        thick
        percent={percent}
        label={`Progress of ${campaignName}`}
        tone={status === 'paused' ? 'care' : 'brand'}
      />
      {campaign.statusDetail ? <p className="text-dense text-muted-foreground">{campaign.statusDetail}</p> : null}
    </div>
  )
}

/** What prevents a campaign from starting, or why it failed. */
function CampaignState({ campaign }: { campaign: Campaign }) {
  const { status, startAt, timezone, statusDetail, stats, fileName } = campaign
  const when = status === 'scheduled' && startAt ? `Starts ${formatScheduleDay(startAt, timezone)}` : statusDetail
  const people = status === 'completed' ? undefined : audienceLabel(stats.total, fileName)
  const words = [when, people].filter(Boolean)
  if (words.length === 0) return null
  return <p className="px-5 pt-4 text-muted-foreground">{words.join(' · ')}</p>
}

function audienceLabel(people: number, fileName: string): string {
  if (people > 0) return countOf(people, 'person', 'people')
  return fileName || 'No audience yet'
}

/** 'about 4 min left' */
function timeLeftLabel(seconds: number): string {
  if (seconds < 60) return 'less than a minute left'
  if (seconds < 5400) return `about ${Math.round(seconds / 60)} min left`
  return `about ${Math.round(seconds / 3600)} h left`
}

/** Four figures across the width of the sheet. */
export function PeekFigures({ campaign }: { campaign: Campaign }) {
  const { stats, channel, status } = campaign
  const shares = sharesOf(stats)
  const figures = [
    { label: 'Delivered', value: formatKnownShare(shares?.delivered) },
    channelTraits[channel].hasReadReceipts
      ? { label: 'Read', value: formatKnownShare(shares?.read) }
      : { label: 'Failed', value: formatKnownShare(shares?.failed) },
    { label: 'Replies', value: formatCount(stats.replied) },
    { label: underWay.includes(status) ? 'Cost so far' : 'Cost', value: formatMoney(spentOf(stats)) },
  ]
  return (
    <dl className="mt-4 grid grid-cols-[1fr_1fr_1fr_auto] border-y border-border first:mt-0 first:border-t-0 [&>div]:border-l [&>div]:border-line [&>div:first-child]:border-l-0 [&>div:first-child]:pl-5">
      {figures.map(({ label, value }) => (
        <div key={label} className="min-w-0 py-3 pr-3 pl-4 last:pr-5">
          <dt className="text-caption whitespace-nowrap text-muted-foreground">{label}</dt>
          <dd className="text-section font-semibold whitespace-nowrap tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
