import { truncate } from '@carillon/contract/text'
import { sql } from 'kysely'
import { getChannel } from '../../../channels/index.ts'
import type { Db } from '../../../db/pool.ts'
import type { ConversationRow } from '../access/lock-conversation.ts'
import type { Member } from '../access/sees.ts'
import { assigneeDetails } from '../changes/assign.ts'
import { addEvents, addFacts, type Fact, type NewEvent, type TimedFact } from '../changes/record-changes.ts'
import { excerptOf } from '../thread/references.ts'
import type { ComposedReply } from './compose-reply.ts'

const excerptLength = 200

/**
 * Moves a conversation that a member answers: it waits no longer, and belongs to the member if it was unassigned. A bot that held it
 * stops. Returns the ids of the events in its thread.
 */
export async function moveConversation(
  db: Db,
  conversation: ConversationRow,
  { member, composed }: { member: Member; composed: Pick<ComposedReply, 'text' | 'content'> },
): Promise<string[]> {
  const { accountId } = member
  const body = getChannel(conversation.channel).readBody({ text: composed.text, content: composed.content ?? null })
  const reopens = conversation.status === 'resolved'
  const takes = conversation.assignee_id === null
  const { revision } = await db
    .updateTable('conversations')
    .set({
      status: conversation.status === 'snoozed' ? 'snoozed' : 'open',
      ...(conversation.held_by === 'bot' ? { held_by: 'human' } : {}),
      ...(takes ? { assignee_id: accountId, assigned_at: sql<Date>`now()` } : {}),
      ...(reopens ? { opened_at: sql<Date>`now()`, resolved_at: null } : {}),
      unread: 0,
      waiting_since: null,
      due_at: null,
      answered_at: sql<Date>`now()`,
      first_answered_at: reopens
        ? null
        : sql<Date | null>`case when waiting_since is not null then coalesce(first_answered_at, now()) else first_answered_at end`,
      last_at: sql<Date>`greatest(last_at, now())`,
      last_text: truncate(excerptOf(body), excerptLength),
      last_type: body.type,
      last_by: 'member',
    })
    .where('organization_id', '=', conversation.organization_id)
    .where('id', '=', conversation.id)
    .returning('revision')
    .executeTakeFirstOrThrow()
  await addFacts(db, conversation, factsOf(conversation, accountId))
  const events: NewEvent[] = [
    ...(reopens ? [{ kind: 'reopened' as const }] : []),
    ...(conversation.held_by === 'bot' ? [{ kind: 'taken_over' as const }] : []),
    ...(takes
      ? [{ kind: 'assigned' as const, details: await assigneeDetails(db, conversation.organization_id, accountId) }]
      : []),
  ]
  return addEvents(db, { ...conversation, revision }, { actor: member, events })
}

function factsOf(conversation: ConversationRow, accountId: string): (Fact | TimedFact)[] {
  const { status, assignee_id, waiting_since: since, first_answered_at } = conversation
  const isFirst = first_answered_at === null
  return [
    { accountId, kind: 'message_out' },
    ...(status === 'resolved' ? [{ accountId, kind: 'reopened' as const }] : []),
    ...(assignee_id === null ? [{ accountId, kind: 'assigned' as const }] : []),
    ...(since === null
      ? []
      : [{ accountId, kind: isFirst ? ('first_response' as const) : ('response' as const), since }]),
  ]
}
