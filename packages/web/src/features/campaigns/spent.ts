import type { CampaignStats } from '@carillon/contract/campaign-records'

/** What a campaign cost in the end: what was charged without what came back, in rupees. */
export function spentOf({ cost, refunded }: Pick<CampaignStats, 'cost' | 'refunded'>): number {
  return Math.round((cost - refunded) * 10_000) / 10_000
}
