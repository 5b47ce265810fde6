import type { Campaign, CampaignStats, CampaignStatus } from '@carillon/contract/campaign-records'
import { roundRupees } from '../../../lib/format.ts'

/** Final cost of a campaign in rupees: charges minus refunds. */
export function spentOf({ cost, refunded }: Pick<CampaignStats, 'cost' | 'refunded'>): number {
  return Math.round((cost - refunded) * 10_000) / 10_000
}

const ended: readonly CampaignStatus[] = ['completed', 'cancelled', 'discarded', 'failed']

type Latest = Pick<Campaign, 'status'> & { stats: Pick<CampaignStats, 'cost'> }

/**
 * What is still reserved, given the charges since the detail was read. Rounded so that the displayed cost and reserved amount
 * add up to the paisa.
 */
export function reservedOf({ held, stats }: { held: number } & Pick<Latest, 'stats'>, latest: Latest): number {
  if (ended.includes(latest.status)) return 0
  return Math.max(0, roundRupees(roundRupees(held + stats.cost) - roundRupees(latest.stats.cost)))
}
