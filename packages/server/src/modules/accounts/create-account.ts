import type { Module, Role } from '@carillon/contract/roles'
import type { Db } from '../../db/pool.ts'
import { newId } from '../../lib/ids.ts'

export type NewAccount = {
  /** Undefined for the first admin alone. */
  parent: { id: string; organizationId: string; path: string; role: Role } | undefined
  role: Role
  username: string
  email: string
  name: string
  passwordHash: string
  modules: readonly Module[]
  timezone?: string
}

export type CreatedAccount = { id: string; organizationId: string; path: string; role: Role }

/** Adds an account below its parent. Managers and everyone above found an organisation of their own; the others join one. */
export async function createAccount(db: Db, account: NewAccount): Promise<CreatedAccount> {
  const id = newId()
  const joins = account.role === 'user' || account.role === 'department_head'
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
      username: account.username,
      email: account.email,
      name: account.name,
      password_hash: account.passwordHash,
      ...(account.timezone ? { timezone: account.timezone } : {}),
    })
    .execute()
  if (account.modules.length > 0) {
    const rows = account.modules.map((module) => ({ organization_id: organizationId, account_id: id, module }))
    await db.insertInto('account_modules').values(rows).execute()
  }
  return { id, organizationId, path, role: account.role }
}
