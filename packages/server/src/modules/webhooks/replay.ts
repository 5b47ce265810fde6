import type { Answer, Input } from '@carillon/contract/endpoint'
import type { webhookEndpoints } from '@carillon/contract/webhooks'
import { sql, type RawBuilder } from 'kysely'
import { z } from 'zod'
import { asSystem, notifyAfterCommit, type Database, type Db } from '../../db/pool.ts'
import { addJob, defineJob } from '../../jobs/jobs.ts'
import { conflict } from '../../lib/problem.ts'
import { webhookChannel } from './delivery/channel.ts'
import type { EndpointKey, EndpointRow } from './find-endpoints.ts'

type Range = Input<(typeof webhookEndpoints)['webhookEndpoints.replayRange']>['body']
type Replayed = Answer<(typeof webhookEndpoints)['webhookEndpoints.replayMissed']>

/** Ended deliveries: of events in a time, with one status, or all that did not succeed. */
const Selection = z.object({
  organizationId: z.string(),
  endpointId: z.string(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  status: z.enum(['delivered', 'dead', 'retained']).nullable(),
  missed: z.boolean(),
  /** Those up to this id are queued already. They keep their ids, so that none is replayed twice. */
  after: z.string().nullable(),
})
type Selection = z.infer<typeof Selection>

export const continueReplay = defineJob('webhooks.replay', Selection)

/** In one transaction. */
const atOnce = 1000

export function assertEnabled({ disabled_at }: EndpointRow): void {
  if (disabled_at !== null) throw conflict('This webhook endpoint is disabled: enable it first')
}

/** A delivery that waits for another attempt is attempted at once. */
export async function replayOne(db: Db, key: EndpointKey, { id, now }: { id: string; now: Date }): Promise<void> {
  const which = sql<boolean>`delivery.id = ${id}::uuid`
  await requeue(db, { ...key, which, now })
  await hasten(db, { ...key, which, now })
  notifyAfterCommit(db, webhookChannel)
}

export function replayRange(
  db: Db,
  key: EndpointKey,
  { from, to, status, now }: Range & { now: Date },
): Promise<Replayed> {
  return begin(db, { ...key, from, to, status: status ?? null, missed: false, after: null }, now)
}

/** Also those that wait for another attempt. */
export async function replayMissed(db: Db, key: EndpointKey, now: Date): Promise<Replayed> {
  const hastened = await hasten(db, { ...key, which: sql<boolean>`true`, now })
  const selection = { ...key, from: null, to: null, status: null, missed: true, after: null }
  const { replayed, continues } = await begin(db, selection, now)
  return { replayed: replayed + hastened, continues }
}

/** Replays the first ones; jobs replay the rest. */
async function begin(db: Db, selection: Selection, now: Date): Promise<Replayed> {
  const queued = await requeue(db, { ...selection, which: matches(selection), now })
  const continues = queued.length === atOnce
  if (continues) await addJob(db, continueReplay, { payload: { ...selection, after: queued.at(-1) ?? null } })
  notifyAfterCommit(db, webhookChannel)
  return { replayed: queued.length, continues }
}

/** Ends early if the endpoint was disabled. */
export async function replayMore(database: Database, selection: Selection, now: Date): Promise<void> {
  await asSystem(database, async (db) => {
    const endpoint = await db
      .selectFrom('webhook_endpoints')
      .select('disabled_at')
      .where('organization_id', '=', selection.organizationId)
      .where('id', '=', selection.endpointId)
      .executeTakeFirst()
    if (endpoint && endpoint.disabled_at === null) await begin(db, selection, now)
  })
}

function matches({ from, to, status, missed, after }: Selection): RawBuilder<boolean> {
  return sql<boolean>`${idsFrom(from)} and (${after}::uuid is null or delivery.id > ${after}::uuid)
    and (${from}::timestamptz is null or delivery.at >= ${from}::timestamptz) and (${to}::timestamptz is null or delivery.at < ${to}::timestamptz)
    and (${status}::text is null or delivery.status = ${status}) ${missed ? sql`and delivery.status <> 'delivered'` : sql``}`
}

const hourMs = 3_600_000

/** Ids begin with the time of queueing, which is after the event, apart from differences of clocks. */
function idsFrom(from: string | null): RawBuilder<boolean> {
  const hex = Math.max(0, from === null ? 0 : Date.parse(from) - hourMs)
    .toString(16)
    .padStart(12, '0')
  return sql<boolean>`delivery.id >= ${`${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`}::uuid`
}

type Which = EndpointKey & { which: RawBuilder<boolean>; now: Date }

/** Moves ended deliveries back to the queue, the oldest first. They keep their ids and their attempts. Returns their ids in order. */
async function requeue(db: Db, { organizationId, endpointId, which, now }: Which): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with chosen as materialized (
      select logged_on, id from webhook_deliveries delivery
      where organization_id = ${organizationId}::uuid and endpoint_id = ${endpointId}::uuid and ${which}
      order by id limit ${sql.lit(atOnce)} for update skip locked
    ), taken as (
      delete from webhook_deliveries delivery using chosen
      where delivery.organization_id = ${organizationId}::uuid and delivery.endpoint_id = ${endpointId}::uuid
        and delivery.logged_on = chosen.logged_on and delivery.id = chosen.id
      returning delivery.*
    ), queued as (
      insert into webhook_queue (organization_id, endpoint_id, id, type, at, order_key, body, due_at, is_replay, attempts)
      select organization_id, endpoint_id, id, type, at, order_key, body, ${now}, true, attempts from taken
    )
    select id from taken order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Attempts failed deliveries now. */
async function hasten(db: Db, { organizationId, endpointId, which, now }: Which): Promise<number> {
  const { numAffectedRows } = await sql`
    update webhook_queue delivery set due_at = least(due_at, ${now}), is_replay = true, tries = 0
    where organization_id = ${organizationId}::uuid and endpoint_id = ${endpointId}::uuid and tries > 0 and ${which}`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0)
}
