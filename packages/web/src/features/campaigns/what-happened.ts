import type { CampaignDetail } from '@carillon/contract/campaigns'
import {
  countOf,
  formatCount,
  formatDateTime,
  formatDuration,
  formatMoneyInProse,
  formatShare,
} from '../../lib/format.ts'

/** The campaign told in a few sentences, from its own numbers. */
export function whatHappened(campaign: CampaignDetail): string {
  const { stats } = campaign
  if (!campaign.startedAt) return `${campaign.campaignName} has not started.`
  const arrived = stats.delivered + stats.read
  const { sender, carrier, charged } = wordsOf(campaign)
  const sentences = [
    `${campaign.campaignName} went to ${countOf(stats.total, 'person', 'people')} from ${sender}, beginning ${unbroken(formatDateTime(campaign.startedAt))}.`,
    campaign.completedAt
      ? `Sending took ${formatDuration(seconds(campaign.startedAt, campaign.completedAt))}.`
      : `${formatCount(stats.queued)} are still waiting.`,
    `${carrier} took ${formatCount(stats.submitted)}; ${formatCount(arrived)} arrived (${formatShare(arrived, stats.submitted)}).`,
    stats.read > 0 ? `${formatCount(stats.read)} read it (${formatShare(stats.read, stats.submitted)}).` : '',
    campaign.failover ? failoverWords(campaign.failover) : '',
    stats.failed > 0
      ? `${formatCount(stats.failed)} failed${campaign.failures[0] ? `, most of them because: ${campaign.failures[0].title.toLowerCase()}` : ''}.`
      : '',
    stats.skipped > 0 ? `${formatCount(stats.skipped)} were skipped.` : '',
    stats.unconfirmed + stats.unknown > 0
      ? `For ${formatCount(stats.unconfirmed + stats.unknown)} the answer was lost; they were not sent again.`
      : '',
    `It cost ${formatMoneyInProse(stats.cost)}${charged}.`,
  ]
  return sentences.filter(Boolean).join(' ')
}

/** Who sends, who carries, and what is charged for: an SMS by its parts, everything else by the message. */
function wordsOf({ channel, header, accountName, stats }: CampaignDetail) {
  if (channel === 'sms')
    return { sender: header, carrier: 'The operator', charged: ` for ${countOf(stats.parts, 'part')}` }
  return { sender: accountName || header, carrier: 'WhatsApp', charged: '' }
}

/** '100 went on by SMS: 96 delivered, 1 reached by both.' */
export function failoverWords({ entered, delivered, both }: NonNullable<CampaignDetail['failover']>): string {
  if (entered === 0) return 'Nobody went on by SMS.'
  const twice = both > 0 ? `; ${formatCount(both)} reached by both` : ''
  return `${formatCount(entered)} went on by SMS: ${formatCount(delivered)} delivered${twice}.`
}

/** A time keeps its 'pm' on the line. */
function unbroken(text: string): string {
  return text.replace(/ ([ap]m)$/, '\u00a0$1')
}

function seconds(from: string, to: string): number {
  return Math.max(1, Math.round((Date.parse(to) - Date.parse(from)) / 1000))
}
