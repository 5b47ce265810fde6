import type { Campaign, CampaignStats, CampaignStatus } from '@carillon/contract/campaign-records'
import { roundRupees } from '../../../lib/format.ts'

/** Final cost of a campaign in rupees: charges minus refunds. */
export function spentOf({ cost, refunded }: Pick<CampaignStats, 'cost' | 'refunded'>): number {
  return Math.round((cost - refunded) * 10_000) / 10_000
}

const ended: readonly CampaignStatus[] = ['completed', 'cancelled', 'discarded', 'failed']

type Latest = Pick<Campaign, 'status'> & { stats: Pick<CampaignStats, 'cost'> }

/**
 * What is still reserved, given what was charged since the detail was read. It is rounded so that cost and reserved amount
 * add up to the paisa as they are shown.
 */
export function reservedOf({ held, stats }: { held: number } & Pick<Latest, 'stats'>, latest: Latest): number {
  if (ended.includes(latest.status)) return 0
  return Math.max(0, roundRupees(roundRupees(held + stats.cost) - roundRupees(latest.stats.cost)))
}
