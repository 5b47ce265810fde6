/**
 * Authentication: passwords, sessions, socket tickets. Identifies the caller; what the caller may see is decided by scope,
 * what they may call by the contract.
 */
export { actorColumns, presentActor, type ActorRow } from './account-actor.ts'
export { accessHandlers } from './access-handlers.ts'
export { authCron, authJobs } from './sweep.ts'
export { authenticate, authenticateNow, createSessions, findLiveSessions, type Sessions } from './sessions.ts'
export { endSessionsBelow, forgetBelow } from './end-sessions.ts'
export { isFirstAdminOffer, offerFirstAdmin } from './first-admin.ts'
export { authHandlers } from './handlers.ts'
export { checkOwnPassword } from './own-password.ts'
export { issuePasswordLink } from './password-links.ts'
export { checkPassword } from './password-rules.ts'
export { hashPassword, withPasswordTurn } from './passwords.ts'
export { throttleRegistrations } from './throttle-registrations.ts'
export { redeemTicket } from './tickets.ts'
