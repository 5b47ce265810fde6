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

/** Called with new messages in the transaction that stores them. They may be of several lines and organisations. */
export type OnInbound = (db: Queryable, stored: readonly StoredInbound[]) => Promise<void>

/** A message and the line on which it arrived. */
export type ReceivedInbound = { line: SenderKey; message: InboundMessage }

export type ReadInbound = Omit<StoredInbound, 'channel' | 'campaignId' | 'body'> & { message: InboundMessage }

const readPhone = createPhoneReader('IN')

/** Channels that identify people by more than a number. */
const withIdentities = channelsWith(({ hasServiceWindow }) => hasServiceWindow)

/** In the order of the keys, so that processes that received the same messages do not wait for each other in a circle. */
const insert: Statement = {
  name: 'insert-inbound',
  text: `
  with input as materialized (
    select * from jsonb_to_recordset($1::jsonb) as input (organization_id uuid, sender_id uuid, id uuid, phone bigint, sent_to text, text text,
      dedupe_key text, at timestamptz, identity text, in_reply_to text, content jsonb, has_media boolean, conversation_id uuid)
  ), replied as (
    select line.sender_id, campaign.phone, campaign.id
    from (select organization_id, sender_id, array_agg(phone) as phones from input group by organization_id, sender_id) line
    cross join lateral replied_campaigns(line.organization_id, line.sender_id, line.phones) campaign
  )
  insert into inbound_messages (organization_id, id, channel, sender_id, phone, sent_to, text, dedupe_key, received_at,
    identity, in_reply_to, content, media_state, campaign_id, conversation_id)
  select input.organization_id, input.id, sender.channel, input.sender_id, input.phone, input.sent_to, input.text, input.dedupe_key, input.at,
    case when sender.channel::text = any($2::text[]) then input.identity end, input.in_reply_to, input.content,
    case when input.has_media then 'waiting' end, replied.id, input.conversation_id
  from input
  join senders sender on sender.organization_id = input.organization_id and sender.id = input.sender_id
  left join replied on replied.sender_id = input.sender_id and replied.phone = input.phone
  order by input.sender_id, input.dedupe_key
  on conflict (organization_id, sender_id, dedupe_key) do nothing
  returning id, channel, campaign_id as "campaignId", (select sender.conversation_category is not null from senders sender
    where sender.organization_id = inbound_messages.organization_id and sender.id = inbound_messages.sender_id) as "opensConversations"`,
}

type Inserted = { id: string; channel: Channel; campaignId: string | null; opensConversations: boolean }

/**
 * Stores inbound messages, each once, and applies opt-outs and opt-ins in the same transaction: a slice whose watermark moves
 * after its commit skips the person. Messages from non-numbers, such as an operator's own header, are ignored.
 */
export async function storeInbound(
  db: Queryable,
  received: readonly ReceivedInbound[],
  onInbound: OnInbound | undefined,
): Promise<StoredInbound[]> {
  const read = received.flatMap(readMessage)
  if (read.length === 0) return []
  const readable = await markRepeats(db, read)
  const rows = await run<Inserted>(db, insert, [JSON.stringify(readable.map(rowOf)), textArray(withIdentities)])
  const known = new Map(rows.map((row) => [row.id, row]))
  const stored = readable.flatMap((read) => {
    const row = known.get(read.id)
    if (!row) return []
    const body = getChannel(row.channel).readBody({ text: read.text, content: read.message.content ?? null })
    return [{ ...read, body, channel: row.channel, campaignId: row.campaignId ?? undefined }]
  })
  if (stored.length === 0) return []
  const lines = byLine(stored)
  await announce(db, lines)
  for (const line of lines) await countReplies(db, line)
  await saveContacts(db, stored)
  await saveWindows(db, stored)
  await onInbound?.(db, stored)
  for (const { id, organizationId, message } of stored)
    if (mediaIdOf(message.content) !== undefined) await enqueueMedia(db, { organizationId, id })
  // In the order of their times: a later start cancels a stop.
  for (const message of stored.toSorted((one, other) => one.at.getTime() - other.at.getTime())) {
    if (message.request) await obey(db, message, message)
  }
  // Last, because balances stay locked until the commit.
  for (const { key, messages } of lines)
    if (messages.some(({ id }) => known.get(id)?.opensConversations)) await chargeReplies(db, key, repliesOf(messages))
  return stored
}

function rowOf({ phone, sentTo, conversationId, message, ...read }: ReadInbound) {
  return {
    organization_id: read.organizationId,
    sender_id: read.senderId,
    id: read.id,
    phone,
    sent_to: sentTo,
    text: read.text,
    dedupe_key: message.dedupeKey,
    at: read.at,
    identity: read.identity,
    in_reply_to: message.inReplyTo,
    content: message.content,
    has_media: mediaIdOf(message.content) !== undefined,
    conversation_id: conversationId,
  }
}

function repliesOf(stored: readonly (StoredInbound & { message: InboundMessage })[]): { phone: number; at: Date }[] {
  return stored.flatMap(({ phone, at, message }) => (phone === undefined || message.isAction ? [] : [{ phone, at }]))
}

type Line<Message> = { key: SenderKey; messages: Message[] }

/** The messages of each line. Lines are in the order of their organisations, in which balances are locked. */
export function byLine<Message extends SenderKey>(messages: readonly Message[]): Line<Message>[] {
  return [...Map.groupBy(messages, ({ senderId }) => senderId).values()]
    .flatMap((ofLine) => (ofLine[0] ? [{ key: ofLine[0], messages: ofLine }] : []))
    .toSorted(({ key: one }, { key: other }) => (one.organizationId < other.organizationId ? -1 : 1))
}

async function announce(db: Queryable, lines: readonly Line<StoredInbound>[]): Promise<void> {
  await db.query(
    insertEvents(
      lines.map(({ key: { organizationId, senderId }, messages }) => {
        const subjectIds = messages.map(({ id }) => id)
        return { type: 'message.received', organizationId, subjectIds, payload: { senderId } }
      }),
    ),
  )
}

function readMessage({ line: { organizationId, senderId }, message }: ReceivedInbound): ReadInbound[] {
  const reading = readPhone(/^\d{11,}$/.test(message.from) ? `+${message.from}` : message.from)
  const phone = 'phone' in reading ? reading.phone : undefined
  const identity = message.identity?.id ?? (phone === undefined ? '' : String(phone))
  if (!identity) return []
  const text = truncate(message.text, 4096)
  const { to: sentTo, at, isAction = false } = message
  const alias = message.identity?.alias
  const key = { organizationId, senderId }
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

async function countReplies(db: Queryable, { key, messages }: Line<StoredInbound>): Promise<void> {
  const campaigns = new Map(
    messages.flatMap(({ phone, campaignId }) =>
      phone === undefined || campaignId === undefined ? [] : [[phone, campaignId]],
    ),
  )
  if (campaigns.size === 0) return
  await run(db, count, [
    key.organizationId,
    key.senderId,
    numberArray([...campaigns.keys()]),
    textArray(messages.map(({ id }) => id)),
    textArray([...campaigns.values()]),
  ])
}
