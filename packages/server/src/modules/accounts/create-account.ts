import type { AccountStatus } from '@carillon/contract/accounts'
import type { Module, Role } from '@carillon/contract/roles'
import type { Db } from '../../db/pool.ts'
import { newId } from '../../lib/ids.ts'
import { conflict } from '../../lib/problem.ts'

export type Parent = { id: string; organizationId: string; path: string; role: Role }

export type NewAccount = {
  /** Undefined only for the first admin. */
  parent: Parent | undefined
  role: Role
  username: string
  email: string
  name: string
  passwordHash: string
  modules: readonly Module[]
  phone?: string | undefined
  timezone?: string | undefined
  status?: AccountStatus
  /** The password was set by someone else and must be changed at the first login. */
  isFirstLogin?: boolean
  /** A self-registered user, who has an organisation of their own. */
  isFounder?: boolean
}

export type CreatedAccount = { id: string; organizationId: string; path: string; role: Role }

/** Adds an account below its parent. Managers and roles above get an organisation of their own; others join one. */
export async function createAccount(db: Db, account: NewAccount): Promise<CreatedAccount> {
  const id = newId()
  const joins = (account.role === 'user' || account.role === 'department_head') && !account.isFounder
  const organizationId = joins && account.parent ? account.parent.organizationId : id
  const label = id.replaceAll('-', '')
  const path = account.parent ? `${account.parent.path}.${label}` : label

  await db
    .insertInto('accounts')
    .values({
      id,
      organization_id: organizationId,
      parent_id: account.parent?.id ?? null,
      path,
      role: account.role,
      status: account.status ?? 'active',
      username: account.username,
      email: account.email,
      name: account.name,
      phone: account.phone ?? null,
      password_hash: account.passwordHash,
      is_first_login: account.isFirstLogin ?? false,
      ...(account.timezone ? { timezone: account.timezone } : {}),
    })
    .execute()
    .catch(throwConflict)
  await grantModules(db, { id, organizationId }, account.modules)
  return { id, organizationId, path, role: account.role }
}

/** Replaces the account's modules. */
export async function setModules(
  db: Db,
  account: { id: string; organizationId: string },
  modules: readonly Module[],
): Promise<void> {
  await db
    .deleteFrom('account_modules')
    .where('organization_id', '=', account.organizationId)
    .where('account_id', '=', account.id)
    .execute()
  await grantModules(db, account, modules)
}

export async function grantModules(
  db: Db,
  { id, organizationId }: { id: string; organizationId: string },
  modules: readonly Module[],
): Promise<void> {
  if (modules.length === 0) return
  await db
    .insertInto('account_modules')
    .values(modules.map((module) => ({ organization_id: organizationId, account_id: id, module })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Names are checked before; this handles concurrent requests for the same name. */
function throwConflict(error: unknown): never {
  if (error instanceof Error && 'code' in error && error.code === '23505')
    throw conflict('This username or e-mail address was just taken: choose another')
  throw error
}
