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
  const sentences = [
    `${campaign.campaignName} went to ${countOf(stats.total, 'person', 'people')} from ${campaign.header}, beginning ${unbroken(formatDateTime(campaign.startedAt))}.`,
    campaign.completedAt
      ? `Sending took ${formatDuration(seconds(campaign.startedAt, campaign.completedAt))}.`
      : `${formatCount(stats.queued)} are still waiting.`,
    `The operator took ${formatCount(stats.submitted)}; ${formatCount(arrived)} arrived (${formatShare(arrived, stats.submitted)}).`,
    stats.failed > 0
      ? `${formatCount(stats.failed)} failed${campaign.failures[0] ? `, most of them because: ${campaign.failures[0].title.toLowerCase()}` : ''}.`
      : '',
    stats.skipped > 0 ? `${formatCount(stats.skipped)} were skipped.` : '',
    stats.unconfirmed + stats.unknown > 0
      ? `For ${formatCount(stats.unconfirmed + stats.unknown)} the operator’s answer was lost; they were not sent again.`
      : '',
    `It cost ${formatMoneyInProse(stats.cost)} for ${countOf(stats.parts, 'part')}.`,
  ]
  return sentences.filter(Boolean).join(' ')
}

/** A time keeps its 'pm' on the line. */
function unbroken(text: string): string {
  return text.replace(/ ([ap]m)$/, '\u00a0$1')
}

function seconds(from: string, to: string): number {
  return Math.max(1, Math.round((Date.parse(to) - Date.parse(from)) / 1000))
}
