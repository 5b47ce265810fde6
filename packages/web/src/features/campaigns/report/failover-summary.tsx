import type { CampaignDetail } from '@carillon/contract/campaigns'
import { channelTraits } from '@carillon/contract/channels/table'
import { formatCount, formatShare } from '../../../lib/format.ts'
import { ChannelMark } from '../../../channels/channel-mark.tsx'
import { postponedText, waitingText } from '../../../lib/waiting-text.ts'
import { RecipientsLink } from './recipients-link.tsx'
import { describeFailover, fallbacksOf } from './what-happened.ts'

type FailoverSummaryProps = {
  campaign: Pick<CampaignDetail, '_id' | 'channel' | 'legs' | 'failover'>
  /** Shows only the sentence. */
  short?: boolean
}

/** Recipients that failed over, with the results of those messages; empty for a campaign of one channel. */
export function FailoverSummary({ campaign, short = false }: FailoverSummaryProps) {
  const { channel, legs, failover } = campaign
  const [next] = fallbacksOf(legs)
  if (!failover) return null
  const { entered, sent, delivered, both, reasons } = failover
  const lines = [
    ...reasons.map(({ title, count }) => ({ label: title, value: formatCount(count) })),
    { label: 'Sent', value: formatCount(sent) },
    { label: 'Delivered', value: `${formatCount(delivered)} (${formatShare(delivered, sent)})` },
    {
      label: 'Delivered twice or more',
      value: (
        <RecipientsLink
          campaignId={campaign._id}
          shown={{ both: true }}
          count={both}
          label={`Delivered twice or more: list ${formatCount(both)}`}
        >
          {formatCount(both)}
        </RecipientsLink>
      ),
    },
  ]
  return (
    <section aria-label="Failover">
      <p className="flex items-start gap-2">
        <ChannelMark channel={next?.channel ?? channel} markOnly />
        <span className="min-w-0 flex-1">{describeFailover(legs, failover)}</span>
      </p>
      {entered > 0 && !short ? (
        <dl className="mt-3 border-t border-line tabular-nums">
          {lines.map(({ label, value }) => (
            <div
              key={label}
              className="flex min-h-8 items-center justify-between gap-3 border-b border-line py-1 last:border-0"
            >
              <dt className="min-w-0 text-muted-foreground">{label}</dt>
              <dd className="font-medium">{value}</dd>
            </div>
          ))}
        </dl>
      ) : null}
    </section>
  )
}

/** Recipients postponed by the organisation's cap; empty if there are none. */
export function PostponedSummary({ postponed }: Pick<CampaignDetail, 'postponed'>) {
  if (!postponed) return null
  return <section aria-label="Postponed">{postponedText(postponed)}</section>
}

/** Recipients waiting because of the channel's marketing limit; empty if there are none. */
export function WaitingSummary({ waiting, channel }: Pick<CampaignDetail, 'waiting' | 'channel'>) {
  if (!waiting) return null
  return (
    <section aria-label="Waiting" className="flex items-start gap-2">
      <ChannelMark channel={channel} markOnly />
      <span className="min-w-0 flex-1">{waitingText(waiting, channelTraits[channel].label)}</span>
    </section>
  )
}
