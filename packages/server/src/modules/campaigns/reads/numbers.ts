import type { CampaignStats } from '@carillon/contract/campaign-records'
import { channelTraits } from '@carillon/contract/channels/table'
import { getChannel } from '../../../channels/index.ts'
import type { Db } from '../../../db/pool.ts'
import { toRupees } from '../../balance/index.ts'
import { campaignStats, failoverNumbers, type Counts, type FailoverNumbers } from '../../messages/index.ts'
import type { CampaignRow } from '../campaigns.queries.ts'

type Counted = Pick<CampaignRow, 'organization_id' | 'id' | 'total' | 'status' | 'channel'> & {
  /** The counters, if they were read together with the campaign; null if nothing was counted yet. */
  counts?: Counts | null
}

/** A campaign's counts, and how many of its recipients failed over or wait to. */
export type CampaignProgress = { stats: CampaignStats; failover?: FailoverNumbers | undefined }

/** Counts of several campaigns by id. A page of an admin may contain campaigns of several organisations. */
export async function progressOf(db: Db, campaigns: readonly Counted[]): Promise<Map<string, CampaignProgress>> {
  const progress = new Map<string, CampaignProgress>()
  for (const [organizationId, own] of Map.groupBy(campaigns, ({ organization_id }) => organization_id)) {
    const failoverById = await failoverNumbers(db, {
      organizationId,
      campaignIds: own.filter(canFallBack).map(({ id }) => id),
    })
    // Counts of failovers must not be older than the counters they are compared with.
    const uncounted = own.filter((campaign) => campaign.counts === undefined || canFallBack(campaign))
    const counted = await campaignStats(db, { organizationId, campaignIds: uncounted.map(({ id }) => id) })
    const numbersById = new Map<string, Counts>(counted.map((numbers) => [numbers.campaignId, numbers]))
    for (const campaign of own) {
      const numbers = numbersById.get(campaign.id) ?? campaign.counts ?? undefined
      const failover = failoverById.get(campaign.id)
      progress.set(campaign.id, { stats: presentStats(campaign, numbers && countOnce(numbers, failover)), failover })
    }
  }
  return progress
}

/** Campaigns of other channels have one leg, except by country. */
function canFallBack({ channel }: Counted): boolean {
  return channelTraits[channel].failoverTo.length > 0 || getChannel(channel).waitingReason !== undefined
}

export async function statsOf(db: Db, campaigns: readonly Counted[]): Promise<Map<string, CampaignStats>> {
  const progress = await progressOf(db, campaigns)
  return new Map([...progress].map(([id, { stats }]) => [id, stats]))
}

const counted = ['sent', 'delivered', 'read', 'failed', 'skipped', 'unknown', 'unconfirmed'] as const

/** A recipient that fails over is counted once, by the best message. */
function countOnce(numbers: Counts, failover: FailoverNumbers | undefined): Counts {
  if (!failover) return numbers
  const once = { ...numbers, submitted: numbers.submitted - failover.twice }
  for (const status of counted) once[status] -= failover.outranked[status] ?? 0
  return once
}

const nothing = {
  submitted: 0,
  sent: 0,
  delivered: 0,
  read: 0,
  failed: 0,
  skipped: 0,
  unknown: 0,
  unconfirmed: 0,
  replied: 0,
  clicked: 0,
  parts: 0,
  cost: 0,
  refunded: 0,
}

/** A recipient without a message is queued still, or was cancelled with its campaign. */
function presentStats({ total, status }: Counted, numbers: Counts = nothing): CampaignStats {
  const { submitted, sent, delivered, read, failed, skipped, unknown, unconfirmed } = numbers
  const { replied, clicked, parts, cost, refunded } = numbers
  const rest = Math.max(0, total - sent - delivered - read - failed - skipped - unknown - unconfirmed)
  const isStopped = status === 'cancelled' || status === 'discarded'
  return {
    total,
    submitted,
    sent,
    delivered,
    read,
    failed,
    skipped,
    unknown,
    unconfirmed,
    replied,
    clicked,
    parts,
    queued: isStopped ? 0 : rest,
    cancelled: isStopped ? rest : 0,
    cost: toRupees(cost),
    refunded: toRupees(refunded),
  }
}
