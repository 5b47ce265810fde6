import type { Channel } from '@carillon/contract/channels'
import type { InboundMessage } from '../../channels/provider.ts'
import type { Database } from '../../db/pool.ts'
import { eventChannel } from '../../events/domain-events.ts'
import { newId } from '../../lib/ids.ts'
import type { Account } from '../../testing/builders.ts'
import { applyProviderEvents, conversationIdOf } from '../messages/index.ts'
import { openConversations } from './inbox/open-conversations.ts'

export type Line = { organizationId: string; senderId: string }

/** A line of the organization. */
export async function buildLine(
  { systemPool }: Database,
  { organizationId, id }: Account,
  channel: Channel = 'whatsapp',
): Promise<Line> {
  const [senderId, providerAccountId] = [newId(), newId()]
  await systemPool.query(
    `insert into provider_accounts (organization_id, id, channel, provider, name, config, callback_key) values ($1, $2, $3, 'fake', 'Fake', '{}', $4)`,
    [organizationId, providerAccountId, channel, newId()],
  )
  await systemPool.query(
    `insert into senders (organization_id, id, provider_account_id, channel, name, headers, rate_per_second, is_active, created_by)
    values ($1, $2, $3, $4, $5, '{ACMEIN}', 1000, true, $6)`,
    [organizationId, senderId, providerAccountId, channel, `Line ${senderId.slice(-4)}`, id],
  )
  return { organizationId, senderId }
}

export type Written = Partial<Pick<InboundMessage, 'content' | 'inReplyTo' | 'at' | 'dedupeKey' | 'identity'>> & {
  from: string
  text?: string
}

/** Stores messages of people as the provider's callback does; returns the ids of new ones in the order of storing. */
export async function receive(database: Database, line: Line, ...messages: Written[]): Promise<string[]> {
  const events = messages.map(({ from, text = 'Hello', ...message }) => {
    const dedupeKey = newId()
    const at = new Date()
    return { kind: 'inbound-message' as const, from, to: '56161', text, dedupeKey, at, raw: text, ...message }
  })
  const { inbound, poison } = await applyProviderEvents(
    database.systemPool,
    { ...line, onInbound: openConversations },
    events,
  )
  if (poison.length > 0) throw poison[0]?.error
  database.notifySoon(eventChannel)
  return inbound.map(({ id }) => id)
}

export const chatOf = conversationIdOf

/** Sets columns of a conversation. */
export async function setConversation(
  { systemPool }: Database,
  chatId: string,
  fields: Record<string, unknown>,
): Promise<void> {
  const names = Object.keys(fields)
  const values = names.map((name, index) => `${name} = $${index + 2}`).join(', ')
  await systemPool.query(`update conversations set ${values} where id = $1`, [chatId, ...Object.values(fields)])
}

export type SentReply = {
  text?: string
  content?: object
  author?: Account
  at?: Date
  status?: string
  providerMessageId?: string
  inReplyTo?: string
  reason?: string
}

/** A reply as it is stored once its message was handed over. */
export async function reply(
  { systemPool }: Database,
  { organizationId, senderId }: Line,
  { author, ...sent }: SentReply & { chatId: string; author: Account },
): Promise<string> {
  const { chatId, text = 'Yes', content, at = new Date(), status, providerMessageId, inReplyTo, reason } = sent
  const id = idOf(at)
  await systemPool.query('select ensure_partitions($1::date, $1::date)', [at])
  await systemPool.query(
    `insert into single_sends (organization_id, id, created_on, sender_id, account_id, path, kind, phone, header, text, created_at,
      conversation_id, content, author_id, in_reply_to)
    values ($1, $2, $7::timestamptz::date, $3, $4, $5, 'reply', 919800000000, '', $6, $7, $8, $9, $4, $10)`,
    [organizationId, id, senderId, author.id, author.path, text, at, chatId, content ?? null, inReplyTo ?? null],
  )
  // By which its account and sender are found when it is settled.
  await systemPool.query(
    `insert into holds (organization_id, id, ledger_account, amount, op_key, account_id, sender_id)
    values ($1, $2, ledger_account_of($1, $4, 'balance'), 0, 'single:' || $3::uuid, $4, $5)`,
    [organizationId, newId(), id, author.id, senderId],
  )
  if (status)
    await systemPool.query(
      `insert into messages (organization_id, created_on, campaign_id, seq, leg, sender_id, phone, status, parts, price, provider_message_id, reason, sent_at)
      values ($1, $7::timestamptz::date, $2, 0, 0, $3, 919800000000, $4, 1, 100, $5, $6, $7)`,
      [organizationId, id, senderId, status, providerMessageId ?? null, reason ?? null, at],
    )
  return id
}

/** An id that was made at this time. */
function idOf(at: Date): string {
  const time = at.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}${newId().slice(13)}`
}

/** An entry of a thread besides messages. */
export async function addEvent(
  { systemPool }: Database,
  { organizationId, chatId }: { organizationId: string; chatId: string },
  event: { kind: string; actor?: Account; text?: string; details?: object; at?: Date },
): Promise<string> {
  const id = newId()
  const { kind, actor, text, details = {}, at = new Date() } = event
  await systemPool.query(
    `insert into conversation_events (organization_id, conversation_id, id, kind, actor_id, text, details, at) values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [organizationId, chatId, id, kind, actor?.id ?? null, text ?? null, details, at],
  )
  return id
}
