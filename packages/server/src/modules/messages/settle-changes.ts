import type { Channel } from '@carillon/contract/channels'
import type { MessageStatus } from '@carillon/contract/campaign-records'
import { newId } from '../../lib/ids.ts'
import { chargeOf } from './evidence.ts'
import type { ChangedMessage } from './reports.queries.ts'
import { numberArray, run, textArray, type Queryable, type Statement } from './statements.ts'

const countedStatuses = ['sent', 'delivered', 'read', 'failed', 'skipped', 'unknown', 'unconfirmed'] as const
type CountedStatus = (typeof countedStatuses)[number]
type Delta = Record<CountedStatus | 'submitted' | 'parts' | 'cost' | 'refunded', number>

/** Whom the messages of a campaign, or a single send, belong to. */
type Origin = { campaignId: string; isSingle: boolean; accountId: string; channel: Channel; balance: string | null }

/**
 * What follows from moved messages, in the same transaction: the counts, one row for each campaign, and the money, one
 * entry for each balance and direction. Answers the campaigns whose numbers changed.
 */
export async function settleChanges(
  db: Queryable,
  organizationId: string,
  changes: readonly ChangedMessage[],
): Promise<string[]> {
  const moved = changes.filter(({ previous, status }) => previous !== status)
  if (moved.length === 0) return []
  const deltas = new Map<string, { campaignId: string; leg: number; delta: Delta }>()
  for (const change of moved) {
    const key = `${change.campaignId}.${change.leg}`
    const entry = deltas.get(key) ?? { campaignId: change.campaignId, leg: change.leg, delta: noDelta() }
    addChange(entry.delta, change)
    deltas.set(key, entry)
  }
  const campaignIds = [...new Set(moved.map(({ campaignId }) => campaignId))]
  const origins = new Map(
    (await findOrigins(db, organizationId, campaignIds)).map((origin) => [origin.campaignId, origin]),
  )
  const rows = [...deltas.values()].flatMap(({ campaignId, leg, delta }) => {
    const origin = origins.get(campaignId)
    return origin ? [{ origin, leg, delta }] : []
  })
  await insertDeltas(db, organizationId, rows)
  await moveMoney(db, organizationId, rows)
  return [...origins.values()].flatMap(({ isSingle, campaignId }) => (isSingle ? [] : [campaignId]))
}

function noDelta(): Delta {
  return {
    sent: 0,
    delivered: 0,
    read: 0,
    failed: 0,
    skipped: 0,
    unknown: 0,
    unconfirmed: 0,
    submitted: 0,
    parts: 0,
    cost: 0,
    refunded: 0,
  }
}

const notSubmitted: readonly MessageStatus[] = ['queued', 'skipped', 'cancelled', 'unknown', 'unconfirmed']

function addChange(delta: Delta, { previous, status, parts, price, billableOn }: ChangedMessage) {
  if (isCounted(previous)) delta[previous] -= 1
  if (isCounted(status)) delta[status] += 1
  if (notSubmitted.includes(previous) && !notSubmitted.includes(status)) {
    delta.submitted += 1
    delta.parts += parts
  }
  const difference = chargeOf(status, price, billableOn) - chargeOf(previous, price, billableOn)
  // Delivered after a failure takes the refund back, so that cost and refunds tell the same story in any order of reports.
  if (difference < 0 || previous === 'failed') delta.refunded -= difference
  else delta.cost += difference
}

function isCounted(status: MessageStatus): status is CountedStatus {
  // A list of some statuses is asked about any.
  return (countedStatuses as readonly MessageStatus[]).includes(status)
}

const find: Statement = {
  name: 'find-message-origins',
  text: `
  select campaign.id as "campaignId", false as "isSingle", campaign.created_by as "accountId", campaign.channel,
    hold.ledger_account as balance
  from campaigns campaign
  left join holds hold on hold.organization_id = campaign.organization_id and hold.id = campaign.hold_id
  where campaign.organization_id = $1 and campaign.id = any($2::uuid[])
  union all
  select single.id, true, single.account_id, sender.channel, hold.ledger_account
  from single_sends single
  join senders sender on sender.organization_id = single.organization_id and sender.id = single.sender_id
  left join holds hold on hold.organization_id = single.organization_id and hold.id = single.hold_id
  where single.organization_id = $1 and single.id = any($2::uuid[])`,
}

async function findOrigins(db: Queryable, organizationId: string, campaignIds: string[]): Promise<Origin[]> {
  return run<Origin>(db, find, [organizationId, textArray(campaignIds)])
}

type Row = { origin: Origin; leg: number; delta: Delta }

const insert: Statement = {
  name: 'insert-counter-deltas',
  text: `
  insert into counter_deltas (organization_id, campaign_id, leg, account_id, channel,
    submitted, sent, delivered, read, failed, skipped, unknown, unconfirmed, parts, cost, refunded)
  select $1, * from unnest($2::uuid[], $3::smallint[], $4::uuid[], $5::channel[], $6::int[], $7::int[], $8::int[], $9::int[],
    $10::int[], $11::int[], $12::int[], $13::int[], $14::int[], $15::bigint[], $16::bigint[])`,
}

const columns = [
  'submitted',
  'sent',
  'delivered',
  'read',
  'failed',
  'skipped',
  'unknown',
  'unconfirmed',
  'parts',
  'cost',
  'refunded',
] as const

async function insertDeltas(db: Queryable, organizationId: string, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return
  await run(db, insert, [
    organizationId,
    textArray(rows.map(({ origin }) => (origin.isSingle ? null : origin.campaignId))),
    numberArray(rows.map(({ leg }) => leg)),
    textArray(rows.map(({ origin }) => origin.accountId)),
    textArray(rows.map(({ origin }) => origin.channel)),
    ...columns.map((column) => numberArray(rows.map(({ delta }) => delta[column]))),
  ])
}

const move: Statement = {
  name: 'move-message-money',
  text: `select refund_spent($1, $2::uuid, $3::bigint, 'refund:' || $5, $5), recharge_spent($1, $2::uuid, $4::bigint, 'recharge:' || $5, $5)`,
}

/** Balances in the order of their ids, as everywhere that takes more than one. */
async function moveMoney(db: Queryable, organizationId: string, rows: readonly Row[]): Promise<void> {
  const sums = new Map<string, { back: number; again: number }>()
  for (const { origin, delta } of rows) {
    if (!origin.balance) continue
    const sum = sums.get(origin.balance) ?? { back: 0, again: 0 }
    sum.back += Math.max(0, delta.refunded)
    sum.again += delta.cost + Math.max(0, -delta.refunded)
    sums.set(origin.balance, sum)
  }
  for (const balance of [...sums.keys()].sort()) {
    const { back, again } = sums.get(balance) ?? { back: 0, again: 0 }
    if (back > 0 || again > 0) await run(db, move, [organizationId, balance, back, again, newId()])
  }
}
