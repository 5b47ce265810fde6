/**
 * The public API of developers: one body for every channel, accepted in groups. Messages are queued and sent by `messages`; keys and their
 * limits belong to `api-keys`.
 */
export { checkCall, createSendCalls, type MessageAnswer, type SendCall } from './accept-calls.ts'
export type { ConfiguredSend } from './compose-sends.ts'
export { publicApiCron, publicApiJobs } from './jobs.ts'
export { otpHandlers } from './otp/otp-handlers.ts'
export { publicMessageHandlers } from './handlers.ts'
export { findMessages } from './list-messages.ts'
