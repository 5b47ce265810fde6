/**
 * Senders: an organisation's accounts with its providers, its headers and numbers, and the state of each connection. Sending
 * belongs to `messages`.
 */
export { accountCron, accountJobs, enqueueLineSync, recheckConnections } from './account-jobs.ts'
export { listSenderHealth } from './sender-health.ts'
export { activateLine, activateSender } from './activate-sender.ts'
export { findChannelSetting, saveChannelSetting } from './channel-settings.ts'
export { checkConnection } from './check-connection.ts'
export { changeAccount, connectAccount, disconnectAccount, providerOfAccounts } from './connect-account.ts'
export {
  clearSenderFailure,
  listFailedConnections,
  recordConnectionFailure,
  type ConnectionFailureDeps,
  type RefusedSender,
} from './connection-failures.ts'
export { runStep } from './connection-steps.ts'
export {
  createCallbackLookup,
  loadConnection,
  type CallbackTarget,
  type ConnectionDeps,
  type SenderConnection,
} from './connections.ts'
export { deleteSender } from './delete-sender.ts'
export { freeFromCampaigns } from './free-from-campaigns.ts'
export { senderHandlers } from './handlers.ts'
export {
  createInstallationSettings,
  findInstallationSettings,
  saveInstallationSettings,
} from './installation-settings.ts'
export { listLimitGroup } from './limit-group.ts'
export { getLine, listLines, markRegistered, saveConversationCategory, saveLineFacts, type LineRow } from './lines.ts'
export { openAccount, withProviderErrors, type ProviderQueryDeps, type ManagedAccount } from './open-account.ts'
export { presentReceipts } from './present-receipts.ts'
export { findForbidden, presentState } from './present-state.ts'
export {
  AccountKey,
  findAccount,
  findAccountOfSender,
  getAccount,
  listAccounts,
  listManagedAccounts,
  lockUnchanged,
  noteHandshake,
  saveAccountFacts,
  writeSteps,
  type ProviderAccount,
  type StepResult,
} from './provider-accounts.ts'
export { reportLineChange } from './line-trouble.ts'
export { notifyOfLine } from './notify-of-line.ts'
export { listProviderForms } from './provider-forms.ts'
export { getSender, listSenders, type SenderRow } from './senders.queries.ts'
export { syncLines } from './sync-lines.ts'
export { sendTestMessage, settleTest, type ConnectionTest, type TestOutcome } from './first-message.ts'
export { createSender, updateSender } from './write-sender.ts'
