/**
 * Creation and management of accounts: registration, invitations, status, place, limits. The account tree itself is in
 * `accounts`; sending reacts to status changes.
 */
export { usersHandlers, type UsersDeps } from './handlers.ts'
export { createUser, firstSecret } from './create-user.ts'
export { createInvitation, revokeInvitation, type OnInvitationAccepted } from './invitations.ts'
export { userJobs } from './move-user.ts'
export type { Sending } from './set-status.ts'
export { findRegistrar } from './sign-up.ts'
