import { figuresOf, sharesOf } from '@carillon/contract/figures'
import type { CampaignStats } from '@carillon/contract/campaign-records'
import type { Channel } from '@carillon/contract/channels'
import { channelTraits } from '@carillon/contract/channels/table'
import { countOf, formatCount, formatKnownShare, formatMoney } from '../../../lib/format.ts'
import { spentOf } from './spent.ts'

/** Key figures of a campaign: sent, delivered, cost. */
export function OutcomeSummary({ stats, channel }: { stats: CampaignStats; channel: Channel }) {
  const { sent, delivered, read, failed, unconfirmed } = figuresOf(stats)
  const shares = sharesOf(stats)
  const { hasReadReceipts } = channelTraits[channel]
  return (
    <dl className="grid grid-cols-2 overflow-hidden rounded-lg border border-border bg-card sm:grid-cols-3 lg:grid-cols-6">
      <Figure
        label="Recipients"
        value={formatCount(stats.total)}
        note={stats.skipped > 0 ? `${formatCount(stats.skipped)} skipped` : undefined}
      />
      <Figure label="Sent" value={formatCount(sent)} note={waiting(stats)} />
      <Figure label="Delivered" value={formatKnownShare(shares?.delivered)} note={formatCount(delivered)} />
      {hasReadReceipts ? <Figure label="Read" value={formatKnownShare(shares?.read)} note={formatCount(read)} /> : null}
      <Figure label="Failed" value={formatKnownShare(shares?.failed)} note={formatCount(failed)} />
      {hasReadReceipts ? null : (
        <Figure
          label="Unconfirmed"
          value={formatCount(unconfirmed)}
          note={unconfirmed > 0 ? 'Response lost' : undefined}
        />
      )}
      <Figure
        label="Cost"
        value={formatMoney(spentOf(stats))}
        note={stats.refunded > 0 ? `${formatMoney(stats.refunded)} refunded` : charged(stats, channel)}
      />
    </dl>
  )
}

function waiting(stats: CampaignStats): string | undefined {
  const { inFlight, unconfirmed } = figuresOf(stats)
  if (stats.queued > 0) return `${formatCount(stats.queued)} waiting`
  if (inFlight > 0) return `${formatCount(inFlight)} in flight`
  return unconfirmed > 0 ? `${formatCount(unconfirmed)} without a response` : undefined
}

/** The number of billed units. */
function charged({ parts, submitted }: CampaignStats, channel: Channel): string {
  return channelTraits[channel].unit === 'part' ? countOf(parts, 'part') : countOf(submitted, 'message')
}

function Figure({ label, value, note }: { label: string; value: string; note?: string | undefined }) {
  return (
    <div className="min-w-0 border-t border-l border-line px-4 pt-3.5 pb-3 -mt-px -ml-px">
      <dt className="text-dense whitespace-nowrap text-muted-foreground">{label}</dt>
      <dd className="mt-1 truncate text-[1.25rem] leading-7 font-semibold tabular-nums">{value}</dd>
      <dd className="mt-0.5 min-h-4 truncate text-caption text-muted-foreground tabular-nums">{note}</dd>
    </div>
  )
}
