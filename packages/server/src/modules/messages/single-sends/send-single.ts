import type { Channel } from '@carillon/contract/channels'
import { channelTraits } from '@carillon/contract/channels/table'
import { getChannel } from '../../../channels/index.ts'
import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import { newId } from '../../../lib/ids.ts'
import { countryOf, createPhoneReader } from '../../../lib/phone.ts'
import { badField, conflict, Problem } from '../../../lib/problem.ts'
import { assertMaySend, assertWithinLimits } from '../../accounts/index.ts'
import { explainReject } from '../../audience/index.ts'
import { findRate, freezeShares, holdShares, placeHold, type Rate } from '../../balance/index.ts'
import { findWindow, type ServiceWindow } from '../inbound/inbound-contacts.ts'
import { conversationIdOf } from '../inbound/inbound.ts'
import { wakeLanes } from '../engine/plan-campaign.ts'

export type SingleSend = {
  organizationId: string
  /** The sending account and its scope. */
  accountId: string
  path: string
  senderId: string
  kind: 'test' | 'api' | 'reply'
  /** The campaign for which it is a test. */
  campaignId?: string
  channel: Channel
  /** E.164, with or without its plus sign; absent if the channel does not reveal it. */
  phoneNumber?: string
  /** The person as the channel identifies them; default: the digits of the number. */
  identity?: string
  header: string
  text: string
  /** Content of a message that is more than text, in its channel's format. */
  content?: { type: string; [field: string]: unknown }
  category: string
  /** Not sent to people who opted out of marketing only; absent: follows from the category. */
  isMarketing?: boolean
  country?: string
  entityId?: string | undefined
  dltTemplateId?: string | undefined
  /** The caller's own reference. */
  reference?: string
  /** When the message expires; the default is a day. On channels with a service window, at its end if that is sooner. */
  expiresAt?: Date
  reply?: SingleReply
}

/** What a reply of a member has besides its message. */
export type SingleReply = {
  authorId: string
  /** The account that acts as the author. */
  impersonatedBy: string | undefined
  /** Of two messages of a conversation with the same one, the second is refused. */
  clientId: string | undefined
  /** The provider's id of the message that it answers. */
  inReplyTo: string | undefined
  /** The opt-out after which the person wrote again; a later one prevents the message. */
  optedOutAt: string | undefined
}

export type AcceptedSingle = { messageId: string; parts: number; /** Ledger units. */ cost: number }

/** Accepts one message in the caller's transaction: holds its cost, and adds it to its sender's priority queue. */
export async function sendSingle(db: Db, send: SingleSend): Promise<AcceptedSingle> {
  const { channel } = send
  const { reachesLandlines, hasServiceWindow } = channelTraits[channel]
  await assertMaySend(db, send.path)
  if (!reachesLandlines) assertNoLandline(send)
  const person = personOf(send)
  const rate = await findPrice(db, send, person.country)
  const window = hasServiceWindow ? await getWindow(db, send, person.identity) : undefined
  const { parts } = getChannel(channel).countParts(send.text)
  const id = newId()
  const cost = parts * rate.price
  await assertWithinLimits(db, send.path, { messages_per_day: 1, messages_per_month: 1, spend_per_day: cost })
  const holdId = await holdCost(db, send, { id, cost, price: rate.price, country: person.country })
  await storeSingle(db, send, { id, person, holdId })
  await queueSingle(db, send, { id, person, holdId, parts, rate, window })
  wakeLanes(db)
  return { messageId: id, parts, cost }
}

type PersonOfSend = {
  /** Null if the channel does not reveal it. */ phone: number | null
  identity: string
  country: string
}

function personOf({ channel, phoneNumber, identity, country }: SingleSend): PersonOfSend {
  if (phoneNumber === undefined) {
    const id = identity ?? ''
    // Empty if it is unknown: then only prices of every country apply.
    return { phone: null, identity: id, country: country ?? getChannel(channel).countryOf?.(id) ?? '' }
  }
  const phone = Number(phoneNumber.replace('+', ''))
  return { phone, identity: identity ?? String(phone), country: country ?? countryOf(phone) }
}

type Cost = { id: string; cost: number; price: number; country: string }

/** Returns the id of the hold. */
async function holdCost(
  db: Db,
  { organizationId, accountId, channel, category }: SingleSend,
  { id, cost: amount, price, country }: Cost,
): Promise<string> {
  const hold = await placeHold(db, { organizationId, accountId, amount, opKey: `single:${id}` })
  const shares = { organizationId, campaignId: id }
  await freezeShares(db, { ...shares, leg: 0, price, channel, category, country })
  await holdShares(db, { ...shares, holdId: hold.id, amount })
  return hold.id
}

type Stored = { id: string; person: PersonOfSend; holdId: string }

/** The columns that a message keeps when it leaves the queue. */
function columnsOf(send: SingleSend, { id, person, holdId }: Stored) {
  const { phone, identity } = person
  return {
    organization_id: send.organizationId,
    id,
    sender_id: send.senderId,
    account_id: send.accountId,
    path: send.path,
    kind: send.kind,
    campaign_id: send.campaignId ?? null,
    phone,
    identity: identity === String(phone) ? null : identity,
    header: send.header,
    text: send.text,
    hold_id: holdId,
    created_on: sql<string>`current_date`,
  }
}

async function storeSingle(db: Db, send: SingleSend, stored: Stored): Promise<void> {
  const { content, reference, reply } = send
  await db
    .insertInto('single_sends')
    .values({
      ...columnsOf(send, stored),
      conversation_id: conversationIdOf(send, stored.person.identity),
      content: content ? JSON.stringify(content) : null,
      reference: reference ?? null,
      author_id: reply?.authorId ?? null,
      impersonated_by: reply?.impersonatedBy ?? null,
      client_id: reply?.clientId ?? null,
      in_reply_to: reply?.inReplyTo ?? null,
    })
    .execute()
}

type Price = Pick<Rate, 'price' | 'billableOn'>
type Queued = Stored & { parts: number; rate: Price; window: ServiceWindow | undefined }

async function queueSingle(db: Db, send: SingleSend, queued: Queued): Promise<void> {
  const { parts, rate, window } = queued
  const latest = send.expiresAt ?? new Date(Date.now() + 86_400_000)
  const endsWithWindow = window !== undefined && window.expiresAt <= latest
  await db
    .insertInto('priority_messages')
    .values({
      ...columnsOf(send, queued),
      details: JSON.stringify({
        category: send.category,
        isMarketing: send.isMarketing,
        entityId: send.entityId,
        dltTemplateId: send.dltTemplateId,
        content: send.content,
        inReplyTo: send.reply?.inReplyTo,
        optedOutAt: send.reply?.optedOutAt,
        ...(endsWithWindow ? { endsWithWindow } : {}),
      }),
      priority: send.kind === 'reply' ? replyPriority : otherPriority,
      parts,
      price: rate.price,
      billable_on: rate.billableOn,
      expires_at: endsWithWindow ? window.expiresAt : latest,
    })
    .execute()
}

/** Replies are sent before other single sends of the lane: a person waits for them. */
const [replyPriority, otherPriority] = [0, 1]

/** Content that a channel does not charge for is free unless a rate card has a price for it. */
async function findPrice(db: Db, { organizationId, channel, category }: SingleSend, country: string): Promise<Price> {
  const rate = await findRate(db, { organizationId, channel, category, country })
  if (rate) return rate
  if (category === getChannel(channel).freeCategory) return { price: 0, billableOn: 'sent' }
  throw conflict('There is no price for this message yet: ask your administrator to add a rate')
}

const readInternational = createPhoneReader('')

/** The same rule as for uploads, which reject such numbers. */
function assertNoLandline({ phoneNumber, channel }: SingleSend): void {
  if (phoneNumber === undefined) return
  const reading = readInternational(phoneNumber.startsWith('+') ? phoneNumber : `+${phoneNumber}`)
  const problem = 'problem' in reading ? reading.problem : reading.fixedLine
  if (problem) throw badField('phoneNumber', explainReject(problem, channelTraits[channel].label))
}

/** A template may be sent to anyone; other messages only to people who wrote within the day. */
async function getWindow(
  db: Db,
  { organizationId, senderId, content }: SingleSend,
  identity: string,
): Promise<ServiceWindow | undefined> {
  if (content?.type === 'template') return undefined
  const window = await findWindow(db, { organizationId, senderId, identity })
  if (window) return window
  const message = 'Outside the 24-hour window: only approved templates can be sent'
  throw new Problem('conflict', message, { details: [{ field: 'outside_window', message }] })
}
