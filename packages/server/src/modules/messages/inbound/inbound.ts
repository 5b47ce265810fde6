import { channelsWith, getChannel } from '../../../channels/index.ts'
import { truncate } from '@carillon/contract/text'
import type { Channel } from '@carillon/contract/channels'
import type { InboundMessage, PreferenceChange } from '../../../channels/provider.ts'
import { insertEvents } from '../../../events/record-events.ts'
import { hashedId, newId } from '../../../lib/ids.ts'
import { createPhoneReader } from '../../../lib/phone.ts'
import { saveContacts, saveIdentityOptOut, savePreference, saveWindows } from './inbound-contacts.ts'
import { chargeReplies } from '../conversation-charges/charge-replies.ts'
import { enqueueMedia, mediaIdOf } from './inbound-media.ts'
import { optIn, optOut } from '../../audience/index.ts'
import { findOptOutKeyword } from './opt-out-keywords.ts'
import { markRepeats } from './second-thoughts.ts'
import type { StoredInbound } from './stored-inbound.ts'
import type { SenderKey } from '../reports/reports.queries.ts'
import { numberArray, run, textArray, type Queryable, type Statement } from '../statements.ts'

/** Called with new messages in the transaction that stores them. */
export type OnInbound = (db: Queryable, key: SenderKey, stored: readonly StoredInbound[]) => Promise<void>

export type ReadInbound = Omit<StoredInbound, 'channel' | 'campaignId' | 'body'> & { message: InboundMessage }

const readPhone = createPhoneReader('IN')

/** Channels that identify people by more than a number. */
const withIdentities = channelsWith(({ hasServiceWindow }) => hasServiceWindow)

const insert: Statement = {
  name: 'insert-inbound',
  text: `
  insert into inbound_messages (organization_id, id, channel, sender_id, phone, sent_to, text, dedupe_key, received_at,
    identity, in_reply_to, content, media_state, campaign_id, conversation_id)
  select $1, input.id, sender.channel, $2, input.phone, input.sent_to, input.text, input.dedupe_key, input.at,
    case when sender.channel::text = any($13::text[]) then input.identity end, input.in_reply_to, input.content, case when input.has_media then 'waiting' end,
    campaign.id, input.conversation_id
  from unnest($3::uuid[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::timestamptz[], $9::text[], $10::text[],
      $11::jsonb[], $12::boolean[], $14::uuid[])
    as input (id, phone, sent_to, text, dedupe_key, at, identity, in_reply_to, content, has_media, conversation_id)
  join senders sender on sender.organization_id = $1 and sender.id = $2
  left join replied_campaigns($1, $2, $4::bigint[]) campaign on campaign.phone = input.phone
  on conflict (organization_id, sender_id, dedupe_key) do nothing
  returning id, channel, campaign_id as "campaignId",
    (select conversation_category is not null from senders where organization_id = $1 and id = $2) as "opensConversations"`,
}

type Inserted = { id: string; channel: Channel; campaignId: string | null; opensConversations: boolean }

/**
 * Stores inbound messages, each once, and applies opt-outs and opt-ins in the same transaction: a slice whose watermark moves
 * after its commit skips the person. Messages from non-numbers, such as an operator's own header, are ignored.
 */
export async function storeInbound(
  db: Queryable,
  key: SenderKey,
  { messages, onInbound }: { messages: readonly InboundMessage[]; onInbound?: OnInbound | undefined },
): Promise<StoredInbound[]> {
  const read = messages.flatMap((message) => readMessage(key, message))
  if (read.length === 0) return []
  const readable = await markRepeats(db, key, read)
  const rows = await run<Inserted>(db, insert, [
    key.organizationId,
    key.senderId,
    textArray(readable.map(({ id }) => id)),
    numberArray(readable.map(({ phone }) => phone ?? null)),
    textArray(readable.map(({ sentTo }) => sentTo)),
    textArray(readable.map(({ text }) => text)),
    textArray(readable.map(({ message }) => message.dedupeKey)),
    textArray(readable.map(({ at }) => at.toISOString())),
    textArray(readable.map(({ identity }) => identity)),
    textArray(readable.map(({ message }) => message.inReplyTo)),
    textArray(readable.map(({ message }) => (message.content ? JSON.stringify(message.content) : null))),
    `{${readable.map(({ message }) => mediaIdOf(message.content) !== undefined).join(',')}}`,
    textArray(withIdentities),
    textArray(readable.map(({ conversationId }) => conversationId)),
  ])
  const known = new Map(rows.map((row) => [row.id, row]))
  const stored = readable.flatMap((read) => {
    const row = known.get(read.id)
    if (!row) return []
    const body = getChannel(row.channel).readBody({ text: read.text, content: read.message.content ?? null })
    return [{ ...read, body, channel: row.channel, campaignId: row.campaignId ?? undefined }]
  })
  await announce(db, key, stored)
  await countReplies(db, key, stored)
  await saveContacts(db, key, stored)
  await saveWindows(db, key, stored)
  if (stored.length > 0) await onInbound?.(db, key, stored)
  for (const { id, message } of stored)
    if (mediaIdOf(message.content) !== undefined) await enqueueMedia(db, { organizationId: key.organizationId, id })
  // In the order of their times: a later start cancels a stop.
  for (const message of stored.toSorted((one, other) => one.at.getTime() - other.at.getTime())) {
    if (message.request) await obey(db, key, message)
  }
  // Last, because balances stay locked until the commit.
  if (rows.some(({ opensConversations }) => opensConversations)) await chargeReplies(db, key, repliesOf(stored))
  return stored
}

function repliesOf(stored: readonly (StoredInbound & { message: InboundMessage })[]): { phone: number; at: Date }[] {
  return stored.flatMap(({ phone, at, message }) => (phone === undefined || message.isAction ? [] : [{ phone, at }]))
}

async function announce(
  db: Queryable,
  { organizationId, senderId }: SenderKey,
  stored: readonly StoredInbound[],
): Promise<void> {
  if (stored.length === 0) return
  const subjectIds = stored.map(({ id }) => id)
  await db.query(insertEvents([{ type: 'message.received', organizationId, subjectIds, payload: { senderId } }]))
}

function readMessage(key: SenderKey, message: InboundMessage): ReadInbound[] {
  const reading = readPhone(/^\d{11,}$/.test(message.from) ? `+${message.from}` : message.from)
  const phone = 'phone' in reading ? reading.phone : undefined
  const identity = message.identity?.id ?? (phone === undefined ? '' : String(phone))
  if (!identity) return []
  const text = truncate(message.text, 4096)
  const { to: sentTo, at, isAction = false } = message
  const alias = message.identity?.alias
  const read = { ...key, phone, identity, alias, sentTo, text, at, isAction, message }
  return [
    {
      ...read,
      id: newId(),
      conversationId: conversationIdOf(key, identity),
      type: message.content?.type ?? 'text',
      request: findOptOutKeyword(text)?.request,
    },
  ]
}

/** The id of a person's conversation with a sender, the same in every process. */
export function conversationIdOf({ organizationId, senderId }: SenderKey, identity: string): string {
  return hashedId(`${organizationId}:${senderId}:${identity}`)
}

const countOptOut: Statement = {
  name: 'count-opt-out',
  text: `
  insert into counter_deltas (organization_id, leg, account_id, channel, opted_out)
  select $1, 0, created_by, $3::channel, 1 from senders where organization_id = $1 and id = $2`,
}

type Obeyed = Pick<StoredInbound, 'request' | 'phone' | 'identity' | 'text' | 'at' | 'campaignId'> & {
  isInApp?: boolean
}

async function obey(
  db: Queryable,
  { organizationId, senderId }: SenderKey,
  { request, phone, identity, text, at, campaignId, isInApp = false }: Obeyed,
): Promise<void> {
  // Campaigns go to numbers, so people without a visible number are in none. They can be answered.
  if (phone === undefined)
    return isInApp ? undefined : saveIdentityOptOut(db, { organizationId, senderId }, { identity, request, at })
  if (request === 'in') return optIn(db, { organizationId, senderId }, { phone, isInApp })
  const keyword = truncate(text.trim(), 40)
  const added = await optOut(db, { organizationId, senderId }, { phone, keyword, at, isInApp, campaignId })
  if (added) await run(db, countOptOut, [organizationId, senderId, added.channel])
}

/** A preference set in the provider's app; people without a visible number are stored by identity. */
export async function storePreferences(
  db: Queryable,
  key: SenderKey,
  changes: readonly PreferenceChange[],
): Promise<void> {
  for (const { from, wantsNone, at } of changes.toSorted((one, other) => one.at.getTime() - other.at.getTime())) {
    const reading = readPhone(/^\d{11,}$/.test(from) ? `+${from}` : from)
    const phone = 'phone' in reading ? reading.phone : undefined
    const identity = phone === undefined ? from : String(phone)
    await savePreference(db, key, { identity, phone, wantsNone, at })
    const request = wantsNone ? 'out' : 'in'
    await obey(db, key, {
      request,
      phone,
      identity,
      text: 'asked in the app',
      at,
      campaignId: undefined,
      isInApp: true,
    })
  }
}

/** The campaign that was replied to; a second reply does not count. */
const count: Statement = {
  name: 'count-replies',
  text: `
  insert into counter_deltas (organization_id, campaign_id, leg, account_id, channel, replied, left_on)
  select $1, campaign.id, campaign.leg, campaign.created_by, campaign.channel, count(*), campaign.left_on
  from unnest($3::bigint[], $5::uuid[]) as reply (phone, campaign_id)
  join replied_campaigns($1, $2, $3::bigint[], $5::uuid[]) campaign on campaign.phone = reply.phone
  where not exists (
    select from inbound_messages earlier
    where earlier.organization_id = $1 and earlier.phone = reply.phone and earlier.sender_id = $2
      and earlier.received_at >= campaign.started_at and earlier.id <> all($4::uuid[])
  )
  group by campaign.id, campaign.leg, campaign.created_by, campaign.channel, campaign.left_on`,
}

async function countReplies(
  db: Queryable,
  { organizationId, senderId }: SenderKey,
  stored: readonly Pick<StoredInbound, 'id' | 'phone' | 'campaignId'>[],
): Promise<void> {
  const campaigns = new Map(
    stored.flatMap(({ phone, campaignId }) =>
      phone === undefined || campaignId === undefined ? [] : [[phone, campaignId]],
    ),
  )
  if (campaigns.size === 0) return
  await run(db, count, [
    organizationId,
    senderId,
    numberArray([...campaigns.keys()]),
    textArray(stored.map(({ id }) => id)),
    textArray([...campaigns.values()]),
  ])
}
