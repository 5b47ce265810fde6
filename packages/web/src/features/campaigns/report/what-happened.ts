import { channelTraits } from '@carillon/contract/channels/table'
import { figuresOf, sharesOf } from '@carillon/contract/figures'
import type { CampaignDetail } from '@carillon/contract/campaigns'
import {
  countOf,
  formatCount,
  formatDateTime,
  formatDuration,
  formatKnownShare,
  formatMoneyInProse,
} from '../../../lib/format.ts'
import { hasVariants, letterOfLeg, withoutVariants } from '../ab-tests/variant-legs.ts'
import { spentOf } from './spent.ts'
import { mainReason } from './main-reason.ts'
import { waitingText } from '../../../lib/waiting-text.ts'

/** A summary of the campaign in a few sentences. */
export function whatHappened(campaign: CampaignDetail): string {
  const { stats } = campaign
  const figures = figuresOf(stats)
  const shares = sharesOf(stats)
  if (!campaign.startedAt) return `${campaign.campaignName} has not started.`
  const { sender, charged } = wordsOf(campaign)
  const sentences = [
    `${campaign.campaignName} went to ${countOf(stats.total, 'person', 'people')} from ${sender}, beginning ${unbroken(formatDateTime(campaign.startedAt))}.`,
    campaign.completedAt
      ? `Sending took ${formatDuration(seconds(campaign.startedAt, campaign.completedAt))}.`
      : stillQueued(campaign),
    `${formatCount(figures.sent)} accepted, ${formatCount(figures.delivered)} delivered (${formatKnownShare(shares?.delivered)})${byChannel(campaign, figures.delivered)}.`,
    figures.read > 0 ? `${formatCount(figures.read)} read it (${formatKnownShare(shares?.read)}).` : '',
    stats.clicked > 0 ? `${formatCount(stats.clicked)} clicked a link.` : '',
    campaign.waiting ? waitingText(campaign.waiting, channelTraits[campaign.channel].label) : '',
    campaign.failover ? describeFailover(campaign.legs, campaign.failover) : '',
    figures.failed > 0 ? `${formatCount(figures.failed)} failed${mainReason(campaign.failures, figures.failed)}.` : '',
    stats.skipped > 0 ? `${formatCount(stats.skipped)} were skipped.` : '',
    figures.unconfirmed > 0
      ? `${formatCount(figures.unconfirmed)} unconfirmed: the provider’s response was lost and they were not sent again.`
      : '',
    `It cost ${formatMoneyInProse(spentOf(stats))}${charged}.`,
  ]
  return sentences.filter(Boolean).join(' ')
}

/** Recipients with nothing sent yet; those waiting for a retry are listed separately. */
function stillQueued({ stats, waiting }: CampaignDetail): string {
  const queued = stats.queued - (waiting?.people ?? 0)
  if (queued > 0) return `${formatCount(queued)} are still waiting.`
  return waiting ? '' : 'Reports are still coming in.'
}

/** The sender, and the billed unit if that is parts. */
function wordsOf({ channel, header, accountName, stats }: CampaignDetail) {
  if (channelTraits[channel].unit === 'part') return { sender: header, charged: ` for ${countOf(stats.parts, 'part')}` }
  return { sender: accountName || header, charged: '' }
}

/** Deliveries by channel, if there are several; those with two count by the later channel. */
function byChannel({ legs }: CampaignDetail, arrived: number): string {
  if (hasVariants(legs)) return byMessage(legs)
  const [first, ...later] = legs
  const carried = later.filter(({ delivered }) => delivered > 0)
  if (!first || carried.length === 0) return ''
  const rest = carried.reduce((sum, { delivered }) => sum + delivered, 0)
  const others = carried.map(({ channel, delivered }) => `${formatCount(delivered)} by ${channelTraits[channel].label}`)
  const own = Math.min(first.delivered, Math.max(0, arrived - rest))
  return `: ${formatCount(own)} over ${channelTraits[first.channel].label} and ${others.join(' and ')}`
}

/** Deliveries by message of a test, and by channel of those it failed over to. */
function byMessage(legs: CampaignDetail['legs']): string {
  const carried = legs.filter(({ delivered }) => delivered > 0)
  if (carried.length === 0) return ''
  const parts = carried.map(({ leg, channel, delivered }) => {
    const letter = letterOfLeg(leg, legs)
    return `${formatCount(delivered)} by ${letter ? `message ${letter}` : channelTraits[channel].label}`
  })
  const last = parts.pop() ?? ''
  return `: ${parts.length > 0 ? `${parts.join(', ')} and ` : ''}${last}`
}

/** Number of failovers, and the results of those messages. */
export function describeFailover(
  legs: CampaignDetail['legs'],
  { entered, delivered, both }: NonNullable<CampaignDetail['failover']>,
): string {
  const next = fallbacksOf(legs)
    .map(({ channel }) => channelTraits[channel].label)
    .join(' and ')
  if (entered === 0) return `No message fell back to ${next}.`
  const twice = both > 0 ? `; ${formatCount(both)} got two messages or more` : ''
  return `${formatCount(entered)} sent by ${next}: ${formatCount(delivered)} delivered${twice}.`
}

/** The legs to which recipients failed over, or else could. */
export function fallbacksOf(legs: CampaignDetail['legs']): CampaignDetail['legs'] {
  const [, ...later] = withoutVariants(legs)
  const used = later.filter(({ entered }) => entered > 0)
  return used.length > 0 ? used : later
}

/** Keeps 'pm' on the same line as the time. */
function unbroken(text: string): string {
  return text.replace(/ ([ap]m)$/, '\u00a0$1')
}

function seconds(from: string, to: string): number {
  return Math.max(1, Math.round((Date.parse(to) - Date.parse(from)) / 1000))
}
