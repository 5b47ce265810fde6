/**
 * How accounts come to be below others and are managed by them: registration, invitations, status, place, limits.
 * What an account is stands in accounts; what stops when one is suspended is told to whoever sends.
 */
export { usersHandlers, type UsersDeps } from './handlers.ts'
export { userJobs } from './move-user.ts'
export type { Sending } from './set-status.ts'
export { findRegistrar } from './sign-up.ts'
