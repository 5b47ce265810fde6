import type pg from 'pg'
import { quote, type Facts } from './check-database.ts'
import { assumeRole, isRefused, type DatabaseRoles } from './roles.ts'
import { DatabaseSetupError } from './setup-error.ts'

/**
 * Creates missing roles and lets this user assume them; an administrator may already have done both. Roles belong to the
 * whole server: a new database must not share those of another user, who could read it through them.
 */
export async function ensureRoles(client: pg.Client, roles: DatabaseRoles, { user, owner }: Facts): Promise<void> {
  const names = [roles.app, roles.system]
  await createMissing(client, names, user)
  const others = await findOtherUsers(client, names)
  const canUse = (await mayAssume(client, roles.app)) && (await mayAssume(client, roles.system))
  if (others.length > 0 && (owner === null || !canUse)) throw new DatabaseSetupError(explainSharing(names, others))
  if (!canUse) await grant(client, names, user)
  await checkRoles(client, roles)
}

/** Runs a statement as each role under row level security, as the pools do. */
export async function proveRoles(client: pg.Client, roles: DatabaseRoles): Promise<void> {
  for (const role of [roles.app, roles.system]) {
    await assumeRole(client, role, proofTimeoutMs)
    await client.query('reset role')
  }
}

const proofTimeoutMs = 30_000

async function createMissing(client: pg.Client, names: string[], user: string) {
  const { rows } = await client.query<{ name: string }>(
    'select name from unnest($1::text[]) as name where not exists (select from pg_roles where rolname = name)',
    [names],
  )
  const missing = names.filter((wanted) => rows.some(({ name }) => name === wanted))
  for (const name of missing) {
    try {
      await client.query(`create role ${quote(name)} nologin`)
    } catch (error) {
      if (isRefused(error)) throw new DatabaseSetupError(explainMissing({ missing, names, user }))
      if (!existsAlready(error)) throw error
    }
  }
}

function explainMissing({ missing, names, user }: { missing: string[]; names: string[]; user: string }): string {
  const statements = missing.map((name) => `create role ${name} nologin`)
  return `The roles ${missing.join(' and ')} are missing and the user ${user} may not create roles: as an administrator run ${statements.join('; ')}; ${grantStatement(names, user)}`
}

function grantStatement(names: string[], user: string): string {
  return `grant ${names.join(', ')} to ${quote(user)}`
}

/** Another process created it meanwhile. */
function existsAlready(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '42710' || error.code === '23505')
}

/** Other users that can assume the roles in this database; superusers always can. */
async function findOtherUsers(client: pg.Client, names: string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select login.rolname as name from pg_roles login
    where login.rolcanlogin and not login.rolsuper and login.rolname <> current_user
      and has_database_privilege(login.oid, current_database(), 'CONNECT')
      and exists (select from unnest($1::text[]) as role where pg_has_role(login.oid, role::name,
        -- Since version 16 whoever created a role administers it without being able to run as it.
        case when current_setting('server_version_num')::int >= 160000 then 'SET' else 'MEMBER' end))
    order by 1`,
    [names],
  )
  return rows.map(({ name }) => name)
}

function explainSharing(names: string[], others: string[]): string {
  return `The roles ${names.join(' and ')} belong to another installation on this server (user ${others.join(', ')}): set DATABASE_ROLE_PREFIX to a name of this installation's own`
}

async function mayAssume(client: pg.Client, name: string): Promise<boolean> {
  try {
    await client.query(`set role ${quote(name)}`)
    await client.query('reset role')
    return true
  } catch (error) {
    if (isRefused(error)) return false
    throw error
  }
}

async function grant(client: pg.Client, names: string[], user: string) {
  try {
    await client.query(grantStatement(names, user))
  } catch (error) {
    if (!isRefused(error)) throw error
    throw new DatabaseSetupError(
      `The user ${user} may not use the roles ${names.join(' and ')}: as an administrator run ${grantStatement(names, user)}`,
    )
  }
}

type RoleFacts = { name: string; bypasses: boolean; memberOf: string | null; seesSchema: boolean }

/** Checks for role settings that would bypass row level security or deny access. */
async function checkRoles(client: pg.Client, { app, system }: DatabaseRoles) {
  const { rows } = await client.query<RoleFacts>(
    `select rolname as name, rolsuper or rolbypassrls as bypasses,
      (select other from unnest(array[current_user, $2::name]) as other
        where other <> rolname and pg_has_role(pg_roles.oid, other, 'MEMBER') limit 1) as "memberOf",
      has_schema_privilege(pg_roles.oid, 'public', 'USAGE')
        or (select pg_has_role(nspowner, 'USAGE') from pg_namespace where nspname = 'public') as "seesSchema"
    from pg_roles where rolname in ($1, $2)`,
    [app, system],
  )
  for (const { name, bypasses, memberOf, seesSchema } of rows) {
    if (bypasses)
      throw new DatabaseSetupError(
        `Row level security does not bind the role ${name}: as an administrator run alter role ${name} nosuperuser nobypassrls`,
      )
    if (memberOf)
      throw new DatabaseSetupError(
        `The role ${name} has all rights of ${memberOf}: as an administrator run revoke ${quote(memberOf)} from ${name}`,
      )
    if (!seesSchema)
      throw new DatabaseSetupError(
        `The role ${name} may not use the schema public: as an administrator run grant usage on schema public to ${name}`,
      )
  }
}
