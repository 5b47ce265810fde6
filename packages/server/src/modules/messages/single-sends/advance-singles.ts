import type { MessageStatus } from '@carillon/contract/campaign-records'
import { sql } from 'kysely'
import { againOnCollision } from '../../../db/collisions.ts'
import { asSystem, type Database, type Db } from '../../../db/pool.ts'
import type { Logger } from '../../../lib/logger.ts'
import { storableJson } from '../../../lib/storable.ts'
import { acceptSingles } from './accept-singles.ts'
import { decideLeg, expiryBefore, tooLate, type LegDecision } from './decide-leg.ts'
import type { StoredLeg } from './legs-of-singles.ts'
import type { SingleAnswer, SingleSend } from './single-send.ts'

const organizationsAtOnce = 50
const singlesAtOnce = 500

/** Sends the next message of single sends whose last one did not arrive. Any number of processes may run it. */
export async function advanceSingles(database: Database, logger: Pick<Logger, 'error'>): Promise<void> {
  const { rows } = await database.systemPool.query<{ id: string }>(
    `select organization_id as id from single_failovers where check_at <= now() group by 1 order by min(check_at) limit ${organizationsAtOnce}`,
  )
  for (const { id } of rows) {
    try {
      while ((await againOnCollision(() => asSystem(database, (db) => advanceSome(db, id)))) === singlesAtOnce);
    } catch (error) {
      // The messages of other organisations do not wait for these.
      logger.error({ err: error, organizationId: id }, 'further messages of single sends could not be sent')
      await database.systemPool.query(
        `update single_failovers set check_at = now() + interval '30 seconds' where organization_id = $1 and check_at <= now()`,
        [id],
      )
    }
  }
}

type Row = {
  messageId: string
  accountId: string
  currentId: string
  currentOn: string
  enteredAt: Date
  legs: StoredLeg[]
  endsAt: Date
}

type Outcome = { status: MessageStatus; reason: string | null; sentAt: Date | null }

async function advanceSome(db: Db, organizationId: string): Promise<number> {
  const { rows } = await sql<Row>`
    select message_id as "messageId", account_id as "accountId", current_id as "currentId", current_on as "currentOn", entered_at as "enteredAt",
      legs, ends_at as "endsAt"
    from single_failovers where organization_id = ${organizationId}::uuid and check_at <= now()
    order by check_at limit ${sql.lit(singlesAtOnce)} for update skip locked`.execute(db)
  const now = new Date()
  const outcomes = await findOutcomes(db, organizationId, rows)
  const decided = rows.map((row) => {
    const entrances = row.legs.map(({ entrance }) => entrance)
    return { row, decision: decideLeg({ ...row, entrances, message: outcomes.get(row.currentId) }, now) }
  })
  const entering = decided.flatMap(({ row, decision }) => (decision.kind === 'enter' ? [{ row, decision }] : []))
  const waiting = decided.flatMap(({ row, decision }) =>
    decision.kind === 'wait' ? [{ id: row.messageId, ms: Math.ceil(decision.ms) }] : [],
  )
  const free = await takeFromQueue(db, organizationId, entering)
  waiting.push(...entering.filter((each) => !free.has(each)).map(({ row }) => ({ id: row.messageId, ms: 1000 })))
  const goesOn = await enter(db, organizationId, { entering: entering.filter((each) => free.has(each)), now })
  const kept = new Set([...goesOn, ...waiting.map(({ id }) => id)])
  await remove(
    db,
    organizationId,
    rows.flatMap(({ messageId }) => (kept.has(messageId) ? [] : [messageId])),
  )
  await wait(db, organizationId, waiting)
  return rows.length
}

async function findOutcomes(
  db: Db,
  organizationId: string,
  rows: readonly Row[],
): Promise<ReadonlyMap<string, Outcome>> {
  const days = [...new Set(rows.map(({ currentOn }) => currentOn))]
  const found = await sql<Outcome & { id: string }>`
    select asked.id, message.status, message.reason, coalesce(message.sent_at, message.unknown_at) as "sentAt"
    from unnest(${rows.map(({ currentId }) => currentId)}::uuid[], ${rows.map(({ currentOn }) => currentOn)}::date[]) as asked (id, created_on)
    join messages message on message.organization_id = ${organizationId}::uuid and message.created_on = asked.created_on
      and message.campaign_id = asked.id and message.seq = 0 and message.leg = 0
    where message.created_on = any(${days}::date[])`.execute(db)
  return new Map(found.rows.map(({ id, ...outcome }) => [id, outcome]))
}

type Entering = { row: Row; decision: Extract<LegDecision, { kind: 'enter' }> }

/**
 * Messages that waited too long in the queue are withdrawn from it. Those that are being handed over are not replaced before their
 * result is known.
 */
async function takeFromQueue(
  db: Db,
  organizationId: string,
  entering: readonly Entering[],
): Promise<ReadonlySet<Entering>> {
  const late = entering.filter(({ decision }) => decision.reason === tooLate)
  if (late.length === 0) return new Set(entering)
  const ids = late.map(({ row }) => row.currentId)
  const { rows } = await sql<{ id: string; isClaimed: boolean }>`
    with locked as (
      select id, submitting_epoch is not null as is_claimed from priority_messages
      where organization_id = ${organizationId}::uuid and id = any(${ids}::uuid[]) order by id for update
    ), withdrawn as (
      update priority_messages queued set expires_at = now(), due_at = least(due_at, now()) from locked
      where queued.organization_id = ${organizationId}::uuid and queued.id = locked.id and not is_claimed
    )
    select id, is_claimed as "isClaimed" from locked`.execute(db)
  const claimed = new Set(rows.flatMap(({ id, isClaimed }) => (isClaimed ? [id] : [])))
  return new Set(entering.filter(({ row }) => !claimed.has(row.currentId)))
}

/** Returns those that have further messages left. */
async function enter(
  db: Db,
  organizationId: string,
  { entering, now }: { entering: readonly Entering[]; now: Date },
): Promise<string[]> {
  if (entering.length === 0) return []
  const paths = await findPaths(
    db,
    organizationId,
    entering.map(({ row }) => row.accountId),
  )
  const sends = entering.map((each) => toSend(each, { path: paths.get(each.row.accountId) ?? '', now }))
  const answers = await acceptSingles(db, sends)
  await record(db, organizationId, { entering, sends, answers })
  const next = entering.flatMap(({ row, decision }, index) => {
    const answer = answers[index]
    const legs = row.legs.slice(decision.leg + 1)
    return answer && 'accepted' in answer && legs.length > 0
      ? [{ message_id: row.messageId, current_id: answer.accepted.messageId, legs }]
      : []
  })
  await sql`
    update single_failovers failover set current_id = next.current_id, current_on = current_date, legs = next.legs, entered_at = ${now},
      check_at = ${now}::timestamptz + interval '1 second'
    from jsonb_to_recordset(${JSON.stringify(next)}::jsonb) as next (message_id uuid, current_id uuid, legs jsonb)
    where failover.organization_id = ${organizationId}::uuid and failover.message_id = next.message_id`.execute(db)
  return next.map((each) => each.message_id)
}

/** Accounts may have been moved since the message was accepted. */
async function findPaths(db: Db, organizationId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; path: string }>`
    select id, path::text from accounts where organization_id = ${organizationId}::uuid and id = any(${[...new Set(ids)]}::uuid[])`.execute(
    db,
  )
  return new Map(rows.map(({ id, path }) => [id, path]))
}

function toSend({ row, decision }: Entering, { path, now }: { path: string; now: Date }): SingleSend {
  const leg = row.legs[decision.leg]
  if (!leg) throw new RangeError(`A single send has no leg ${decision.leg}`)
  const later = row.legs.slice(decision.leg + 1).map(({ entrance }) => entrance)
  return { ...leg.send, path, expiresAt: expiryBefore(later, { begin: now, endsAt: row.endsAt }) }
}

type Entered = { entering: readonly Entering[]; sends: readonly SingleSend[]; answers: readonly SingleAnswer[] }

async function record(db: Db, organizationId: string, { entering, sends, answers }: Entered): Promise<void> {
  const rows = entering.map(({ row, decision }, index) => {
    const answer = answers[index]
    const refused = answer && 'refused' in answer ? answer.refused : undefined
    return {
      message_id: row.messageId,
      channel: sends[index]?.channel,
      reason: decision.reason,
      sent_as: answer && 'accepted' in answer ? answer.accepted.messageId : null,
      refusal: refused && { code: refused.code, message: refused.message },
    }
  })
  await sql`
    insert into single_legs (organization_id, message_id, leg, channel, reason, sent_as, refusal)
    select ${organizationId}::uuid, message_id, (select coalesce(max(leg), 0) + 1 from single_legs earlier
      where earlier.organization_id = ${organizationId}::uuid and earlier.message_id = row.message_id), channel, reason, sent_as, refusal
    from jsonb_to_recordset(${JSON.stringify(storableJson(rows))}::jsonb)
      as row (message_id uuid, channel text, reason text, sent_as uuid, refusal jsonb)`.execute(db)
}

async function remove(db: Db, organizationId: string, ids: readonly string[]): Promise<void> {
  await sql`delete from single_failovers where organization_id = ${organizationId}::uuid and message_id = any(${[...ids]}::uuid[])`.execute(
    db,
  )
}

async function wait(db: Db, organizationId: string, waiting: readonly { id: string; ms: number }[]): Promise<void> {
  await sql`
    update single_failovers set check_at = now() + make_interval(secs => later.ms / 1000.0)
    from unnest(${waiting.map(({ id }) => id)}::uuid[], ${waiting.map(({ ms }) => ms)}::int[]) as later (id, ms)
    where organization_id = ${organizationId}::uuid and message_id = later.id`.execute(db)
}
