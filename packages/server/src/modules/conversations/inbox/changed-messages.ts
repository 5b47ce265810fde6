import { byLine, run, textArray, type OnInbound, type Statement, type StoredInbound } from '../../messages/index.ts'
import { excerptOf } from '../thread/references.ts'

/** Whether an inbound message only edits or withdraws an earlier one. */
export function changesMessage({ type }: Pick<StoredInbound, 'type'>): boolean {
  return type === 'edit' || type === 'revoke'
}

/** `last_type` of a conversation whose last message was withdrawn. */
export const withdrawnType = 'revoke'

const lock: Statement = {
  name: 'lock-conversations',
  text: `
  select from conversations
  join unnest($1::uuid[], $2::uuid[]) as input (organization_id, id) using (organization_id, id)
  order by id for update of conversations`,
}

/** Locks the conversations of a batch in the order of ids, if some of its messages change earlier ones. */
export const lockChanged: OnInbound = async (db, stored) => {
  if (!stored.some(changesMessage)) return
  await run(db, lock, [
    textArray(stored.map(({ organizationId }) => organizationId)),
    textArray(stored.map(({ conversationId }) => conversationId)),
  ])
}

/** Of several changes of a message, a withdrawal counts, else the newest edit. */
const rank = (change: string) => `(${change}.content ->> 'type' = 'revoke', ${change}.received_at, ${change}.id)`

const show: Statement = {
  name: 'show-changed-messages',
  text: `
  update conversations conversation
  set last_text = case when change.content ->> 'type' = 'revoke' then '' else input.text end,
    last_type = case when change.content ->> 'type' = 'revoke' then '${withdrawnType}' else conversation.last_type end
  from unnest($3::uuid[], $4::text[]) as input (id, text)
  join inbound_messages change on change.organization_id = $1 and change.id = input.id
  join inbound_messages message on message.organization_id = $1 and message.sender_id = $2 and message.dedupe_key = change.in_reply_to
    and message.conversation_id = change.conversation_id
  where conversation.organization_id = $1 and conversation.id = change.conversation_id and conversation.last_by = 'person'
    and not exists (
      select from inbound_messages other
      where other.organization_id = $1 and other.conversation_id = change.conversation_id and other.in_reply_to = change.in_reply_to
        and other.content ->> 'type' in ('edit', 'revoke') and ${rank('other')} > ${rank('change')})
    and not exists (
      select from inbound_messages later
      where later.organization_id = $1 and later.conversation_id = message.conversation_id
        and (later.received_at, later.id) > (message.received_at, message.id)
        and coalesce(later.content ->> 'type', 'text') not in ('edit', 'revoke'))`,
}

/** Shows edits and withdrawals of last messages in the lists. */
export const showChanged: OnInbound = async (db, stored) => {
  for (const { key, messages: changes } of byLine(stored.filter(changesMessage))) {
    await run(db, show, [
      key.organizationId,
      key.senderId,
      textArray(changes.map(({ id }) => id)),
      textArray(changes.map(({ body }) => excerptOf(body))),
    ])
  }
}
