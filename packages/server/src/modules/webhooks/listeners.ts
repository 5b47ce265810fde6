import type { ApiEnvironment } from '@carillon/contract/api-key-records'
import type { Answer, Input } from '@carillon/contract/endpoint'
import { listenerMinutes, maximumListeners, type eventEndpoints } from '@carillon/contract/events'
import { DeliveredType, WebhookEventType } from '@carillon/contract/webhook-records'
import { sql } from 'kysely'
import type { UserActor } from '../../actor.ts'
import { asSystem, type Database, type Db } from '../../db/pool.ts'
import { subscribe } from '../../events/event-queue.ts'
import { addJob } from '../../jobs/jobs.ts'
import { newId } from '../../lib/ids.ts'
import { conflict, notFound } from '../../lib/problem.ts'
import type { SecretBox } from '../../lib/secrets.ts'
import { createSigner, signedHeaders } from './delivery/sign.ts'
import { forgetDeliveries } from './forget-deliveries.ts'
import { publishedTypesOf } from './published-types.ts'
import { newSecret, openSecrets, sealSecrets } from './secrets.ts'
import { sendTestEvent } from './send-test-event.ts'

type Calls = typeof eventEndpoints
type Listener = Answer<Calls['events.listen']>
type Wanted = Input<Calls['events.listen']>['body']
type Fetched = Answer<Calls['events.list']>

const lifetime = sql.lit(listenerMinutes * 60)

export async function startListening(
  db: Db,
  { actor, wanted, secretBox }: { actor: UserActor; wanted: Wanted; secretBox: SecretBox },
): Promise<Listener> {
  const { organizationId, accountId, apiKey } = actor
  const environment: ApiEnvironment = apiKey?.environment ?? wanted.environment ?? 'live'
  const types = [...new Set(wanted.eventTypes ?? WebhookEventType.options)]
  await assertRoom(db, actor)
  const id = newId()
  const { secret } = newSecret('v1')
  const { rows } = await sql<{ expires_at: Date }>`
    insert into webhook_endpoints (organization_id, id, account_id, environment, types, signature, secrets, expires_at)
    values (${organizationId}, ${id}, ${accountId}, ${environment}, ${types}, 'v1',
      ${sealSecrets(secretBox, { organizationId, id }, { current: secret })}, now() + ${lifetime} * interval '1 second')
    returning expires_at`.execute(db)
  await subscribe(db, { organizationId, subscriber: 'webhooks', target: id, types: publishedTypesOf(types) })
  return { id, secret, environment, eventTypes: types, expiresAt: rows[0]?.expires_at.toISOString() ?? '' }
}

/** Serialises creations, so that the number can be checked. */
async function assertRoom(db: Db, { organizationId, accountId }: UserActor): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`event listeners ${accountId}`}, 0))`.execute(db)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from webhook_endpoints
    where organization_id = ${organizationId} and account_id = ${accountId} and expires_at > now()`.execute(db)
  if ((rows[0]?.count ?? 0) >= maximumListeners)
    throw conflict(`An account has at most ${maximumListeners} listeners. Stop one you no longer need`)
}

type Row = { organization_id: string; id: string; secrets: Buffer }

/** A listener of the caller, of its key's environment. It lives on. */
async function keepListening(db: Db, { accountId, apiKey, organizationId }: UserActor, id: string): Promise<Row> {
  const { rows } = await sql<Row>`
    update webhook_endpoints set expires_at = now() + ${lifetime} * interval '1 second'
    where organization_id = ${organizationId} and id = ${id}::uuid and account_id = ${accountId} and expires_at > now()
      and environment = coalesce(${apiKey?.environment ?? null}, environment)
    returning organization_id, id, secrets`.execute(db)
  const [row] = rows
  if (!row) throw notFound('Event listener')
  return row
}

type Fetch = { actor: UserActor; query: Input<Calls['events.list']>['query']; secretBox: SecretBox; now: Date }

type Queued = { id: string; type: string; at: Date; body: string }

/**
 * Deletes the events of the answer that `after` names, and answers the oldest of the others. An event that is answered and not confirmed
 * comes again, so none is lost with a response.
 */
export async function fetchEvents(db: Db, { actor, query, secretBox, now }: Fetch): Promise<Fetched> {
  const listener = await keepListening(db, actor, query.listenerId)
  const own = sql`organization_id = ${listener.organization_id} and endpoint_id = ${listener.id}`
  if (query.after !== undefined)
    await sql`delete from webhook_queue where ${own} and batch = ${query.after}::uuid`.execute(db)
  const batch = newId()
  const { rows } = await sql<Queued>`
    with next as (
      select id from webhook_queue where ${own} and due_at <= ${now} order by due_at, id limit ${query.limit}
    )
    update webhook_queue queued set batch = ${batch}, tries = least(tries + 1, 1000)
    from next where queued.organization_id = ${listener.organization_id} and queued.endpoint_id = ${listener.id} and queued.id = next.id
    returning queued.id, queued.type, queued.at, queued.body`.execute(db)
  if (rows.length === 0) return { events: [], nextCursor: null }
  const place = { organizationId: listener.organization_id, id: listener.id }
  const sign = createSigner(openSecrets(secretBox, place, listener.secrets))
  const events = rows
    .toSorted((one, other) => one.at.getTime() - other.at.getTime() || (one.id < other.id ? -1 : 1))
    .map(({ id, type, at, body }) => ({
      id,
      type: DeliveredType.parse(type),
      timestamp: at.toISOString(),
      headers: headersOf(signedHeaders(sign, { deliveryId: id, at: now, body })),
      body,
    }))
  return { events, nextCursor: batch }
}

function headersOf(headers: Record<string, string>): Fetched['events'][number]['headers'] {
  const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = '', 'webhook-signature': signature = '' } = headers
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
}

export async function triggerEvent(
  db: Db,
  { actor, id, now }: { actor: UserActor; id: string; now: Date },
): Promise<string> {
  return sendTestEvent(db, await keepListening(db, actor, id), now)
}

export async function stopListening(db: Db, { actor, id }: { actor: UserActor; id: string }): Promise<void> {
  const { organization_id: organizationId } = await keepListening(db, actor, id)
  await deleteListener(db, { organizationId, id })
}

async function deleteListener(db: Db, { organizationId, id }: { organizationId: string; id: string }): Promise<void> {
  await subscribe(db, { organizationId, subscriber: 'webhooks', target: id, types: [] })
  await sql`delete from webhook_endpoints where organization_id = ${organizationId} and id = ${id}::uuid`.execute(db)
  await addJob(db, forgetDeliveries, { payload: { organizationId, endpointId: id } })
}

export async function deleteExpiredListeners(database: Database): Promise<void> {
  await asSystem(database, async (db) => {
    const { rows } = await sql<{ organizationId: string; id: string }>`
      select organization_id as "organizationId", id from webhook_endpoints where expires_at < now()
      order by organization_id, id limit 1000 for update skip locked`.execute(db)
    for (const row of rows) await deleteListener(db, row)
  })
}
