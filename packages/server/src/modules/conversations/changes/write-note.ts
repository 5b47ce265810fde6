import type { Db } from '../../../db/pool.ts'
import { badField } from '../../../lib/problem.ts'
import { couldSee, findAnswering, reachOf } from '../access/find-members.ts'
import { lockConversation, type ConversationRow } from '../access/lock-conversation.ts'
import { loadReach, type Member } from '../access/sees.ts'
import { auditChange } from './audit-change.ts'
import { notifyMentioned } from './notify-members.ts'
import { addEvents, announceItems } from './record-changes.ts'

type Note = { member: Member; id: string; text: string; mentions: readonly string[] }

/** Adds a note that only members see, and notifies those it mentions. */
export async function writeNote(
  db: Db,
  { member, id, text, mentions: given }: Note,
): Promise<{ conversation: ConversationRow; itemId: string }> {
  const conversation = await lockConversation(db, await loadReach(db, member), id)
  const mentions = [...new Set(given)]
  await assertMentionable(db, conversation, mentions)
  const events = [{ kind: 'note' as const, text, details: { mentions } }]
  const [itemId = ''] = await addEvents(
    db,
    { organization_id: conversation.organization_id, id },
    { actor: member, events },
  )
  await announceItems(db, conversation, [itemId])
  await notifyMentioned(db, conversation, { member, noteId: itemId, text, mentions })
  await auditChange(db, { member, conversation, events })
  return { conversation, itemId }
}

/** A mention does not give access to a conversation. */
async function assertMentionable(db: Db, conversation: ConversationRow, mentions: readonly string[]): Promise<void> {
  const organizationId = conversation.organization_id
  const members = await findAnswering(db, { organizationId, ids: mentions })
  for (const [index, id] of mentions.entries()) {
    const member = members.find((each) => each.id === id)
    if (!member) throw badField(`mentions.${index}`, 'Choose a member who can answer conversations')
    const isHolder = conversation.assignee_id === id
    if (!isHolder && !couldSee(await reachOf(db, organizationId, member), conversation))
      throw badField(`mentions.${index}`, `${member.name} does not answer this line`)
  }
}
