import type { webhookEndpoints } from '@carillon/contract/webhooks'
import type { Db } from '../../db/pool.ts'
import type { Egress } from '../../egress/egress.ts'
import type { Handlers } from '../../http/handlers.ts'
import type { UserActor } from '../../actor.ts'
import type { Clock } from '../../lib/clock.ts'
import type { SecretBox } from '../../lib/secrets.ts'
import { getDelivery, listDeliveries } from './find-deliveries.ts'
import { findEndpointKey, getEndpoint, listEndpoints, lockOwnEndpoint, type EndpointKey } from './find-endpoints.ts'
import { assertEnabled, replayMissed, replayOne, replayRange } from './replay.ts'
import { sendTestEvent } from './send-test-event.ts'
import { assertUsableUrl, createEndpoint, deleteEndpoint, rotateSecret, updateEndpoint } from './write-endpoint.ts'

export type WebhookDeps = { clock: Clock; egress: Egress; secretBox: SecretBox }

type Calls = Handlers<typeof webhookEndpoints>
type EndpointCalls = `webhookEndpoints.${'list' | 'create' | 'get' | 'update' | 'delete' | 'rotateSecret'}`

export function webhookHandlers(deps: WebhookDeps): Calls {
  return { ...endpointHandlers(deps), ...deliveryHandlers(deps) }
}

function endpointHandlers({ clock, egress, secretBox }: WebhookDeps): Pick<Calls, EndpointCalls> {
  return {
    'webhookEndpoints.list': async ({ db, actor, input }) => {
      const { environment } = input.query
      return { endpoints: await listEndpoints(db, { actor, environment, now: clock.now() }) }
    },
    'webhookEndpoints.create': {
      async withoutTransaction({ actor, input, scoped }) {
        await assertUsableUrl(egress, input.body.url)
        return scoped(async (db) => {
          const { id, secret } = await createEndpoint(db, { actor, wanted: input.body, secretBox })
          return { ...(await getEndpoint(db, { actor, id, now: clock.now() })), secret }
        })
      },
    },
    'webhookEndpoints.get': ({ db, actor, input }) => getEndpoint(db, { actor, id: input.path.id, now: clock.now() }),
    'webhookEndpoints.update': {
      async withoutTransaction({ actor, input, scoped }) {
        const { url } = input.body
        const { id } = input.path
        // Foreign and absent endpoints answer the same, whatever the URL.
        await scoped((db) => lockOwnEndpoint(db, { actor, id }))
        if (url !== undefined) await assertUsableUrl(egress, url)
        return scoped(async (db) => {
          await updateEndpoint(db, { actor, id, change: input.body, now: clock.now() })
          return getEndpoint(db, { actor, id, now: clock.now() })
        })
      },
    },
    'webhookEndpoints.delete': async ({ db, actor, input }) => {
      await deleteEndpoint(db, { actor, id: input.path.id })
      return { id: input.path.id }
    },
    'webhookEndpoints.rotateSecret': async ({ db, actor, input }) => {
      const now = clock.now()
      const { id } = input.path
      const { secret } = await rotateSecret(db, { actor, id, rotation: input.body, secretBox, now })
      return { ...(await getEndpoint(db, { actor, id, now })), secret }
    },
  }
}

function deliveryHandlers({ clock }: WebhookDeps): Omit<Calls, EndpointCalls> {
  return {
    'webhookEndpoints.test': async ({ db, actor, input }) => {
      const endpoint = await lockOwnEndpoint(db, { actor, id: input.path.id })
      assertEnabled(endpoint)
      const id = await sendTestEvent(db, endpoint, clock.now())
      return getDelivery(db, { organizationId: endpoint.organization_id, endpointId: endpoint.id }, id)
    },
    'webhookEndpoints.deliveries': async ({ db, actor, input }) =>
      listDeliveries(db, await findEndpointKey(db, actor, input.path.id), input.query),
    'webhookEndpoints.delivery': async ({ db, actor, input }) =>
      getDelivery(db, await findEndpointKey(db, actor, input.path.id), input.path.deliveryId),
    'webhookEndpoints.replay': async ({ db, actor, input }) => {
      const { id, deliveryId } = input.path
      const key = await findReplayable(db, actor, id)
      await replayOne(db, key, { id: deliveryId, now: clock.now() })
      return getDelivery(db, key, deliveryId)
    },
    'webhookEndpoints.replayRange': async ({ db, actor, input }) =>
      replayRange(db, await findReplayable(db, actor, input.path.id), { ...input.body, now: clock.now() }),
    'webhookEndpoints.replayMissed': async ({ db, actor, input }) =>
      replayMissed(db, await findReplayable(db, actor, input.path.id), clock.now()),
  }
}

async function findReplayable(db: Db, actor: UserActor, id: string): Promise<EndpointKey> {
  const endpoint = await lockOwnEndpoint(db, { actor, id })
  assertEnabled(endpoint)
  return { organizationId: endpoint.organization_id, endpointId: id }
}
