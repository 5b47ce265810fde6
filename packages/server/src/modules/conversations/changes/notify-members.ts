import { truncate } from '@carillon/contract/text'
import type { Db } from '../../../db/pool.ts'
import { notify } from '../../notifications/index.ts'
import type { ConversationRow } from '../access/lock-conversation.ts'
import { personName } from '../access/person-name.ts'
import type { Member } from '../access/sees.ts'
import { nameOf } from './assign.ts'

/** Notifies the new assignee, unless they took the conversation themselves. */
export async function notifyAssignee(
  db: Db,
  conversation: ConversationRow,
  member: Pick<Member, 'accountId'>,
): Promise<void> {
  const { organization_id: organizationId, id, assignee_id: accountId, revision, last_text } = conversation
  if (accountId === null || accountId === member.accountId) return
  await notify(db, [
    {
      organizationId,
      accountId,
      kind: 'conversation_assigned',
      title: `${await nameOf(db, organizationId, member.accountId)} assigned you a conversation`,
      description: joined(await personName(db, conversation), last_text),
      link: { type: 'conversation', id },
      eventKey: `conversation_assigned:${id}:${revision}`,
    },
  ])
}

type Mentioned = { member: Pick<Member, 'accountId'>; noteId: string; text: string; mentions: readonly string[] }

export async function notifyMentioned(
  db: Db,
  conversation: ConversationRow,
  { member, noteId, text, mentions }: Mentioned,
): Promise<void> {
  const others = mentions.filter((id) => id !== member.accountId)
  if (others.length === 0) return
  const title = `${await nameOf(db, conversation.organization_id, member.accountId)} mentioned you in a note`
  const description = joined(await personName(db, conversation), text)
  await notify(
    db,
    others.map((accountId) => ({
      organizationId: conversation.organization_id,
      accountId,
      kind: 'conversation_mentioned',
      title,
      description,
      link: { type: 'conversation', id: conversation.id },
      eventKey: `conversation_mentioned:${noteId}`,
    })),
  )
}

export function joined(name: string, text: string): string {
  return truncate(text === '' ? name : `${name}: ${text}`, 200)
}
