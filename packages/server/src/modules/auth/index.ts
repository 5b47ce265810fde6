/**
 * Getting in and staying in: passwords, sessions, socket tickets. Decides who is asking.
 * What the asking account may see is decided by its reach, what it may call by the contract.
 */
export { authenticate, createSessions, isSessionAlive, type Sessions } from './sessions.ts'
export { offerFirstAdmin } from './first-admin.ts'
export { authHandlers } from './handlers.ts'
export { hashPassword } from './passwords.ts'
export { redeemTicket } from './tickets.ts'
