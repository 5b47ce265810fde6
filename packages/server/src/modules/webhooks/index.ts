/**
 * Webhooks: customers' endpoints, and the deliveries of events to them by Standard Webhooks 1.0.0. The events are recorded where
 * they happen.
 */
export { createWebhookConsumer } from './consume.ts'
export { startDelivering } from './delivery/deliver.ts'
export { eventHandlers } from './event-handlers.ts'
export { webhookHandlers } from './handlers.ts'
export { webhookCron, webhookJobs } from './jobs.ts'
export { keepDays } from './keep-days.ts'
export { createSigner, signedHeaders } from './delivery/sign.ts'
export { judgeError, judgeResponse } from './delivery/judge-response.ts'
export { newSecret } from './secrets.ts'
export { composeBody } from './body.ts'
export { measureWebhooks, type WebhookMeasure } from './measure.ts'
export { describeStatuses } from './data/message-data.ts'
export type { QueuedOf } from './data/occurrence.ts'
export { enqueueTestEvents, withdrawDeliveries, type TestEvent, type TestEvents } from './sandbox-events.ts'
