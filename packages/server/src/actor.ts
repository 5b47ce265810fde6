import type { ApiEnvironment } from '@carillon/contract/api-key-records'
import type { ApiScope } from '@carillon/contract/api-scopes'
import type { KeyConfigPayload } from '@carillon/contract/key-config-records'
import type { Module, Role } from '@carillon/contract/roles'
import type { Scope } from './db/scope.ts'

/** Who acts: an account, or the server itself. */
export type Actor = UserActor | SystemActor

/** The account that makes a call, with a session or an API key. */
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
  /** Undefined for a call with an API key. */
  sessionId: string | undefined
  /** The API key that acts as this account. */
  apiKey?: ApiKeyActor
  /** The admin or reseller who acts while impersonating this account. */
  impersonatedBy: string | undefined
  /** A suspended account may read and change data, but cannot send. */
  isSuspended: boolean
  /** They signed in with a password that someone else set, and must choose their own before any other call. */
  mustSetPassword: boolean
}

/** A signed-in account. Calls without an API key scope have no other. */
export type SessionActor = UserActor & { sessionId: string }

export type ApiKeyActor = {
  id: string
  /** Identifies it in the audit log. */
  prefix: string
  environment: ApiEnvironment
  scopes: ReadonlySet<ApiScope>
  config: KeyConfigPayload | undefined
}

/** A job or a timer. */
type SystemActor = { kind: 'system' }

export const systemActor: SystemActor = { kind: 'system' }
