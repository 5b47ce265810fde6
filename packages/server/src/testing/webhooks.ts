import type { EndpointName } from '@carillon/contract'
import type { Db } from '../db/pool.ts'
import { newId } from '../lib/ids.ts'
import type { Account } from './builders.ts'
import type { UncheckedOptions } from './server.ts'

type Own = Record<'mark' | 'webhookEndpoint' | 'webhookDelivery' | 'eventListener', string>

/** A webhook endpoint of the account on a host that does not exist, with a delivery that failed; and a listener. */
export async function addWebhooks(db: Db, { id: account_id, organizationId: organization_id }: Account, own: Own) {
  await db
    .insertInto('webhook_endpoints')
    .values({
      organization_id,
      id: own.webhookEndpoint,
      account_id,
      url: `https://${own.mark.toLowerCase()}.invalid/hook`,
      description: `Orders of ${own.mark}`,
      types: ['balance.low'],
      signature: 'v1',
      secrets: Buffer.from('sealed with another key'),
    })
    .execute()
  await db
    .insertInto('webhook_endpoints')
    .values({
      organization_id,
      id: own.eventListener,
      account_id,
      types: ['balance.low'],
      signature: 'v1',
      secrets: Buffer.from('sealed with another key'),
      expires_at: new Date(Date.now() + 3_600_000),
    })
    .execute()
  await db.insertInto('webhook_lanes').values({ organization_id, endpoint_id: own.webhookEndpoint }).execute()
  await db
    .insertInto('webhook_deliveries')
    .values({
      organization_id,
      endpoint_id: own.webhookEndpoint,
      id: own.webhookDelivery,
      type: 'balance.low',
      at: new Date(),
      body: JSON.stringify({ type: 'balance.low', data: { note: own.mark } }),
      attempts: JSON.stringify([{ at: new Date().toISOString(), durationMs: 5, status: 500, response: own.mark }]),
      status: 'dead',
      ended_at: new Date(),
    })
    .execute()
}

/** Valid input of the calls for webhooks. No name has to be resolved for the URL. */
export const webhookSamples: Partial<Record<EndpointName, () => UncheckedOptions>> = {
  'webhookEndpoints.create': () => ({ body: { url: 'https://93.184.216.34/hook', types: ['balance.low'] } }),
  'webhookEndpoints.update': () => ({ body: { description: `Orders ${newId()}` } }),
  'webhookEndpoints.rotateSecret': () => ({ body: {} }),
  'webhookEndpoints.test': () => ({ body: {} }),
  'webhookEndpoints.replay': () => ({ body: {} }),
  'webhookEndpoints.replayRange': () => ({ body: { from: '2026-01-01T00:00:00Z', to: '2036-01-01T00:00:00Z' } }),
  'webhookEndpoints.replayMissed': () => ({ body: {} }),
  'events.listen': () => ({ body: {} }),
  'events.trigger': () => ({ body: {} }),
}
