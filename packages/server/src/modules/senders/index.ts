/**
 * Senders: an organisation's standing with its providers, the headers it sends under, and how each connection is doing.
 * What goes out on a sender, and when, is the business of the engine.
 */
export { findCallbackTarget, loadConnection, type ConnectionDeps, type SenderConnection } from './connections.ts'
export { senderHandlers, type SenderDeps, type SingleSend } from './handlers.ts'
