import { z } from 'zod'
import { ApiEnvironment } from './api-key-records.ts'
import { Id, IdPath, Instant } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { anyRole } from './roles.ts'
import {
  DeliveredType,
  DeliveryStatus,
  NewWebhookEndpoint,
  rotationHours,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEndpointInput,
  WebhookSignature,
} from './webhook-records.ts'

const base = { roles: anyRole, module: 'api', addition: true, fallback: 'An unexpected error occurred' } as const
const call = { ...base, scope: 'webhooks:write', testKeys: true } as const
/** Neither for impersonating sessions nor for API keys. */
const secret = { ...base, impersonation: false, answersSecret: true } as const
const DeliveryPath = IdPath.extend({ deliveryId: Id })
/** Deliveries that were queued again. If `continues` is true, more follow in the background. */
const Replayed = z.object({ replayed: z.number(), continues: z.boolean() })

/** Endpoints that receive events, by Standard Webhooks 1.0.0. Managers see those of the whole organisation, others their own and those below. */
export const webhookEndpoints = defineEndpoints({
  'webhookEndpoints.list': {
    ...call,
    route: 'GET /api/public/v1/webhook-endpoints',
    summary: 'Webhook endpoints of the caller and of accounts below, newest first',
    query: z.object({ environment: ApiEnvironment.optional() }),
    data: z.object({ endpoints: z.array(WebhookEndpoint) }),
  },
  'webhookEndpoints.create': {
    ...secret,
    route: 'POST /api/public/v1/webhook-endpoints',
    summary: 'Create a webhook endpoint of the caller; the response shows its secret once',
    body: WebhookEndpointInput.extend({
      environment: ApiEnvironment.default('live'),
      description: WebhookEndpointInput.shape.description.default(''),
      ordered: z.boolean().default(false),
      signature: WebhookSignature.default('v1'),
    }),
    data: NewWebhookEndpoint,
    asksProvider: true,
  },
  'webhookEndpoints.get': {
    ...call,
    route: 'GET /api/public/v1/webhook-endpoints/{id}',
    summary: 'One webhook endpoint',
    path: IdPath,
    data: WebhookEndpoint,
  },
  'webhookEndpoints.update': {
    ...call,
    route: 'PUT /api/public/v1/webhook-endpoints/{id}',
    summary: 'Change one’s own webhook endpoint, within 5 seconds. Events of a disabled one are kept',
    path: IdPath,
    body: WebhookEndpointInput.partial().extend({ enabled: z.boolean().optional() }),
    data: WebhookEndpoint,
    asksProvider: true,
  },
  'webhookEndpoints.delete': {
    ...call,
    route: 'DELETE /api/public/v1/webhook-endpoints/{id}',
    summary: 'Delete a webhook endpoint of the caller or of an account below, with its deliveries',
    path: IdPath,
    data: z.object({ id: Id }),
  },
  'webhookEndpoints.rotateSecret': {
    ...secret,
    route: 'POST /api/public/v1/webhook-endpoints/{id}/rotate-secret',
    summary:
      'Give one’s own webhook endpoint a new secret, which the response shows once. The previous one signs as well for some hours',
    path: IdPath,
    body: z.strictObject({
      /** Another scheme than the present one. */
      signature: WebhookSignature.optional(),
      overlapHours: z.number().int().min(0).max(rotationHours).default(rotationHours),
    }),
    data: NewWebhookEndpoint,
  },
  'webhookEndpoints.test': {
    ...call,
    route: 'POST /api/public/v1/webhook-endpoints/{id}/test',
    summary: 'Send an event of the type endpoint.test to one’s own webhook endpoint',
    path: IdPath,
    body: z.strictObject({}),
    data: WebhookDelivery,
  },
  'webhookEndpoints.deliveries': {
    ...call,
    route: 'GET /api/public/v1/webhook-endpoints/{id}/deliveries',
    summary: 'Deliveries of a webhook endpoint with their attempts, newest first',
    path: IdPath,
    query: z.object({
      status: DeliveryStatus.optional(),
      type: DeliveredType.optional(),
      /** `nextCursor` of the page before. */
      cursor: z
        .string()
        .regex(/^[\da-f]{32}$/, 'Use the cursor of a response')
        .optional(),
      limit: z.coerce.number().int().min(1).max(50).default(20),
    }),
    data: z.object({ deliveries: z.array(WebhookDelivery), nextCursor: z.string().nullable() }),
  },
  'webhookEndpoints.delivery': {
    ...call,
    route: 'GET /api/public/v1/webhook-endpoints/{id}/deliveries/{deliveryId}',
    summary: 'One delivery with its attempts',
    path: DeliveryPath,
    data: WebhookDelivery,
  },
  'webhookEndpoints.replay': {
    ...call,
    route: 'POST /api/public/v1/webhook-endpoints/{id}/deliveries/{deliveryId}/replay',
    summary: 'Send a delivery of one’s own webhook endpoint again, with the same webhook-id',
    path: DeliveryPath,
    body: z.strictObject({}),
    data: WebhookDelivery,
  },
  'webhookEndpoints.replayRange': {
    ...call,
    route: 'POST /api/public/v1/webhook-endpoints/{id}/replay',
    summary: 'Send all ended deliveries of events from one time to another again',
    path: IdPath,
    body: z
      .strictObject({ from: Instant, to: Instant, status: z.enum(['delivered', 'dead', 'retained']).optional() })
      .refine(({ from, to }) => from < to, { path: ['to'], error: 'Enter a time after the first one' }),
    data: Replayed,
  },
  'webhookEndpoints.replayMissed': {
    ...call,
    route: 'POST /api/public/v1/webhook-endpoints/{id}/replay-missed',
    summary: 'Send all deliveries again that have not succeeded',
    path: IdPath,
    body: z.strictObject({}),
    data: Replayed,
  },
})
