import { ReplyContent } from '@carillon/contract/conversation-records'
import { sql, type Selectable } from 'kysely'
import { asSystem, inScope, type Database, type Db } from '../../../db/pool.ts'
import type { ScheduledReplies } from '../../../db/schema.ts'
import { Problem } from '../../../lib/problem.ts'
import { findAnswering } from '../access/find-members.ts'
import { lockConversation } from '../access/lock-conversation.ts'
import { loadReach, type Member } from '../access/sees.ts'
import { addEvents, announceItems } from '../changes/record-changes.ts'
import { enqueue } from './schedule-reply.ts'
import { sendReply, type ReplyDeps } from './send-reply.ts'

type Key = { organizationId: string; id: string }
type Row = Selectable<ScheduledReplies>
type ScheduledDeps = ReplyDeps & { database: Database }

/**
 * Sends a reply whose time has come, as its author and by the rules of every reply. One that cannot be sent any more ends with the
 * reason. A job that runs twice finds that the reply has ended.
 */
export async function sendScheduledReply(deps: ScheduledDeps, key: Key): Promise<void> {
  const { database } = deps
  const row = await asSystem(database, (db) => findWaiting(db, key))
  if (!row || row.send_at.getTime() > Date.now()) return
  try {
    const member = await asSystem(database, (db) => getAuthor(db, row))
    await inScope(database, member.scope, (db) => send(db, deps, { member, row }))
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'unavailable') throw error
    await asSystem(database, (db) => refuse(db, row, error))
  }
}

async function findWaiting(db: Db, { organizationId, id }: Key): Promise<Row | undefined> {
  return db
    .selectFrom('scheduled_replies')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
}

async function getAuthor(
  db: Db,
  { organization_id: organizationId, author_id, impersonated_by }: Row,
): Promise<Member> {
  const [author] = await findAnswering(db, { organizationId, ids: [author_id] })
  if (!author) throw new Problem('forbidden', 'Its author cannot answer conversations any more')
  const { id: accountId, role, path } = author
  const scope = { organizationId, path, descends: false }
  return { organizationId, accountId, role, scope, impersonatedBy: impersonated_by ?? undefined }
}

/** The conversation is locked before the reply, as everywhere. */
async function send(db: Db, deps: ReplyDeps, { member, row }: { member: Member; row: Row }): Promise<void> {
  const { organization_id: organizationId, id, conversation_id } = row
  await lockConversation(db, await loadReach(db, member), conversation_id)
  const { rows } = await sql`
    select from scheduled_replies
    where organization_id = ${organizationId}::uuid and id = ${id}::uuid and ended_at is null for update`.execute(db)
  if (rows.length === 0) return
  const content = ReplyContent.parse(row.content)
  const { itemId } = await sendReply(db, deps, { member, id: conversation_id, clientId: `scheduled:${id}`, content })
  await db
    .updateTable('scheduled_replies')
    .set({ ended_at: sql<Date>`now()`, result: 'sent', message_id: itemId })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
}

/** The thread shows why it was not sent, and the conversation is unread again. */
async function refuse(db: Db, row: Row, { message, details = [] }: Problem): Promise<void> {
  const { organization_id: organizationId, id, conversation_id } = row
  const conversation = await db
    .updateTable('conversations')
    .set({ unread: sql<number>`greatest(unread, 1)` })
    .where('organization_id', '=', organizationId)
    .where('id', '=', conversation_id)
    .returning(['organization_id', 'id'])
    .executeTakeFirstOrThrow()
  const closed = details.some(({ field }) => field === 'outside_window')
  const ended = await db
    .updateTable('scheduled_replies')
    .set({ ended_at: sql<Date>`now()`, result: closed ? 'outside_window' : 'refused', detail: message })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  if (ended.numUpdatedRows === 0n) return
  const events = [{ kind: 'reply_cancelled' as const, details: { reason: message } }]
  await announceItems(db, conversation, await addEvents(db, conversation, { actor: undefined, events }))
}

/** Adds the job again for replies that were due a while ago, in case one was lost. */
export async function enqueueOverdue(database: Database): Promise<void> {
  await asSystem(database, async (db) => {
    const overdue = await db
      .selectFrom('scheduled_replies')
      .select(['organization_id', 'id', 'send_at'])
      .where('ended_at', 'is', null)
      .where('send_at', '<', sql<Date>`now() - interval '1 minute'`)
      .orderBy('send_at')
      .limit(500)
      .execute()
    for (const { organization_id: organizationId, id, send_at: sendAt } of overdue)
      await enqueue(db, { organizationId, id, sendAt })
  })
}
