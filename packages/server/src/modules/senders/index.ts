/**
 * Senders: an organisation's standing with its providers, the headers and numbers it sends under, and how each connection is
 * doing. What goes out on a sender, and when, is the business of the engine.
 */
export { freeFromCampaigns } from './free-from-campaigns.ts'
export {
  findCallbackTarget,
  loadConnection,
  type CallbackTarget,
  type ConnectionDeps,
  type SenderConnection,
} from './connections.ts'
export {
  clearSenderFailure,
  listFailedConnections,
  recheckFailedConnections,
  recordConnectionFailure,
  type ConnectionFailureDeps,
  type RefusedSender,
} from './connection-failures.ts'
export { senderHandlers, type SenderDeps, type SingleSend } from '../../channels/sms/calls/account-handlers.ts'
export { listLimitGroup } from './limit-group.ts'
export {
  asking,
  getAccount,
  getLine,
  listLines,
  noteHandshake,
  openAccount,
  type AskDeps,
  type LineRow,
  type ProviderAccount,
} from './provider-accounts.ts'
export { type TestDeps, type TestOutcome, type WhatsappTest } from './test-message.ts'
export { whatsappHandlers, type DemoAccount, type WhatsappDeps } from '../../channels/whatsapp/calls/account-handlers.ts'
export {
  enqueueLineSync,
  findAccount,
  listAccountKeys,
  whatsappCron,
  whatsappJobs,
  AccountKey,
  recheckConnections,
} from './account-jobs.ts'
