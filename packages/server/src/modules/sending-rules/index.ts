/** Rules of an organisation for messages of every channel. The engine and the channels' opt-outs read them in the database. */
export { sendingRulesHandlers } from './handlers.ts'
export { getSendingRules } from './sending-rules.ts'
