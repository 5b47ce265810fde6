import { z } from 'zod'
import { ApiEnvironment } from './api-key-records.ts'
import { Cursor, Id, IdPath, Instant } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { anyRole } from './roles.ts'
import { DeliveredType, WebhookEventType } from './webhook-records.ts'

/** A listener that does not fetch for this long is deleted with its events. */
export const listenerMinutes = 60
/** Of an account. */
export const maximumListeners = 5
/** How long a call may wait for an event. */
export const maximumWaitSeconds = 20

const call = {
  roles: anyRole,
  module: 'api',
  scope: 'events:receive',
  addition: true,
  testKeys: true,
  fallback: 'An unexpected error occurred',
} as const

const EventListener = z.object({
  id: Id,
  environment: ApiEnvironment,
  eventTypes: z.array(WebhookEventType),
  /** Unless it fetches before. */
  expiresAt: Instant,
})

/** The request that an endpoint would get. */
const ListedEvent = z.object({
  id: Id,
  type: DeliveredType,
  timestamp: Instant,
  headers: z.object({
    'webhook-id': z.string(),
    'webhook-timestamp': z.string(),
    'webhook-signature': z.string(),
  }),
  body: z.string(),
})

/** Events without a public URL: a listener fetches what an endpoint would get. For development, and for networks that accept no requests. */
export const eventEndpoints = defineEndpoints({
  'events.listen': {
    ...call,
    route: 'POST /api/public/v1/event-listeners',
    summary: `Collects events for this caller from now on, until it has not fetched for ${listenerMinutes} minutes. The response shows the secret once`,
    body: z.strictObject({
      /** Without, all types. */
      eventTypes: z.array(WebhookEventType).min(1, 'Choose at least one event type').optional(),
      /** Of calls without an API key; keys have an environment. */
      environment: ApiEnvironment.optional(),
    }),
    data: EventListener.extend({ secret: z.string() }),
    answersSecret: true,
  },
  'events.list': {
    ...call,
    route: 'GET /api/public/v1/events',
    summary: 'The oldest events of a listener that are not confirmed. `after` confirms those of an earlier answer',
    query: z.strictObject({
      listenerId: Id,
      /** `nextCursor` of an earlier answer. Without, its events come again. */
      after: Cursor.optional(),
      limit: z.coerce.number().int().min(1).max(100).default(50),
      /** Waits for an event if there is none. */
      waitSeconds: z.coerce.number().int().min(0).max(maximumWaitSeconds).default(0),
    }),
    data: z.object({ events: z.array(ListedEvent), nextCursor: z.string().nullable() }),
  },
  'events.trigger': {
    ...call,
    route: 'POST /api/public/v1/event-listeners/{id}/trigger',
    summary: 'Adds an event of the type endpoint.test to a listener',
    path: IdPath,
    body: z.strictObject({}),
    data: z.object({ id: Id }),
  },
  'events.stop': {
    ...call,
    route: 'DELETE /api/public/v1/event-listeners/{id}',
    summary: 'Deletes a listener and its events',
    path: IdPath,
    data: z.object({ id: Id }),
  },
})
