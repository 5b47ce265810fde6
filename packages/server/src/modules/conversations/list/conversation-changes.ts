import type { Data } from '@carillon/contract/endpoint'
import type { conversationEndpoints } from '@carillon/contract/conversations'
import { sql } from 'kysely'
import type { UserActor } from '../../../actor.ts'
import type { Db } from '../../../db/pool.ts'
import { loadReach, sees } from '../access/sees.ts'
import { assertCursor, isFromFuture, mostChanges, readCursor } from '../access/snapshots.ts'
import { changedSince } from '../thread/thread-rows.ts'
import { digestOf, readListCursor, writeCursor } from './cursor.ts'
import { presentConversation, readConversationRows } from './conversation-rows.ts'

type Changes = Data<(typeof conversationEndpoints)['conversations.changes']>

/** `changed_in` has the number of a transaction without as many bits. */
const blockBits = sql.lit(10)

/** Conversations that changed since a snapshot, in whatever order their transactions committed. */
export async function listChanges(
  db: Db,
  { actor, since: given }: { actor: UserActor; since: string },
): Promise<Changes> {
  const { since, digest } = readListCursor(given)
  assertCursor(since)
  const [state, reach] = await Promise.all([readCursor(db), loadReach(db, actor)])
  const [cursor, now] = [writeCursor(state.cursor, reach), state.now.toISOString()]
  const stale = { conversations: [], gone: [], cursor, isStale: true, now }
  const seesOthers = digest !== undefined && digest !== digestOf(reach)
  if (isFromFuture(since, state) || seesOthers) return stale
  const { organizationId } = reach
  const rows = await readConversationRows<{ is_seen: boolean }>(db, {
    organizationId,
    chosen: sql`
      select conversation.*, ${sees(reach)} as is_seen from conversations conversation
      where conversation.organization_id = ${organizationId}::uuid and ${changedSince('conversation.xid', since)}
        and conversation.changed_in >= pg_snapshot_xmin(${since}::pg_snapshot)::text::bigint >> ${blockBits}
      limit ${mostChanges + 1}`,
  })
  if (rows.length > mostChanges) return stale
  return {
    conversations: rows.filter(({ is_seen: isSeen }) => isSeen).map(presentConversation),
    gone: rows.filter(({ is_seen: isSeen }) => !isSeen).map(({ id }) => id),
    cursor,
    isStale: false,
    now,
  }
}
