import type { DeliveredType } from '@carillon/contract/webhook-records'
import { sql } from 'kysely'
import { notifyAfterCommit, type Db } from '../../db/pool.ts'
import { numberArray, textArray } from '../messages/index.ts'
import { webhookChannel } from './delivery/channel.ts'

export type NewDelivery = {
  organizationId: string
  endpointId: string
  id: string
  type: DeliveredType
  /** When the event occurred. */
  at: Date
  /** The conversation or recipient, if the endpoint is ordered. */
  orderKey: string | null
  body: string
  /** When it is sent first, if not at once. */
  dueAt?: Date
}

/** In one statement. */
const atOnce = 500

/** Queues deliveries; of endpoints that get no events now, they are only kept. */
export async function enqueueDeliveries(
  db: Db,
  { deliveries, isRetained, now }: { deliveries: readonly NewDelivery[]; isRetained: boolean; now: Date },
): Promise<void> {
  for (let next = 0; next < deliveries.length; next += atOnce) {
    const rows = rowsOf(deliveries.slice(next, next + atOnce))
    const columns = sql`organization_id, endpoint_id, id, type, at, order_key, body`
    await (
      isRetained
        ? sql`insert into webhook_deliveries (${columns}, attempts, status, ended_at)
            select ${columns}, '[]', 'retained', coalesce(due_at, ${now}) from ${rows}`
        : sql`insert into webhook_queue (${columns}, due_at) select ${columns}, coalesce(due_at, ${now}) from ${rows}`
    ).execute(db)
  }
  if (deliveries.length > 0 && !isRetained) notifyAfterCommit(db, webhookChannel)
}

/** Several endpoints get the same body, which is passed once. */
function rowsOf(deliveries: readonly NewDelivery[]) {
  const column = (of: (delivery: NewDelivery) => string | null) => textArray(deliveries.map(of))
  const numbers = new Map<string, number>()
  for (const { body } of deliveries) if (!numbers.has(body)) numbers.set(body, numbers.size + 1)
  const bodies = numberArray(deliveries.map(({ body }) => numbers.get(body)))
  return sql`unnest(${column(({ organizationId }) => organizationId)}::uuid[], ${column(({ endpointId }) => endpointId)}::uuid[],
    ${column(({ id }) => id)}::uuid[], ${column(({ type }) => type)}::text[], ${column(({ at }) => at.toISOString())}::timestamptz[],
    ${column(({ orderKey }) => orderKey)}::text[], ${bodies}::int[],
    ${column(({ dueAt }) => dueAt?.toISOString() ?? null)}::timestamptz[])
    as delivery (organization_id, endpoint_id, id, type, at, order_key, number, due_at)
    join unnest(${textArray([...numbers.keys()])}::text[]) with ordinality as content (body, number) using (number)`
}
