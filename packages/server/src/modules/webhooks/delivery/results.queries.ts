import type { DeliveryAttempt } from '@carillon/contract/webhook-records'
import { numberArray, run, textArray, type Statement } from '../../messages/index.ts'
import type { LaneKey, Pool } from './lanes.queries.ts'

/** One attempt and what follows from it. */
export type DeliveryResult = { key: LaneKey; id: string; attempt: DeliveryAttempt; at: Date } & (
  | { status: 'delivered' | 'dead' }
  | { status: 'failed'; dueAt: Date }
)

/**
 * Results of a former owner are ignored: the present one has read their deliveries and sends them again. Without a lock this is not exact,
 * and need not be: a result says what happened, and is applied once, because the delivery leaves the queue.
 */
const record: Statement = {
  name: 'record-webhooks',
  query_timeout: 30_000,
  text: `
  with result as materialized (
    select result.*
    from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::uuid[], $5::text[], $6::jsonb[], $7::timestamptz[])
      as result (organization_id, endpoint_id, epoch, id, status, attempt, at)
    join webhook_lanes lane using (organization_id, endpoint_id, epoch)
  ), ended as (
    delete from webhook_queue delivery using result
    where delivery.organization_id = result.organization_id and delivery.endpoint_id = result.endpoint_id and delivery.id = result.id
      and result.status <> 'failed'
    returning delivery.*, result.status, result.attempt, result.at as ended_at
  ), logged as (
    insert into webhook_deliveries (organization_id, endpoint_id, id, type, at, order_key, body, attempts, status, ended_at)
    select organization_id, endpoint_id, id, type, at, order_key, body, attempts || attempt, status, ended_at from ended
  )
  update webhook_queue delivery set due_at = result.at, tries = tries + 1, attempts = attempts || result.attempt
  from result
  where delivery.organization_id = result.organization_id and delivery.endpoint_id = result.endpoint_id and delivery.id = result.id
    and result.status = 'failed'`,
}

export async function recordResults(pool: Pool, results: readonly DeliveryResult[]): Promise<void> {
  await run(pool, record, [
    textArray(results.map(({ key }) => key.organizationId)),
    textArray(results.map(({ key }) => key.endpointId)),
    numberArray(results.map(({ key }) => key.epoch)),
    textArray(results.map(({ id }) => id)),
    textArray(results.map(({ status }) => status)),
    textArray(results.map(({ attempt }) => JSON.stringify(attempt))),
    textArray(results.map((result) => (result.status === 'failed' ? result.dueAt : result.at).toISOString())),
  ])
}
