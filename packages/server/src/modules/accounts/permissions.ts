import { Module } from '@carillon/contract/roles'
import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import { conflict, Problem } from '../../lib/problem.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import { grantModules } from './create-account.ts'
import { getAccount, isFounder, lockBelow, type AccountRow } from './find-account.ts'
import { usesEveryModule } from './rank.ts'

export async function listModules(db: Db, { scope }: UserActor, accountId: string): Promise<Module[]> {
  return modulesOf(db, await getAccount(db, { id: accountId, scope }))
}

export type Grant = { moduleName: Module; granted: boolean }

/**
 * Grants or revokes modules of an account below. Accounts further down keep their grants, which have no effect while a
 * module is revoked above them. Returns the effective modules.
 */
export async function grantPermissions(
  db: Db,
  { actor, accountId, grants }: { actor: UserActor; accountId: string; grants: readonly Grant[] },
): Promise<{ account: AccountRow; modules: Module[] }> {
  const account = await lockBelow(db, { actor, id: accountId })
  if (usesEveryModule(account.role)) throw conflict('A reseller has every module: grant or revoke them below it')
  const given = grants.filter(({ granted }) => granted).map(({ moduleName }) => moduleName)
  const taken = grants.filter(({ granted }) => !granted).map(({ moduleName }) => moduleName)
  assertHas(actor, [...given, ...taken])
  if (given.length > 0) await assertOrganizationHas(db, account, given)

  await grantModules(db, { id: account.id, organizationId: account.organization_id }, given)
  if (taken.length > 0) await revoke(db, account, taken)
  await recordAudit(db, {
    organizationId: account.organization_id,
    ...whoActs(actor),
    action: 'permissions.changed',
    object: { type: 'account', id: account.id },
    details: { granted: given.join(', '), revoked: taken.join(', ') },
  })
  return { account, modules: await modulesOf(db, account) }
}

/** Callers can grant only modules they have. */
export function assertHas({ modules }: Pick<UserActor, 'modules'>, wanted: readonly Module[]): void {
  const lacking = wanted.filter((module) => !modules.has(module))
  if (lacking.length > 0) throw new Problem('forbidden', `You do not have the module ${lacking.join(', ')} yourself`)
}

/** Members of an organisation can use at most the organisation's modules. */
export async function assertOrganizationHas(
  db: Db,
  account: { id: string; organization_id: string },
  wanted: readonly Module[],
): Promise<void> {
  if (isFounder(account) || wanted.length === 0) return
  const rows = await db
    .selectFrom('account_modules')
    .select('module')
    .where('organization_id', '=', account.organization_id)
    .where('account_id', '=', account.organization_id)
    .execute()
  const lacking = wanted.filter((module) => !rows.some((row) => row.module === module))
  if (lacking.length > 0) throw conflict(`The organisation does not have the module ${lacking.join(', ')}`)
}

async function revoke(db: Db, account: AccountRow, modules: readonly Module[]) {
  await db
    .deleteFrom('account_modules')
    .where('organization_id', '=', account.organization_id)
    .where('account_id', '=', account.id)
    .where('module', 'in', modules)
    .execute()
}

/** Number of accounts below, not closed, that use each module. */
export async function countModuleUsers(db: Db, accountId: string): Promise<Partial<Record<Module, number>>> {
  const { rows } = await sql<{ module: string; users: number }>`
    select module, users from module_users_below(${accountId}::uuid)`.execute(db)
  return Object.fromEntries(rows.map(({ module, users }) => [Module.parse(module), users]))
}

async function modulesOf(db: Db, account: AccountRow): Promise<Module[]> {
  if (usesEveryModule(account.role)) return [...Module.options]
  const { rows } = await sql<{ modules: string[] }>`select effective_modules(${account.id}::uuid) as modules`.execute(
    db,
  )
  return (rows[0]?.modules ?? []).map((module) => Module.parse(module))
}
