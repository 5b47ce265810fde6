import type { Database } from '../../db/pool.ts'

export type WebhookMeasure = {
  /** Deliveries to endpoints that are due or wait for another attempt, up to `mostCounted`; what listeners fetch is not counted. */
  queued: number
  /** Age of the oldest due delivery to an endpoint that is not held, in seconds. */
  oldestDueSeconds: number
  disabledEndpoints: number
}

const mostCounted = 100_000

export async function measureWebhooks({ systemPool }: Database): Promise<WebhookMeasure> {
  const { rows } = await systemPool.query<WebhookMeasure>(
    `select (select count(*) from (
        select from webhook_queue queued
        join webhook_endpoints endpoint on endpoint.organization_id = queued.organization_id and endpoint.id = queued.endpoint_id
        where endpoint.url is not null limit $1) counted)::int as queued,
      coalesce((
        select extract(epoch from now() - min(first.due_at)) from webhook_lanes lane
        cross join lateral (
          select due_at from webhook_queue queued
          where queued.organization_id = lane.organization_id and queued.endpoint_id = lane.endpoint_id order by due_at limit 1
        ) first
        where first.due_at <= now() and (lane.held_until is null or lane.held_until <= now())), 0)::float8 as "oldestDueSeconds",
      (select count(*) from webhook_endpoints where disabled_at is not null)::int as "disabledEndpoints"`,
    [mostCounted],
  )
  return rows[0] ?? { queued: 0, oldestDueSeconds: 0, disabledEndpoints: 0 }
}
