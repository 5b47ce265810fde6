import type { Answer, Input } from '@carillon/contract/endpoint'
import {
  DeliveredType,
  DeliveryAttempt,
  type DeliveryStatus,
  type WebhookDelivery,
} from '@carillon/contract/webhook-records'
import type { webhookEndpoints } from '@carillon/contract/webhooks'
import { sql, type RawBuilder } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../db/pool.ts'
import { notFound } from '../../lib/problem.ts'
import { webhookIdOf } from './delivery/sign.ts'
import type { EndpointKey } from './find-endpoints.ts'

type Calls = typeof webhookEndpoints
type Query = Input<Calls['webhookEndpoints.deliveries']>['query']
type Page = Answer<Calls['webhookEndpoints.deliveries']>

type Row = {
  id: string
  type: string
  status: DeliveryStatus
  at: Date
  next_attempt_at: Date | null
  ended_at: Date | null
  body: string
  attempts: unknown
}

/** The statuses of deliveries in the queue; the others have ended. */
const queued: readonly DeliveryStatus[] = ['pending', 'failed']

export async function listDeliveries(db: Db, key: EndpointKey, query: Query): Promise<Page> {
  const { status, type, cursor, limit } = query
  const matching = sql<boolean>`(${cursor ?? null}::uuid is null or id < ${cursor ?? null}::uuid)
    and type = coalesce(${type ?? null}, type)`
  const rows = await readDeliveries(db, key, { status, matching, limit: limit + 1 })
  const deliveries = rows.slice(0, limit).map(present)
  return { deliveries, nextCursor: rows.length > limit ? (deliveries.at(-1)?.id.replaceAll('-', '') ?? null) : null }
}

export async function getDelivery(db: Db, key: EndpointKey, id: string): Promise<WebhookDelivery> {
  const [row] = await readDeliveries(db, key, { matching: sql<boolean>`id = ${id}::uuid`, limit: 1 })
  if (!row) throw notFound('Delivery')
  return present(row)
}

type Read = { status?: DeliveryStatus | undefined; matching: RawBuilder<boolean>; limit: number }

/** Newest first. Each part reads at most a page of its index. */
async function readDeliveries(db: Db, key: EndpointKey, { status, matching, limit }: Read): Promise<Row[]> {
  const isQueued = status !== undefined && queued.includes(status)
  const parts = [
    ...(status === undefined || isQueued ? [ofQueue(key, { status, matching, limit })] : []),
    ...(isQueued ? [] : [ofLog(key, { status, matching, limit })]),
  ]
  const { rows } = await sql<Row>`
    select * from (${sql.join(parts, sql` union all `)}) delivery order by id desc limit ${limit}`.execute(db)
  return rows
}

function ofQueue({ organizationId, endpointId }: EndpointKey, { status, matching, limit }: Read): RawBuilder<unknown> {
  const tries = { pending: sql`and tries = 0`, failed: sql`and tries > 0` }
  return sql`(select id, type, case when tries = 0 then 'pending' else 'failed' end as status, at, due_at as next_attempt_at,
      null::timestamptz as ended_at, body, attempts
    from webhook_queue
    where organization_id = ${organizationId}::uuid and endpoint_id = ${endpointId}::uuid and ${matching}
      ${status === 'pending' || status === 'failed' ? tries[status] : sql``}
    order by id desc limit ${limit})`
}

function ofLog({ organizationId, endpointId }: EndpointKey, { status, matching, limit }: Read): RawBuilder<unknown> {
  // Those that did not succeed have an index of their own.
  const missed = sql`and status <> 'delivered' and status = ${status}`
  return sql`(select id, type, status, at, null::timestamptz, ended_at, body, attempts
    from webhook_deliveries
    where organization_id = ${organizationId}::uuid and endpoint_id = ${endpointId}::uuid and ${matching}
      ${status === undefined ? sql`` : status === 'delivered' ? sql`and status = 'delivered'` : missed}
    order by id desc limit ${limit})`
}

const Attempts = z.array(DeliveryAttempt)

function present({ id, type, status, at, next_attempt_at, ended_at, body, attempts }: Row): WebhookDelivery {
  return {
    id,
    webhookId: webhookIdOf(id),
    type: DeliveredType.parse(type),
    status,
    at: at.toISOString(),
    nextAttemptAt: next_attempt_at?.toISOString() ?? null,
    endedAt: ended_at?.toISOString() ?? null,
    body,
    attempts: Attempts.parse(attempts),
  }
}
