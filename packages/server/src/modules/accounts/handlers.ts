import type { accountEndpoints, Profile } from '@carillon/contract/accounts'
import { Module } from '@carillon/contract/roles'
import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { within } from '../../db/reach.ts'
import type { Actor, Handlers } from '../../http/handlers.ts'
import { notFound } from '../../lib/problem.ts'

export const accountHandlers: Handlers<typeof accountEndpoints> = {
  'profile.details': ({ db, actor }) => getProfile(db, actor),
  'permissions.list': async ({ db, actor, input }) => ({
    modulePermissions: (await listModules(db, actor, input.query.userId ?? actor.accountId)).map((moduleName) => ({
      moduleName,
    })),
  }),
}

async function getProfile(db: Db, actor: Actor): Promise<Profile> {
  const account = await db
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', actor.accountId)
    .executeTakeFirstOrThrow()
  // The organisation's own row may lie above a user's reach; its name is all that is shown of it.
  const named = await sql<{ name: string }>`select organization_name(${account.organization_id}::uuid) as name`.execute(
    db,
  )
  return {
    _id: account.id,
    username: account.username,
    email: account.email,
    name: account.name,
    type: account.role,
    organization: named.rows[0]?.name ?? account.name,
    timezone: account.timezone,
    createdAt: account.created_at.toISOString(),
  }
}

async function listModules(db: Db, { reach }: Actor, accountId: string): Promise<Module[]> {
  const account = await db
    .selectFrom('accounts')
    .select(['id', 'role'])
    .where('id', '=', accountId)
    .where(within(reach))
    .executeTakeFirst()
  if (!account) throw notFound('User')
  if (account.role === 'admin' || account.role === 'reseller') return [...Module.options]
  const rows = await db
    .selectFrom('account_modules')
    .select('module')
    .where('account_id', '=', accountId)
    .orderBy('module')
    .execute()
  return rows.map(({ module }) => Module.parse(module))
}
