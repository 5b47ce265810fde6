import { MessageType } from '@carillon/contract/conversation-records'
import { sql } from 'kysely'
import { asSystem, type Database, type Db } from '../../../db/pool.ts'
import type { EventOf } from '../../../events/domain-events.ts'
import { notify, type NewNotification } from '../../notifications/index.ts'
import { couldSee, findAnswering } from '../access/find-members.ts'
import { readReaches } from '../access/read-reaches.ts'
import { personName } from '../access/person-name.ts'
import { viewerSeconds } from '../realtime/viewers.ts'
import { joined } from './notify-members.ts'
import type { ConversationRow } from '../access/lock-conversation.ts'

type MovedRow = Pick<
  ConversationRow,
  'organization_id' | 'id' | 'sender_id' | 'team_id' | 'assignee_id' | 'channel' | 'identity'
> & {
  count: number
  text: string
  type: string
}

type ReceivedEvent = EventOf<'message.received'>

/**
 * Notifies members of new messages: the assignee, or those who could take the conversation, as they prefer. Of a conversation each has
 * one notification, which counts its messages. Every worker follows the events; the first one to handle a batch notifies.
 */
export async function notifyOfMessages(database: Database, events: readonly ReceivedEvent[]): Promise<void> {
  for (const event of events) await asSystem(database, (db) => notifyOfBatch(db, event))
}

async function notifyOfBatch(db: Db, { organizationId, subjectIds }: ReceivedEvent): Promise<void> {
  const claimed = await db
    .insertInto('inbox_notices')
    .values({ organization_id: organizationId, message_id: subjectIds[0] ?? '' })
    .onConflict((known) => known.doNothing())
    .executeTakeFirst()
  if (claimed.numInsertedOrUpdatedRows !== 1n) return
  const moved = await readMoved(db, { organizationId, subjectIds })
  const recipients = await readRecipients(db, organizationId, moved)
  const notifications: NewNotification[] = []
  for (const conversation of moved) {
    const accountIds = await recipients(conversation)
    if (accountIds.length === 0) continue
    const title = await personName(db, conversation)
    notifications.push(...accountIds.map((accountId) => newMessage(conversation, { accountId, title })))
  }
  await notify(db, notifications)
}

function newMessage(
  { organization_id: organizationId, id, text, type, count }: MovedRow,
  { accountId, title }: { accountId: string; title: string },
): NewNotification {
  const kind = MessageType.catch('unsupported').parse(type).replaceAll('_', ' ')
  return {
    organizationId,
    accountId,
    kind: 'message_received',
    title,
    description: joined(text === '' ? `Sent a message of the type ${kind}` : text, ''),
    link: { type: 'conversation', id },
    eventKey: `message_received:${id}`,
    merges: true,
    count,
  }
}

/** Conversations with new messages that need an answer. */
async function readMoved(
  db: Db,
  { organizationId, subjectIds }: Pick<ReceivedEvent, 'organizationId' | 'subjectIds'>,
): Promise<MovedRow[]> {
  const { rows } = await sql<MovedRow>`
    select conversation.organization_id, conversation.id, conversation.sender_id, conversation.team_id, conversation.assignee_id,
      conversation.channel, conversation.identity, count(*)::int as count,
      (array_agg(message.text order by message.received_at desc, message.id desc))[1] as text,
      (array_agg(coalesce(message.content ->> 'type', 'text') order by message.received_at desc, message.id desc))[1] as type
    from inbound_messages message
    join conversations conversation on conversation.organization_id = message.organization_id and conversation.id = message.conversation_id
    where message.organization_id = ${organizationId}::uuid and message.id = any(${subjectIds}::uuid[])
      and conversation.blocked_at is null and conversation.held_by <> 'bot' and conversation.unread > 0
      and coalesce(message.content ->> 'type', 'text') not in ('reaction', 'system')
    group by conversation.organization_id, conversation.id`.execute(db)
  return rows
}

type Preferring = { account_id: string; preference: 'all' | 'mine' | 'none' }

/** For each conversation the accounts to notify, without those who have it open. */
async function readRecipients(
  db: Db,
  organizationId: string,
  moved: readonly MovedRow[],
): Promise<(conversation: MovedRow) => Promise<string[]>> {
  const preferring = await readPreferences(db, organizationId, moved)
  const viewers = await readViewing(db, organizationId, moved)
  const wanting = preferring.filter(({ preference }) => preference === 'all').map(({ account_id }) => account_id)
  const members = moved.some(({ assignee_id }) => assignee_id === null)
    ? await findAnswering(db, { organizationId, ids: wanting })
    : []
  const reaches = await readReaches(
    db,
    members.map(({ id }) => id),
  )
  return async (conversation) => {
    const { assignee_id } = conversation
    const isWanted = preferring.find(({ account_id }) => account_id === assignee_id)?.preference !== 'none'
    const candidates =
      assignee_id === null
        ? reaches.flatMap((reach) => (couldSee(reach, conversation) ? [reach.accountId] : []))
        : isWanted
          ? [assignee_id]
          : []
    return candidates.filter((id) => !viewers.has(`${conversation.id} ${id}`))
  }
}

/** Of the agents, and of those who hold one of the conversations. */
async function readPreferences(db: Db, organizationId: string, moved: readonly MovedRow[]): Promise<Preferring[]> {
  const assignees = moved.flatMap(({ assignee_id }) => assignee_id ?? [])
  const { rows } = await sql<Preferring>`
    select id as account_id, coalesce(preferences ->> 'chatNotifications', 'all') as preference from accounts
    where organization_id = ${organizationId}::uuid
      and (id = any(${assignees}::uuid[]) or id in (select account_id from live_agents where organization_id = ${organizationId}::uuid))`.execute(
    db,
  )
  return rows
}

async function readViewing(db: Db, organizationId: string, moved: readonly MovedRow[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ conversation_id: string; account_id: string }>`
    select conversation_id, account_id from conversation_viewers
    where organization_id = ${organizationId}::uuid and conversation_id = any(${moved.map(({ id }) => id)}::uuid[])
      and seen_at > clock_timestamp() - ${sql.lit(viewerSeconds)} * interval '1 second'`.execute(db)
  return new Set(rows.map(({ conversation_id, account_id }) => `${conversation_id} ${account_id}`))
}

/** Events are followed for minutes at most. */
export async function forgetNotices(database: Database): Promise<void> {
  await asSystem(database, (db) =>
    db
      .deleteFrom('inbox_notices')
      .where('at', '<', sql<Date>`now() - interval '1 day'`)
      .execute(),
  )
}
