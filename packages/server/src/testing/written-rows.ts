import type { Database } from '../db/pool.ts'

/**
 * Runs `work` and returns all rows it wrote, sorted and without random values. Sign-in attempt counters are excluded because
 * they add up over a test.
 */
export async function rowsWrittenBy<Result>(
  { ownerPool }: Database,
  work: () => Promise<Result>,
): Promise<{ result: Result; rows: string[] }> {
  const query = async <Row extends object>(text: string) => (await ownerPool.query<Row>(text)).rows
  const tables = await query<{ name: string }>(`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relname <> 'login_attempts'`)
  const [before] = await query<{ now: string }>('select pg_current_xact_id()::text as now')
  const result = await work()
  const changed = tables.map(
    ({
      name,
    }) => `select '${name}' as name, (to_jsonb(t) - '{shard,last_seen_at,last_active_at,last4}'::text[])::text as row
      from ${name} t where xmin::text::bigint > ${before?.now}`,
  )
  const rows = await query<{ name: string; row: string }>(changed.join(' union all '))
  return { result, rows: rows.map(({ name, row }) => `${name} ${withoutChance(row)}`).toSorted() }
}

/** Replaces ids, tokens, hashes, times and generated names. */
function withoutChance(row: string): string {
  return (
    row
      .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[^"]*/g, 'TIME')
      // Positions of domain events, and the numbers of transactions, grow with every call.
      .replace(/"id": \d+, "xid"/, '"id": N, "xid"')
      .replace(/"xid": "\d+"/, '"xid": N')
      // The minute.
      .replace(/"changed_in": \d+/, '"changed_in": N')
      .replaceAll(/[\da-f]{8}[_-](?:[\da-f]{4}[_-]){3}[\da-f]{12}/g, 'ID')
      .replaceAll(/[\da-f]{2}\/ID/g, 'KEY')
      .replaceAll(/-\d+-[\da-f]{6}/g, '-NAME')
      .replaceAll(/("system_?[iI]d": )"c[a-z2-9]{11}"/g, '$1"NAME"')
      .replaceAll(/[\da-f]{8,}/g, 'BYTES')
  )
}
