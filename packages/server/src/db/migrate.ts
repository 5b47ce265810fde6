import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { runMigrations } from 'graphile-worker'
import pg from 'pg'
import { checkDatabase } from './check-database.ts'
import { ensureRoles, proveRoles } from './ensure-roles.ts'
import { defaultRolePrefix, nameRoles, rolesOf } from './roles.ts'

const directory = new URL('./migrations/', import.meta.url)

export class MigrationError extends Error {
  override name = 'MigrationError'
}

/**
 * Checksums of earlier migration texts, by name, that created the same tables. The first one also created the roles, before
 * ensureRoles existed.
 */
const earlierChecksums: Record<string, string> = {
  '0001_accounts.sql': '153dc987d1850a0a0df4e85dbc7845a349566dc58f944678e275e4b14d5db4b6',
}

/** Migrates the database to this version; forward only, one process at a time. */
export async function migrate(url: string, roles = rolesOf(defaultRolePrefix)): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`select pg_advisory_lock(hashtext('carillon.migrate'))`)
    await ensureRoles(client, roles, await checkDatabase(client, roles))
    await runMigrations({ connectionString: url })
    await client.query(
      'create table if not exists schema_migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
    )
    const migrations = await readMigrations()
    await applyMissing(
      client,
      migrations.map((migration) => ({ ...migration, text: nameRoles(migration.text, roles) })),
    )
    await proveRoles(client, roles)
  } finally {
    await client.end()
  }
}

type Migration = { name: string; text: string; checksum: string }

async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, directory), 'utf8')
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

async function applyMissing(client: pg.Client, migrations: Migration[]) {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations order by name',
  )
  const unknown = rows.find((row) => !migrations.some(({ name }) => name === row.name))
  if (unknown)
    throw new MigrationError(
      `The database is newer than this program (it has ${unknown.name}): start the newer program, or restore a backup`,
    )

  for (const migration of migrations) {
    const applied = rows.find(({ name }) => name === migration.name)
    if (applied && applied.checksum !== migration.checksum && applied.checksum !== earlierChecksums[migration.name])
      throw new MigrationError(`${migration.name} was changed after it was applied: migrations are forward only`)
    if (!applied) await apply(client, migration)
  }
}

async function apply(client: pg.Client, { name, text, checksum }: Migration) {
  try {
    await client.query('begin')
    await client.query(`set local lock_timeout = '5s'`)
    await client.query(text)
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new MigrationError(`${name} failed: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Creates the database of the URL if it does not exist. */
export async function createDatabaseIfMissing(url: string): Promise<void> {
  const target = new URL(url)
  const name = decodeURIComponent(target.pathname.slice(1))
  target.pathname = '/postgres'
  const client = new pg.Client({ connectionString: target.href })
  await client.connect()
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (!rowCount) await client.query(`create database ${client.escapeIdentifier(name)}`)
  } finally {
    await client.end()
  }
}
