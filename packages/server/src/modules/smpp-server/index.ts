/**
 * The server for customers' SMPP: credentials, sessions, submits and receipts. Messages are accepted by `public-api`, under the limits of
 * API keys; statuses come from the queue of events.
 */
export { smppCredentialHandlers } from './handlers.ts'
export { smppCron, smppJobs } from './jobs.ts'
export { countQueuedReceipts } from './measure.ts'
export { consumeStatuses } from './receipts/consume-statuses.ts'
export { createSmppServer, type SmppServer } from './smpp-server.ts'
