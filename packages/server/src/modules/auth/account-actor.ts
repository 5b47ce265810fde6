import { Module } from '@carillon/contract/roles'
import { sql, type RawBuilder } from 'kysely'
import type { UserActor } from '../../actor.ts'

/** What an actor consists of, in a statement with `account` and its `effective_status`. */
export const actorColumns: RawBuilder<unknown> = sql`account.id, account.organization_id, account.role, account.path::text,
  account.username, account.email, account.timezone, effective_status::text,
  case when account.role in ('admin', 'reseller') then '{}' else effective_modules(account.id) end as modules`

export type ActorRow = {
  id: string
  organization_id: string
  role: UserActor['role']
  path: string
  username: string
  email: string
  timezone: string
  effective_status: string
  modules: string[]
}

/** The account as it acts itself, without a session. */
export function presentActor(row: ActorRow): UserActor {
  const above = row.role === 'admin' || row.role === 'reseller'
  return {
    kind: 'user',
    accountId: row.id,
    organizationId: row.organization_id,
    role: row.role,
    username: row.username,
    email: row.email,
    timezone: row.timezone,
    modules: new Set(above ? Module.options : row.modules.map((name) => Module.parse(name))),
    scope: { organizationId: row.organization_id, path: row.path, descends: above },
    sessionId: undefined,
    impersonatedBy: undefined,
    isSuspended: row.effective_status === 'suspended',
    mustSetPassword: false,
  }
}
