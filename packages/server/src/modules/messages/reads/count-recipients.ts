import type { MessageStatus } from '@carillon/contract/campaign-records'
import type { LegResult } from '@carillon/contract/campaign-records'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import { campaignStats } from './campaign-numbers.ts'
import {
  chooseRecipients,
  resultStatuses,
  statusesFor,
  waitingStatus,
  type RecipientFilter,
} from './choose-recipients.ts'
import { failoverNumbers } from './failover-numbers.ts'
import { countExpired, legCounts } from './leg-numbers.ts'
import type { ListedCampaign } from './listed-campaign.ts'

type Filter = RecipientFilter & { number?: RawBuilder<boolean> | undefined }

export function isFiltered({ status, leg, result, both, clicked, number }: Filter): boolean {
  return [status, leg, result, both, clicked, number].some((value) => value !== undefined)
}

/** The numbers of the report are exact at any time; everything else is counted. */
export async function countRecipients(db: Db, campaign: ListedCampaign, filter: Filter): Promise<number> {
  const known = await findNumber(db, campaign, filter)
  if (known !== undefined) return known
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from (${chooseRecipients(campaign, filter)}) chosen`.execute(db)
  return rows[0]?.total ?? 0
}

/** Undefined if the report has no number for the filter. */
async function findNumber(db: Db, campaign: ListedCampaign, filter: Filter): Promise<number | undefined> {
  if (!isFiltered(filter)) return campaign.total
  const { status, leg, result, both, clicked, number } = filter
  if (number) return undefined
  if (clicked) return countClicked(db, campaign, filter)
  if (status) return leg === undefined && !both ? countStatus(db, campaign, status) : undefined
  if (both) return (await readFailovers(db, campaign))?.both ?? 0
  if (!result) return undefined
  return leg === undefined ? countOfAll(db, campaign, result) : countResult(db, campaign, { leg, result })
}

/** Undefined if other filters narrow them. */
async function countClicked(
  db: Db,
  { organizationId, campaignId }: ListedCampaign,
  filter: Filter,
): Promise<number | undefined> {
  if (isFiltered({ ...filter, clicked: undefined })) return undefined
  const [numbers] = await campaignStats(db, { organizationId, campaignIds: [campaignId] })
  return numbers?.clicked ?? 0
}

async function readFailovers(db: Db, { organizationId, campaignId }: ListedCampaign) {
  return (await failoverNumbers(db, { organizationId, campaignIds: [campaignId] })).get(campaignId)
}

const counted = ['sent', 'delivered', 'read', 'failed', 'skipped', 'unknown', 'unconfirmed'] as const

/** As in the numbers of the campaign: a recipient counts by one message, and waits without any. */
async function countStatus(db: Db, campaign: ListedCampaign, status: MessageStatus): Promise<number> {
  const { count } = await readCounts(db, campaign)
  if (status !== waitingStatus(campaign)) return count(statusesFor(status))
  return Math.max(0, campaign.total - count(counted))
}

async function countOfAll(db: Db, campaign: ListedCampaign, result: LegResult): Promise<number | undefined> {
  const statuses = resultStatuses[result]
  if (!statuses && result !== 'sent') return undefined
  const { count, submitted } = await readCounts(db, campaign)
  return statuses ? count(statuses) : submitted
}

async function readCounts(db: Db, campaign: ListedCampaign) {
  const { organizationId, campaignId } = campaign
  // Counts of failovers must not be older than the counters they are compared with.
  const failovers = await readFailovers(db, campaign)
  const [numbers] = await campaignStats(db, { organizationId, campaignIds: [campaignId] })
  const countOne = (one: (typeof counted)[number]) => (numbers?.[one] ?? 0) - (failovers?.outranked[one] ?? 0)
  return {
    count: (wanted: readonly MessageStatus[]) =>
      counted.reduce((sum, one) => sum + (wanted.includes(one) ? countOne(one) : 0), 0),
    submitted: (numbers?.submitted ?? 0) - (failovers?.twice ?? 0),
  }
}

type OfLeg = Required<Pick<RecipientFilter, 'leg' | 'result'>>

async function countResult(
  db: Db,
  campaign: ListedCampaign,
  { leg, result }: { [Name in keyof OfLeg]: NonNullable<OfLeg[Name]> },
): Promise<number | undefined> {
  if (result === 'expired') return (await countExpired(db, campaign)).get(leg) ?? 0
  if (result !== 'starters') return (await legCounts(db, campaign)).get(leg)?.[result] ?? 0
  const own = campaign.legs.filter(({ draftLeg, isStart }) => draftLeg === leg && isStart)
  if (own.some(({ starters }) => starters === null)) return undefined
  return own.reduce((sum, { starters }) => sum + (starters ?? 0), 0)
}
