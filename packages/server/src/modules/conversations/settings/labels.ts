import { sql } from 'kysely'
import type { UserActor } from '../../../actor.ts'
import type { Db } from '../../../db/pool.ts'
import { loadReach, sees } from '../access/sees.ts'

const mostLabels = 100
/** Newest conversations with labels that are counted. */
const mostCounted = 20_000

/** Labels of the conversations that the actor sees, the most frequent first. */
export async function listLabels(
  db: Db,
  { actor, search }: { actor: UserActor; search: string | undefined },
): Promise<string[]> {
  const pattern = search ? `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%` : null
  const reach = await loadReach(db, actor)
  const { rows } = await sql<{ label: string }>`
    select label from (
      select labels from conversations conversation where labels <> '{}' and ${sees(reach)}
      order by listed_at desc limit ${mostCounted}) labelled, unnest(labels) as label
    where ${pattern}::text is null or label ilike ${pattern}
    group by label order by count(*) desc, label limit ${mostLabels}`.execute(db)
  return rows.map(({ label }) => label)
}
