import type { MessageStatus } from '@carillon/contract/campaign-records'
import { newId } from '../../../lib/ids.ts'
import { chargeBalances, passCharges } from '../conversation-charges/charge-conversations.ts'
import { openConversationsFor, type ConversationCharge } from '../conversation-charges/open-conversations.ts'
import { counterColumns } from '../housekeeping/counter-columns.ts'
import { chargeOf } from './evidence.ts'
import type { ChangedMessages } from './moved-by-place.ts'
import { numberArray, run, textArray, type Queryable, type Statement } from '../statements.ts'
import { countFailovers } from './count-failovers.ts'

const countedStatuses = ['sent', 'delivered', 'read', 'failed', 'skipped', 'unknown', 'unconfirmed'] as const
type CountedStatus = (typeof countedStatuses)[number]
type Delta = Record<Exclude<(typeof counterColumns)[number], 'replied'>, number>

/** Refunds for messages that are retried later: the amount stays held for the retry. */
type SetAside = { campaignId: string; leg: number; holdId: string; units: number }

type Origins = ReadonlyMap<string, Origin>

/** Changed messages of a leg that were sent on the same day. */
type Row = { campaignId: string; leg: number; leftOn: string | null; delta: Delta }

/** The balance that paid for the messages of a campaign, or for a single send. */
type Origin = {
  campaignId: string
  isSingle: boolean
  balance: string | null
  holdId: string | null
  lastLeg: number
  /** Organisations above are charged as well. */
  hasShares: boolean
  /** Replies to its senders to which nothing was delivered yet. */
  hasWaitingReplies: boolean
  /** Something subscribes to statuses of messages. */
  hasSubscribers: boolean
}

/**
 * Applies the consequences of changed messages in the same transaction: counts, one row per leg and day; recipients that enter
 * another leg; and money, one entry per balance, campaign and direction. Returns the campaigns whose counts changed.
 */
export async function settleChanges(
  db: Queryable,
  organizationId: string,
  changes: readonly ChangedMessages[],
): Promise<string[]> {
  const moved = changes.filter(({ previous, status }) => previous !== status)
  if (moved.length === 0) return []
  const deltas = new Map<string, Row>()
  for (const change of moved) {
    const { campaignId, leg, leftOn } = change
    const key = `${campaignId}.${leg}.${leftOn}`
    const entry = deltas.get(key) ?? { campaignId, leg, leftOn, delta: noDelta() }
    addChange(entry.delta, change)
    deltas.set(key, entry)
  }
  const rows = [...deltas.values()]
  const origins = await insertDeltas(db, organizationId, rows)
  await countFailovers(db, organizationId, { changes: moved, origins })
  await publishStatuses(db, organizationId, { changes: moved, origins })
  const setAside = await advance(db, organizationId, { changes: moved, origins })
  const conversations = await openConversations(db, organizationId, { changes: moved, origins })
  await moveMoney(db, organizationId, { rows, origins, setAside, conversations })
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

function addChange(delta: Delta, { previous, status, parts, price, billableOn, count, wasRefused }: ChangedMessages) {
  if (isCounted(previous)) delta[previous] -= count
  if (isCounted(status)) delta[status] += count
  if ((wasRefused === true || notSubmitted.includes(previous)) && !notSubmitted.includes(status)) {
    delta.submitted += count
    delta.parts += count * parts
  }
  const difference = count * (chargeOf(status, price, billableOn) - chargeOf(previous, price, billableOn))
  // A delivery after a failure reverses the refund, so that cost and refunds are consistent in any order of reports.
  if (difference < 0 || previous === 'failed') delta.refunded -= difference
  else delta.cost += difference
}

function isCounted(status: MessageStatus): status is CountedStatus {
  // The list of some statuses is typed more narrowly than the status that is looked up.
  return (countedStatuses as readonly MessageStatus[]).includes(status)
}

/** Replies are counted when they arrive. */
const columns = counterColumns.filter((name) => name !== 'replied')

const insert: Statement = {
  name: 'insert-counter-deltas',
  text: `
  with origin as materialized (
    select campaign.id, false as single, campaign.created_by as account_id, campaign.channel, null::uuid as sender_id, hold.ledger_account as balance, hold.id as hold_id,
      null::date as created_on, null as kind, null as category, null as country,
      (select max(leg) from campaign_legs where organization_id = $1 and campaign_id = campaign.id) as last_leg
    from campaigns campaign
    left join holds hold on hold.organization_id = campaign.organization_id and hold.id = campaign.hold_id
    where campaign.organization_id = $1 and campaign.id = any($2::uuid[])
    union all
    select single.id, true, hold.account_id, sender.channel, sender.id, hold.ledger_account, hold.id,
      coalesce(hold.created_on, hold.created_at::date), coalesce(hold.kind, ''), coalesce(hold.category, ''), coalesce(hold.country, ''), 0
    from (select distinct id from unnest($2::uuid[]) as id) single
    join holds hold on hold.organization_id = $1 and hold.op_key = 'single:' || single.id
    join senders sender on sender.organization_id = $1 and sender.id = hold.sender_id
  ), inserted as (
    insert into counter_deltas (organization_id, campaign_id, leg, account_id, channel, sender_id, left_on, created_on, kind, category, country,
      ${columns.join(', ')})
    select $1, case when not origin.single then origin.id end, delta.leg, origin.account_id, coalesce(own.channel, origin.channel),
      coalesce(own.sender_id, origin.sender_id), delta.left_on, origin.created_on, origin.kind, origin.category, origin.country,
      ${columns.map((column) => `delta.${column}`).join(', ')}
    from unnest($2::uuid[], $3::smallint[], $4::int[], $5::int[], $6::int[], $7::int[], $8::int[], $9::int[], $10::int[], $11::int[],
      $12::int[], $13::bigint[], $14::bigint[], $15::date[]) as delta (campaign_id, leg, ${columns.join(', ')}, left_on)
    join origin on origin.id = delta.campaign_id
    left join campaign_legs own on own.organization_id = $1 and own.campaign_id = delta.campaign_id and own.leg = delta.leg
  )
  select id as "campaignId", single as "isSingle", balance, hold_id as "holdId", last_leg as "lastLeg",
    exists (select from campaign_leg_shares where organization_id = $1 and campaign_id = origin.id) as "hasShares",
    exists (
      select from (select origin.sender_id union all select sender_id from campaign_legs where organization_id = $1 and campaign_id = origin.id) own
      cross join lateral (select from waiting_replies where organization_id = $1 and sender_id = own.sender_id limit 1) reply
    ) as "hasWaitingReplies",
    has_subscribers($1, 'message.status') as "hasSubscribers"
  from origin`,
}

/** Returns the accounts of the messages. A single send counts for its account only. */
async function insertDeltas(db: Queryable, organizationId: string, rows: readonly Row[]): Promise<Origins> {
  const origins = await run<Origin>(db, insert, [
    organizationId,
    textArray(rows.map(({ campaignId }) => campaignId)),
    numberArray(rows.map(({ leg }) => leg)),
    ...columns.map((column) => numberArray(rows.map(({ delta }) => delta[column]))),
    textArray(rows.map(({ leftOn }) => leftOn)),
  ])
  return new Map(origins.map((origin) => [origin.campaignId, origin]))
}

const publish: Statement = {
  name: 'publish-statuses',
  text: `
  select publish_statuses($1, campaign_id, leg, status, seqs)
  from jsonb_to_recordset($2::jsonb) as change (campaign_id uuid, leg smallint, status message_status, seqs int[])`,
}

async function publishStatuses(
  db: Queryable,
  organizationId: string,
  { changes, origins }: { changes: readonly ChangedMessages[]; origins: Origins },
): Promise<void> {
  const wanted = changes.filter(({ campaignId }) => origins.get(campaignId)?.hasSubscribers)
  if (wanted.length === 0) return
  const rows = wanted.map(({ campaignId: campaign_id, leg, status, seqs }) => ({ campaign_id, leg, status, seqs }))
  await run(db, publish, [organizationId, JSON.stringify(rows)])
}

const enter: Statement = {
  name: 'enter-next-leg',
  text: `select enter_next_leg($1, $2::uuid, $3::smallint, $4::int[], $5::text[],
    array_fill('failed'::message_status, array[cardinality($4::int[])]), array_fill(true, array[cardinality($4::int[])]))`,
}

/** Recipients that just entered a leg which retries later, and whose refund stays held. */
const countTriedAgain: Statement = {
  name: 'count-tried-again',
  text: `
  select count(*)::int as people from leg_entries entry
  join campaign_legs next on next.organization_id = $1 and next.campaign_id = $2 and next.leg = entry.leg
  where entry.organization_id = $1 and entry.campaign_id = $2 and entry.from_leg = $3 and entry.seq = any($4::int[])
    and next.enter_delay_seconds > 0`,
}

/** Fails newly failed recipients over to the next leg, if there is one. Returns the amounts to hold again. */
async function advance(
  db: Queryable,
  organizationId: string,
  { changes, origins }: { changes: readonly ChangedMessages[]; origins: Origins },
): Promise<SetAside[]> {
  const setAside: SetAside[] = []
  for (const change of changes) {
    const { campaignId, leg, ended } = change
    const origin = origins.get(campaignId)
    if (!ended || !origin || leg >= origin.lastLeg) continue
    const key = [organizationId, campaignId, leg, numberArray(ended.seqs)]
    await run(db, enter, [...key, textArray(ended.reasons)])
    const back = refundOf(change)
    if (origin.holdId === null || back === 0) continue
    const [later] = await run<{ people: number }>(db, countTriedAgain, key)
    if (later?.people) setAside.push({ campaignId, leg, holdId: origin.holdId, units: later.people * back })
  }
  return setAside
}

/** A delivered message opens a conversation with a person who wrote within the day. */
async function openConversations(
  db: Queryable,
  organizationId: string,
  { changes, origins }: { changes: readonly ChangedMessages[]; origins: Origins },
): Promise<ConversationCharge[]> {
  const delivered = changes.filter(({ status }) => status === 'delivered' || status === 'read')
  const ids = new Set(delivered.map(({ campaignId }) => campaignId))
  const replied = [...ids].filter((id) => origins.get(id)?.hasWaitingReplies)
  return replied.length > 0 ? openConversationsFor(db, organizationId, replied) : []
}

function refundOf({ previous, status, price, billableOn }: ChangedMessages): number {
  return Math.max(0, chargeOf(previous, price, billableOn) - chargeOf(status, price, billableOn))
}

const move: Statement = {
  name: 'move-message-money',
  text: `
  select refund_spent($1, balance, back, 'refund:' || key, reference), recharge_spent($1, balance, again, 'recharge:' || key, reference)
  from unnest($2::uuid[], $3::text[], $4::text[], $5::bigint[], $6::bigint[]) as moved (balance, key, reference, back, again)`,
}

/** Margins and costs of the organisations above; last, because their balances are shared. */
const pass: Statement = {
  name: 'pass-message-money',
  text: `select pass_back($1, $2::uuid[], $3::smallint[], $4::bigint[], 'back:' || $6), pass_up($1, $2::uuid[], $3::smallint[], $5::bigint[], 'again:' || $6)`,
}

const lockHolds: Statement = {
  name: 'lock-holds',
  text: `select from holds where organization_id = $1 and id = any($2::uuid[]) order by id for update`,
}

/** Where two statements charge balances, in the order in which one would lock them. */
const lockBalances: Statement = {
  name: 'lock-balances',
  text: `select from ledger_accounts where organization_id = $1 and id = any($2::uuid[]) order by id for update`,
}

const holdAgain: Statement = { name: 'hold-again', text: `select hold_again($1, $2::uuid, $3::bigint)` }

const holdSharesAgain: Statement = {
  name: 'hold-shares-again',
  text: `select hold_shares_again($1, $2::uuid, $3::smallint, $4::bigint)`,
}

/**
 * The refund of a balance for messages of one leg of a campaign, what it pays again for those of a campaign, or either for all
 * single sends together.
 */
type Moved = { balance: string; campaignId: string | undefined; leg: number | undefined; back: number; again: number }

function sumByKey(moves: readonly Moved[]): Moved[] {
  const sums = new Map<string, Moved>()
  for (const { balance, campaignId, leg, back, again } of moves) {
    const key = `${balance}.${campaignId}.${leg}`
    const sum = sums.get(key) ?? { balance, campaignId, leg, back: 0, again: 0 }
    sums.set(key, { ...sum, back: sum.back + back, again: sum.again + again })
  }
  return [...sums.values()]
}

/** In the order of the balances' ids, as everywhere that locks several; refunds first, because they may fund payments. */
async function moveBalances(db: Queryable, organizationId: string, moves: readonly Moved[]): Promise<void> {
  const refunds = sumByKey(moves.map((each) => ({ ...each, again: 0 })))
  // A balance pays for all changes of a campaign or for none.
  const charges = sumByKey(moves.map((each) => ({ ...each, leg: undefined, back: 0 })))
  const ordered = [...refunds, ...charges]
    .filter(({ back, again }) => back > 0 || again > 0)
    .sort((one, other) =>
      one.balance === other.balance ? one.again - other.again : one.balance < other.balance ? -1 : 1,
    )
    .map((sum) => ({ ...sum, batch: newId() }))
  await run(db, move, [
    organizationId,
    textArray(ordered.map(({ balance }) => balance)),
    textArray(ordered.map(({ batch, campaignId, leg }) => [batch, campaignId, leg].filter(isKnown).join(':'))),
    textArray(ordered.map(({ batch, campaignId }) => campaignId ?? batch)),
    numberArray(ordered.map(({ back }) => back)),
    numberArray(ordered.map(({ again }) => again)),
  ])
}

function isKnown(part: string | number | undefined): boolean {
  return part !== undefined
}

/** One entry per leg, on whatever days its messages were sent. */
function sumDays(rows: readonly Row[]): { campaignId: string; leg: number; cost: number; refunded: number }[] {
  return [...Map.groupBy(rows, ({ campaignId, leg }) => `${campaignId}.${leg}`).values()].flatMap((days) =>
    days.slice(0, 1).map(({ campaignId, leg }) => ({
      campaignId,
      leg,
      cost: days.reduce((sum, { delta }) => sum + delta.cost, 0),
      refunded: days.reduce((sum, { delta }) => sum + delta.refunded, 0),
    })),
  )
}

type Moving = {
  rows: readonly Row[]
  origins: Origins
  setAside: readonly SetAside[]
  conversations: readonly ConversationCharge[]
}

async function moveMoney(
  db: Queryable,
  organizationId: string,
  { rows, origins, setAside, conversations }: Moving,
): Promise<void> {
  const moves = sumDays(rows).flatMap(({ campaignId, leg, cost, refunded }) => {
    const { balance, isSingle, hasShares } = origins.get(campaignId) ?? {}
    const back = Math.max(0, refunded)
    const again = cost + Math.max(0, -refunded)
    return balance && (back > 0 || again > 0) ? [{ campaignId, isSingle, hasShares, leg, balance, back, again }] : []
  })
  if (moves.length === 0 && conversations.length === 0) return
  if (setAside.length > 0) await run(db, lockHolds, [organizationId, textArray(setAside.map(({ holdId }) => holdId))])
  const paid = moves.map(({ isSingle, ...each }) =>
    isSingle ? { ...each, campaignId: undefined, leg: undefined } : each,
  )
  if (conversations.length > 0) {
    const balances = [...moves, ...conversations].map(({ balance }) => balance)
    await run(db, lockBalances, [organizationId, textArray(balances)])
  }
  await moveBalances(db, organizationId, paid)
  await chargeBalances(db, organizationId, conversations)
  for (const { holdId, units } of setAside) await run(db, holdAgain, [organizationId, holdId, units])
  const shared = moves.filter(({ hasShares }) => hasShares)
  if (shared.length > 0) {
    await run(db, pass, [
      organizationId,
      textArray(shared.map(({ campaignId }) => campaignId)),
      numberArray(shared.map(({ leg }) => leg)),
      numberArray(shared.map(({ back }) => back)),
      numberArray(shared.map(({ again }) => again)),
      newId(),
    ])
  }
  await passCharges(db, organizationId, conversations)
  for (const { campaignId, leg, units } of setAside)
    await run(db, holdSharesAgain, [organizationId, campaignId, leg, units])
}
