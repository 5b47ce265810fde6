import pg from 'pg'
import type { DatabaseRoles } from './roles.ts'
import { DatabaseSetupError } from './setup-error.ts'

const oldestVersion = 150_000

export type Facts = {
  database: string
  user: string
  isSuperuser: boolean
  encoding: string
  isReadOnly: boolean
  hasPublic: boolean
  mayCreateTables: boolean
  mayCreateSchemas: boolean
  hasQueue: boolean
  /** Required extensions that are not installed; this user may be able to create some of them. */
  missing: { name: string; isAvailable: boolean; isTrusted: boolean }[]
  /** Extensions in a schema other than `public`. */
  misplaced: { name: string; schema: string }[]
  /** Owner of the tables; null in a new database. */
  owner: string | null
  ownsTables: boolean
  /** Roles named by the policies of `accounts`. */
  policies: { name: string; role: string; isOwn: boolean }[]
}

/**
 * Throws a one-line error with the remedy if this user cannot install or run Carillon in this database. Read-only;
 * ensureRoles creates the roles.
 */
export async function checkDatabase(client: pg.Client, roles: DatabaseRoles): Promise<Facts> {
  const { rows: versions } = await client.query<{ number: number; name: string }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as name`,
  )
  if ((versions[0]?.number ?? 0) < oldestVersion)
    throw new DatabaseSetupError(`PostgreSQL ${versions[0]?.name} is too old: Carillon needs version 15 or later`)
  const facts = await readFacts(client)
  for (const findFault of rules) {
    const fault = findFault(facts, roles)
    if (fault) throw new DatabaseSetupError(fault)
  }
  return facts
}

async function readFacts(client: pg.Client): Promise<Facts> {
  const { rows } = await client.query<Facts>(`
    with needed as (
      select name, extension.oid, extnamespace::regnamespace::text as schema
      from unnest(array['ltree', 'citext', 'pg_trgm', 'btree_gist', 'btree_gin']) as name left join pg_extension extension on extname = name
    ), tables as (
      select relowner from pg_class where relname = 'schema_migrations' and relnamespace = to_regnamespace('public')
    )
    select current_database() as database, current_user as "user", encoding,
      (select rolsuper from pg_roles where rolname = current_user) as "isSuperuser",
      pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "isReadOnly",
      to_regnamespace('public') is not null as "hasPublic",
      coalesce(has_schema_privilege(to_regnamespace('public'), 'CREATE'), false) as "mayCreateTables",
      has_database_privilege(current_database(), 'CREATE') as "mayCreateSchemas",
      to_regnamespace('graphile_worker') is not null as "hasQueue",
      (select coalesce(json_agg(json_build_object('name', name,
          'isAvailable', exists (select from pg_available_extensions available where available.name = needed.name),
          'isTrusted', exists (select from pg_available_extension_versions version where version.name = needed.name and trusted))), '[]')
        from needed where oid is null) as missing,
      (select coalesce(json_agg(json_build_object('name', name, 'schema', schema)), '[]')
        from needed where schema not in ('public', 'pg_catalog')) as misplaced,
      (select pg_get_userbyid(relowner) from tables) as owner,
      coalesce((select pg_has_role(relowner, 'USAGE') from tables), false) as "ownsTables",
      (select coalesce(json_agg(json_build_object('name', polname, 'role', pg_get_userbyid(role),
          'isOwn', pg_has_role(role, 'USAGE'))), '[]')
        from pg_policy join pg_class on pg_class.oid = polrelid, unnest(polroles) as role
        where relname = 'accounts' and relnamespace = to_regnamespace('public')) as policies
    from (select pg_encoding_to_char(encoding) as encoding from pg_database where datname = current_database()) as own`)
  const [facts] = rows
  if (!facts) throw new Error('The database returned no description')
  return facts
}

type Rule = (facts: Facts, roles: DatabaseRoles) => string | undefined

/** In the order in which problems should be fixed. */
const rules: Rule[] = [
  ({ isReadOnly, database }) =>
    isReadOnly ? `The database ${database} is read-only: set DATABASE_URL to the primary, not to a standby` : undefined,
  ({ encoding, database }) =>
    encoding === 'UTF8'
      ? undefined
      : `The database ${database} has the encoding ${encoding}: create one with createdb --template=template0 --encoding=UTF8`,
  findForeignTables,
  findMissingPrivilege,
  findMissingExtension,
  findForeignPolicies,
]

function findForeignTables({ owner, ownsTables, database, user }: Facts): string | undefined {
  if (owner === null || ownsTables) return undefined
  return `The tables of the database ${database} belong to ${owner}, not to ${user}: set DATABASE_URL to the user ${owner}`
}

function findMissingPrivilege(facts: Facts): string | undefined {
  const { database, user } = facts
  if (!facts.hasPublic) return `The database ${database} has no schema public: run create schema public in it`
  const needsSchemas = !facts.hasQueue || facts.missing.length > 0
  if (needsSchemas && !facts.mayCreateSchemas)
    return `The user ${user} may not create schemas in the database ${database}: as an administrator run ${makeOwner(facts)}`
  if (facts.mayCreateTables) return undefined
  return `The user ${user} may not create tables in the schema public of ${database}: as an administrator run grant usage, create on schema public to ${quote(user)}`
}

function makeOwner({ database, user }: Facts): string {
  return `alter database ${quote(database)} owner to ${quote(user)}`
}

function findMissingExtension({ missing, misplaced, isSuperuser, database }: Facts): string | undefined {
  const absent = missing.filter(({ isAvailable }) => !isAvailable)
  if (absent.length > 0)
    return `The server of the database lacks the extensions ${namesOf(absent)}: install postgresql-contrib there`
  const untrusted = missing.filter(({ isTrusted }) => !isTrusted && !isSuperuser)
  if (untrusted.length > 0)
    return `The database ${database} lacks the extensions ${namesOf(untrusted)}: as an administrator run in it ${untrusted.map(({ name }) => `create extension ${name}`).join('; ')}`
  const [elsewhere] = misplaced
  if (!elsewhere) return undefined
  return `The extension ${elsewhere.name} is in the schema ${elsewhere.schema}: run alter extension ${elsewhere.name} set schema public`
}

/** The policies of an existing installation name its roles and its owner. */
function findForeignPolicies({ owner, policies, database, user }: Facts, roles: DatabaseRoles): string | undefined {
  if (owner === null || policies.length === 0) return undefined
  const tenant = policies.find(({ name }) => name === 'tenant')
  if (!tenant)
    return `The database ${database} was restored without its roles: create ${roles.app} and ${roles.system}, then restore it again`
  if (tenant.role !== roles.app)
    return `The database ${database} was set up with the role ${tenant.role}: set DATABASE_ROLE_PREFIX=${tenant.role.replace(/_app$/, '')}`
  const own = policies.find(({ name }) => name === 'owner')
  if (own && !own.isOwn)
    return `The database ${database} was set up by the user ${own.role}, not by ${user}: set DATABASE_URL to the user ${own.role}`
  return undefined
}

function namesOf(extensions: Facts['missing']): string {
  return extensions.map(({ name }) => name).join(', ')
}

export function quote(name: string): string {
  return pg.escapeIdentifier(name)
}
