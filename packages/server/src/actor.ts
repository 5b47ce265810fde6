import type { Module, Role } from '@carillon/contract/roles'
import type { Scope } from './db/scope.ts'

/** Who acts: a signed-in user, or the server itself. */
export type Actor = UserActor | SystemActor

/** A signed-in account, as a call sees it. */
export type UserActor = {
  kind: 'user'
  accountId: string
  organizationId: string
  role: Role
  username: string
  email: string
  timezone: string
  modules: ReadonlySet<Module>
  scope: Scope
  sessionId: string
  /** The admin or reseller who acts while impersonating this account. */
  impersonatedBy: string | undefined
  /** A suspended account may read and change data, but cannot send. */
  isSuspended: boolean
  /** They signed in with a password that someone else set, and must choose their own before any other call. */
  mustSetPassword: boolean
}

/** A job or a timer. */
type SystemActor = { kind: 'system' }

export const systemActor: SystemActor = { kind: 'system' }
