import type { DeliveredType, WebhookData } from '@carillon/contract/webhook-records'
import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { newId } from '../../lib/ids.ts'
import { composeBody } from './body.ts'
import { enqueueDeliveries, type NewDelivery } from './enqueue.ts'
import { findTestReceivers, isWithin } from './receivers.ts'

/** An event of a test key, which may lie in the future. */
export type TestEvent = {
  [Type in DeliveredType]: { type: Type; data: WebhookData<Type>; at: Date; orderKey: string }
}[DeliveredType]

/** What occurs in the sandbox to an object of an account with this path. */
export type TestEvents = { path: string; events: readonly TestEvent[] }

type Enqueue = { organizationId: string; objects: readonly TestEvents[]; now: Date }

/** Queues events for the endpoints of the environment test, each for its time. Returns the ids of the deliveries of each object. */
export async function enqueueTestEvents(db: Db, { organizationId, objects, now }: Enqueue): Promise<string[][]> {
  const receivers = await findTestReceivers(db, organizationId)
  const queued: NewDelivery[] = []
  const retained: NewDelivery[] = []
  const idsOf = objects.map(({ path, events }) => {
    const ids: string[] = []
    for (const { type, at, data, orderKey } of receivers.length > 0 ? events : []) {
      let body: string | undefined
      for (const { types, isOrdered, isOpen, endpointId, path: above } of receivers) {
        if (!types.has(type) || !isWithin(path, above)) continue
        body ??= composeBody(type, at, data)
        const id = newId()
        ids.push(id)
        const delivery = { organizationId, endpointId, id, type, at, dueAt: at, body }
        ;(isOpen ? queued : retained).push({ ...delivery, orderKey: isOrdered ? orderKey : null })
      }
    }
    return ids
  })
  await enqueueDeliveries(db, { deliveries: queued, isRetained: false, now })
  await enqueueDeliveries(db, { deliveries: retained, isRetained: true, now })
  return idsOf
}

/** Removes deliveries that were not tried yet. */
export async function withdrawDeliveries(
  db: Db,
  { organizationId, ids }: { organizationId: string; ids: readonly string[] },
): Promise<void> {
  for (const table of ['webhook_queue', 'webhook_deliveries'] as const)
    await sql`delete from ${sql.table(table)} delivery using webhook_endpoints endpoint
      where endpoint.organization_id = ${organizationId}::uuid and endpoint.environment = 'test'
        and delivery.organization_id = endpoint.organization_id and delivery.endpoint_id = endpoint.id
        and delivery.id = any(${ids}::uuid[]) and delivery.attempts = '[]'`.execute(db)
}
