import type { ConversationCounts } from '@carillon/contract/conversations'
import { sql, type RawBuilder } from 'kysely'
import type { UserActor } from '../../../actor.ts'
import type { Db } from '../../../db/pool.ts'
import { loadReach } from '../access/sees.ts'
import { closesSoon, inBox, matching, type ConversationFilter } from './filter.ts'

/** Counts above this are shown as 999+. */
const mostCounted = 1000

export async function countConversations(
  db: Db,
  { actor, query }: { actor: UserActor; query: ConversationFilter },
): Promise<ConversationCounts> {
  const reach = await loadReach(db, actor)
  const base = matching(query, reach)
  const count = (condition: RawBuilder<boolean>) => sql<number>`(select count(*)::int from (
    select from conversations conversation where ${base} and ${condition} limit ${sql.lit(mostCounted)}) counted)`
  const { rows } = await sql<ConversationCounts>`
    select ${count(inBox('mine', reach))} as mine, ${count(inBox('unassigned', reach))} as unassigned, ${count(inBox('all', reach))} as "all",
      ${count(sql<boolean>`conversation.is_unread`)} as unread, ${count(closesSoon)} as "closingSoon"`.execute(db)
  const [counts] = rows
  if (!counts) throw new Error('The database returned no counts')
  return counts
}
