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
  const { organizationId, accountId, senderId, channel, phoneNumber } = send
  const { reachesLandlines, hasServiceWindow } = channelTraits[channel]
  await assertMaySend(db, send.path)
  if (!reachesLandlines) assertNoLandline(send)
  const phone = phoneNumber === undefined ? null : Number(phoneNumber.replace('+', ''))
  const identity = send.identity ?? String(phone)
  const country = send.country ?? countryOfPerson(send, phone)
  const rate = await findPrice(db, send, country)
  const window = hasServiceWindow ? await getWindow(db, send, identity) : undefined
  const { parts } = getChannel(channel).countParts(send.text)
  const id = newId()
  const cost = parts * rate.price
  await assertWithinLimits(db, send.path, { messages_per_day: 1, messages_per_month: 1, spend_per_day: cost })
  const hold = await placeHold(db, { organizationId, accountId, amount: cost, opKey: `single:${id}` })
  const shares = { organizationId, campaignId: id }
  await freezeShares(db, { ...shares, leg: 0, price: rate.price, channel, category: send.category, country })
  await holdShares(db, { ...shares, holdId: hold.id, amount: cost })
  const expiresAt = send.expiresAt ?? new Date(Date.now() + 86_400_000)
  const endsWithWindow = window !== undefined && window.expiresAt <= expiresAt
  const shared = {
    organization_id: organizationId,
    id,
    sender_id: senderId,
    account_id: accountId,
    path: send.path,
    kind: send.kind,
    campaign_id: send.campaignId ?? null,
    phone,
    identity: identity === String(phone) ? null : identity,
    header: send.header,
    text: send.text,
    hold_id: hold.id,
    created_on: sql<string>`current_date`,
  }
  await db
    .insertInto('single_sends')
    .values({
      ...shared,
      conversation_id: conversationIdOf({ organizationId, senderId }, identity),
      content: send.content ? JSON.stringify(send.content) : null,
      reference: send.reference ?? null,
      author_id: send.reply?.authorId ?? null,
      impersonated_by: send.reply?.impersonatedBy ?? null,
      client_id: send.reply?.clientId ?? null,
      in_reply_to: send.reply?.inReplyTo ?? null,
    })
    .execute()
  await db
    .insertInto('priority_messages')
    .values({
      ...shared,
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
      expires_at: endsWithWindow ? window.expiresAt : expiresAt,
    })
    .execute()
  await wakeLanes(db)
  return { messageId: id, parts, cost }
}

/** Replies are sent before other single sends of the lane: a person waits for them. */
const [replyPriority, otherPriority] = [0, 1]

/** Empty if it is unknown: then only prices of every country apply. */
function countryOfPerson({ channel, identity = '' }: SingleSend, phone: number | null): string {
  return phone === null ? (getChannel(channel).countryOf?.(identity) ?? '') : countryOf(phone)
}

/** Content that a channel does not charge for is free unless a rate card has a price for it. */
async function findPrice(
  db: Db,
  { organizationId, channel, category }: SingleSend,
  country: string,
): Promise<Pick<Rate, 'price' | 'billableOn'>> {
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
