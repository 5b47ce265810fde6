import type { Db } from '../db/pool.ts'
import { newId } from '../lib/ids.ts'
import type { Account } from './builders.ts'

type Own = Record<
  | 'mark'
  | 'team'
  | 'smsAccount'
  | 'cannedReply'
  | 'file'
  | 'conversation'
  | 'inboundMessage'
  | 'scheduledReply'
  | 'contact'
  | 'contactChange',
  string
>

/** The account as an agent, with a team, a canned reply and a conversation. */
export async function addInbox(db: Db, { id: account_id, organizationId: organization_id }: Account, own: Own) {
  await db
    .insertInto('live_agents')
    .values({ organization_id, account_id, skills: [`Skill ${own.mark}`] })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await db
    .insertInto('teams')
    .values({ organization_id, id: own.team, name: `Team ${own.mark} ${own.team}` })
    .execute()
  await db.insertInto('team_members').values({ organization_id, team_id: own.team, account_id }).execute()
  await db.insertInto('team_lines').values({ organization_id, team_id: own.team, sender_id: own.smsAccount }).execute()
  await db
    .insertInto('canned_replies')
    .values({
      organization_id,
      id: own.cannedReply,
      shortcut: `hello-${own.cannedReply}`,
      text: `Hello from ${own.mark}`,
      created_by: account_id,
    })
    .execute()
  await addConversation(db, { account_id, organization_id }, own)
}

let people = 0

/** A conversation that the account holds, with a message, a planned reply and a contact that was merged. */
async function addConversation(
  db: Db,
  { account_id, organization_id }: { account_id: string; organization_id: string },
  own: Own,
) {
  people += 1
  const phone = 919_700_000_000 + people
  const person = { organization_id, channel: 'sms' as const, identity: String(phone) }
  const now = new Date()
  await db
    .insertInto('contact_identities')
    .values({ ...person, phone, name: `Person ${own.mark}`, contact_id: own.contact })
    .execute()
  await db
    .insertInto('contacts')
    .values({ organization_id, id: own.contact, name: `Contact ${own.mark}` })
    .execute()
  await db
    .insertInto('contact_changes')
    .values({
      organization_id,
      id: own.contactChange,
      kind: 'merge',
      from_contact_id: newId(),
      to_contact_id: own.contact,
      identities: JSON.stringify([{ channel: 'sms', identity: person.identity }]),
    })
    .execute()
  await db
    .insertInto('conversations')
    .values({
      ...person,
      id: own.conversation,
      sender_id: own.smsAccount,
      assignee_id: account_id,
      team_id: own.team,
      unread: 1,
      last_at: now,
      last_text: `Hello ${own.mark}`,
    })
    .execute()
  await db
    .insertInto('inbound_messages')
    .values({
      ...person,
      id: own.inboundMessage,
      sender_id: own.smsAccount,
      phone,
      sent_to: 'CARLLN',
      text: `Hello ${own.mark}`,
      dedupe_key: own.inboundMessage,
      received_at: now,
      content: JSON.stringify({ type: 'image' }),
      media_state: 'stored',
      file_id: own.file,
      conversation_id: own.conversation,
    })
    .execute()
  await db
    .insertInto('scheduled_replies')
    .values({
      organization_id,
      id: own.scheduledReply,
      conversation_id: own.conversation,
      author_id: account_id,
      content: JSON.stringify({ type: 'text', text: `Later ${own.mark}` }),
      send_at: new Date(now.getTime() + 86_400_000),
    })
    .execute()
}
