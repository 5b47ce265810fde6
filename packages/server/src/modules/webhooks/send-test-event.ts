import type { Db } from '../../db/pool.ts'
import { newId } from '../../lib/ids.ts'
import { composeBody } from './body.ts'
import { enqueueDeliveries } from './enqueue.ts'
import type { EndpointRow } from './find-endpoints.ts'

/** Queues an event that only this endpoint gets. Returns the id of the delivery. */
export async function sendTestEvent(
  db: Db,
  { organization_id: organizationId, id: endpointId }: Pick<EndpointRow, 'organization_id' | 'id'>,
  now: Date,
): Promise<string> {
  const id = newId()
  const type = 'endpoint.test'
  const body = composeBody(type, now, { endpointId, message: 'This is a test.' })
  const deliveries = [{ organizationId, endpointId, id, type, at: now, orderKey: null, body } as const]
  await enqueueDeliveries(db, { deliveries, isRetained: false, now })
  return id
}
