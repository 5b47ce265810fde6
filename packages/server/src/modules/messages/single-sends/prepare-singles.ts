import { channelTraits } from '@carillon/contract/channels/table'
import { getChannel } from '../../../channels/index.ts'
import type { Db } from '../../../db/pool.ts'
import { newId } from '../../../lib/ids.ts'
import { countryOf, createPhoneReader } from '../../../lib/phone.ts'
import { badField, conflict, Problem } from '../../../lib/problem.ts'
import { accountSuspended, holdMaySend } from '../../accounts/index.ts'
import { explainReject } from '../../audience/index.ts'
import { findRates, type Rate } from '../../balance/index.ts'
import { findWindows, type ServiceWindow } from '../inbound/inbound-contacts.ts'
import { conversationIdOf } from '../inbound/inbound.ts'
import type { SingleReply, SingleSend } from './single-send.ts'

/** A message that may be sent, with its price. */
export type PreparedSingle = {
  id: string
  accountId: string
  path: string
  /** Ledger units. */
  cost: number
  /** The argument of `accept_singles`. */
  entry: SingleEntry
}

/** The fields of the type `new_single` in the database. */
type SingleEntry = ReturnType<typeof writeEntry>

/** Checks accounts, numbers, prices and service windows: each message prepared, or the reason why it is refused. */
export async function prepareSingles(
  db: Db,
  organizationId: string,
  sends: readonly SingleSend[],
): Promise<(PreparedSingle | Problem)[]> {
  const singles = sends.map((send) => ({ send, person: personOf(send) }))
  const maySend = await holdMaySend(db, [...new Set(sends.map(({ path }) => path))])
  const rates = await findPrices(db, organizationId, singles)
  const windows = await findOpenWindows(db, organizationId, singles)
  return singles.map((single, index): PreparedSingle | Problem => {
    const rate = rates[index]
    const refusal = (maySend.has(single.send.path) ? undefined : accountSuspended()) ?? findNumberProblem(single.send)
    if (refusal) return refusal
    if (!rate) return conflict('There is no price for this message yet: ask your administrator to add a rate')
    const window = windows.get(index)
    return needsWindow(single.send) && !window ? outsideWindow() : price(single, { rate, window })
  })
}

type Person = {
  /** Null if the channel does not reveal it. */ phone: number | null
  identity: string
  country: string
}

type Single = { send: SingleSend; person: Person }

function personOf({ channel, phoneNumber, identity, country }: SingleSend): Person {
  if (phoneNumber === undefined) {
    const id = identity ?? ''
    // Empty if it is unknown: then only prices of every country apply.
    return { phone: null, identity: id, country: country ?? getChannel(channel).countryOf?.(id) ?? '' }
  }
  const phone = Number(phoneNumber.replace('+', ''))
  return { phone, identity: identity ?? String(phone), country: country ?? countryOf(phone) }
}

const readInternational = createPhoneReader('')

/** Why nothing can be sent to the number: the rule for uploads, which reject such numbers. */
export function findNumberProblem({
  phoneNumber,
  channel,
}: Pick<SingleSend, 'phoneNumber' | 'channel'>): Problem | undefined {
  const { reachesLandlines, label } = channelTraits[channel]
  if (reachesLandlines || phoneNumber === undefined) return undefined
  const reading = readInternational(phoneNumber.startsWith('+') ? phoneNumber : `+${phoneNumber}`)
  const problem = 'problem' in reading ? reading.problem : reading.fixedLine
  return problem && badField('phoneNumber', explainReject(problem, label))
}

type Price = Pick<Rate, 'price' | 'billableOn'>

/** The price of each message; undefined if it has none. */
async function findPrices(db: Db, organizationId: string, singles: readonly Single[]): Promise<(Price | undefined)[]> {
  const keyOf = ({ send: { channel, category }, person: { country } }: Single) => `${channel} ${country} ${category}`
  const kinds = [...new Map(singles.map((single) => [keyOf(single), single]))]
  const rates = await findRates(
    db,
    organizationId,
    kinds.map(([, { send, person }]) => ({
      channel: send.channel,
      category: send.category,
      country: person.country,
    })),
  )
  const rateByKey = new Map(kinds.map(([key], index) => [key, rates[index]]))
  return singles.map((single) => rateByKey.get(keyOf(single)) ?? findFreePrice(single.send))
}

/** Content that a channel does not charge for is free unless a rate card has a price for it. */
function findFreePrice({ channel, category }: SingleSend): Price | undefined {
  return category === getChannel(channel).freeCategory ? { price: 0, billableOn: 'sent' } : undefined
}

/** A template may be sent to anyone; other messages only to people who wrote within the day. */
function needsWindow({ channel, content }: SingleSend): boolean {
  return channelTraits[channel].hasServiceWindow && content?.type !== 'template'
}

/** The open service windows, by the index of the message. */
async function findOpenWindows(
  db: Db,
  organizationId: string,
  singles: readonly Single[],
): Promise<ReadonlyMap<number, ServiceWindow>> {
  const asked = singles.flatMap(({ send, person }, index) =>
    needsWindow(send) ? [{ index, senderId: send.senderId, identity: person.identity }] : [],
  )
  if (asked.length === 0) return new Map()
  const windows = await findWindows(db, organizationId, asked)
  return new Map(
    asked.flatMap(({ index }, place) => {
      const window = windows[place]
      return window ? [[index, window]] : []
    }),
  )
}

function outsideWindow(): Problem {
  const message = 'Outside the 24-hour window: only approved templates can be sent'
  return new Problem('conflict', message, { details: [{ field: 'outside_window', message }] })
}

type Terms = { rate: Price; window: ServiceWindow | undefined }

function price(single: Single, terms: Terms): PreparedSingle {
  const entry = writeEntry(single, terms)
  const { accountId, path } = single.send
  return { id: entry.id, accountId, path, cost: entry.parts * entry.price, entry }
}

/** Urgent messages and replies are sent before other single sends of the lane: a person waits for them. */
const [urgentPriority, replyPriority, otherPriority] = [-1, 0, 1]

function priorityOf({ kind, isUrgent }: SingleSend): number {
  if (isUrgent) return urgentPriority
  return kind === 'reply' ? replyPriority : otherPriority
}

const noReply: Partial<SingleReply> = {}

function writeEntry({ send, person }: Single, { rate, window }: Terms) {
  const { phone, identity, country } = person
  const { authorId, impersonatedBy, clientId, inReplyTo, optedOutAt } = send.reply ?? noReply
  const latest = send.expiresAt ?? new Date(Date.now() + 86_400_000)
  const endsWithWindow = window !== undefined && window.expiresAt <= latest
  return {
    id: send.id ?? newId(),
    hold_id: newId(),
    account_id: send.accountId,
    path: send.path,
    sender_id: send.senderId,
    kind: send.kind,
    campaign_id: send.campaignId,
    phone,
    identity: identity === String(phone) ? null : identity,
    header: send.header,
    text: send.text,
    conversation_id: conversationIdOf(send, identity),
    content: send.content,
    stored_text: send.stored?.text,
    stored_content: send.stored?.content,
    reference: send.reference,
    author_id: authorId,
    impersonated_by: impersonatedBy,
    client_id: clientId,
    in_reply_to: inReplyTo,
    metadata: send.metadata,
    send_at: send.sendAt,
    priority: priorityOf(send),
    details: {
      category: send.category,
      isMarketing: send.isMarketing,
      entityId: send.entityId,
      dltTemplateId: send.dltTemplateId,
      content: send.content,
      inReplyTo,
      optedOutAt,
      ...(send.repeatsIfUnanswered ? { repeatsIfUnanswered: true } : {}),
      ...(endsWithWindow ? { endsWithWindow } : {}),
    },
    parts: getChannel(send.channel).countParts(send.text).parts,
    price: rate.price,
    billable_on: rate.billableOn,
    expires_at: (endsWithWindow ? window.expiresAt : latest).toISOString(),
    channel: send.channel,
    category: send.category,
    country,
  }
}
