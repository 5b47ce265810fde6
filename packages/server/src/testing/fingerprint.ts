import { sql, type RawBuilder } from 'kysely'
import { asSystem, type Database } from '../db/pool.ts'

/**
 * A hash over all rows of an organisation in every table: equal before and after means unchanged. Without the counts of accepted
 * messages, which are folded in the background.
 */
export async function fingerprint(database: Database, organizationId: string): Promise<string> {
  return hashRows(database, sql`where organization_id = ${organizationId}::uuid`)
}

/** The same over all organisations, ignoring last-seen times. */
export async function fingerprintAll(database: Database): Promise<string> {
  return hashRows(database, sql``)
}

async function hashRows(database: Database, which: RawBuilder<unknown>): Promise<string> {
  return asSystem(database, async (db) => {
    const { rows: tables } = await sql<{ name: string }>`
      select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id'
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and c.relname not like 'accepted\\_%' order by c.relname
    `.execute(db)
    const hashes = tables.map(
      ({ name }) =>
        sql`select ${name} as name, md5(string_agg(row, ' ' order by row)) as hash
          from (select (to_jsonb(t) - 'last_seen_at' - 'last_active_at')::text as row from ${sql.table(name)} t ${which}) rows`,
    )
    const { rows } = await sql`${sql.join(hashes, sql` union all `)}`.execute(db)
    return JSON.stringify(rows)
  })
}
