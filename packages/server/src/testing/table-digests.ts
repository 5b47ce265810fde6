import type { Database } from '../db/pool.ts'

/** A digest of the rows of each table, to prove that nothing was inserted, updated or deleted. */
export async function digestTables({ ownerPool }: Database): Promise<Record<string, string>> {
  const tables = await ownerPool.query<{ name: string }>(`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`)
  const digests = tables.rows.map(
    ({ name }) =>
      `select '${name}' as name, md5(string_agg(t::text, chr(10) order by t::text)) as digest from ${name} t`,
  )
  const { rows } = await ownerPool.query<{ name: string; digest: string }>(digests.join(' union all '))
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]))
}
