import { sql } from 'kysely'
import { z } from 'zod'
import { asSystem, type Database } from '../../db/pool.ts'
import { defineJob } from '../../jobs/jobs.ts'

export const EndpointKey = z.object({ organizationId: z.string(), endpointId: z.string() })

/** Deletes the deliveries of a deleted endpoint. */
export const forgetDeliveries = defineJob('webhooks.forget', EndpointKey)

const atOnce = 5000

export async function deleteDeliveries(database: Database, key: z.infer<typeof EndpointKey>): Promise<void> {
  for (const table of ['webhook_queue', 'webhook_deliveries'] as const) {
    const ids = sql`select id from ${sql.table(table)}
      where organization_id = ${key.organizationId}::uuid and endpoint_id = ${key.endpointId}::uuid limit ${sql.lit(atOnce)}`
    for (;;) {
      const { numAffectedRows } = await asSystem(database, (db) =>
        sql`delete from ${sql.table(table)}
          where organization_id = ${key.organizationId}::uuid and endpoint_id = ${key.endpointId}::uuid and id = any(array(${ids}))`.execute(
          db,
        ),
      )
      if ((numAffectedRows ?? 0n) < BigInt(atOnce)) break
    }
  }
}

/** Deliveries that were queued while their endpoint was being deleted. */
export async function deleteOrphans(database: Database): Promise<void> {
  await asSystem(database, (db) =>
    sql`delete from webhook_queue delivery where not exists (
      select from webhook_endpoints endpoint where endpoint.organization_id = delivery.organization_id and endpoint.id = delivery.endpoint_id)`.execute(
      db,
    ),
  )
}
