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
import { findRate, freezeShares, holdShares, placeHold } from '../../balance/index.ts'
import { findWindow } from '../inbound/inbound-contacts.ts'
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
  /** E.164, with or without its plus sign. */
  phoneNumber: string
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
  /** When the message expires; the default is a day. */
  expiresAt?: Date
}

export type AcceptedSingle = { messageId: string; parts: number; /** Ledger units. */ cost: number }

/** Accepts one message in the caller's transaction: holds its cost, and adds it to its sender's priority queue. */
export async function sendSingle(db: Db, send: SingleSend): Promise<AcceptedSingle> {
  const { organizationId, accountId, senderId, channel } = send
  const { reachesLandlines, hasServiceWindow } = channelTraits[channel]
  await assertMaySend(db, send.path)
  if (!reachesLandlines) assertNoLandline(send)
  const phone = Number(send.phoneNumber.replace('+', ''))
  const country = send.country ?? countryOf(phone)
  const rate = await findRate(db, { organizationId, channel, category: send.category, country })
  if (!rate) throw conflict('There is no price for this message yet: ask your administrator to add a rate')

  if (hasServiceWindow) await assertMayWriteFreely(db, send, String(phone))
  const { parts } = getChannel(channel).countParts(send.text)
  const id = newId()
  const cost = parts * rate.price
  await assertWithinLimits(db, send.path, { messages_per_day: 1, messages_per_month: 1, spend_per_day: cost })
  const hold = await placeHold(db, { organizationId, accountId, amount: cost, opKey: `single:${id}` })
  const shares = { organizationId, campaignId: id }
  await freezeShares(db, { ...shares, leg: 0, price: rate.price, channel, category: send.category, country })
  await holdShares(db, { ...shares, holdId: hold.id, amount: cost })
  const expiresAt = send.expiresAt ?? new Date(Date.now() + 86_400_000)
  const shared = {
    organization_id: organizationId,
    id,
    sender_id: senderId,
    account_id: accountId,
    path: send.path,
    kind: send.kind,
    campaign_id: send.campaignId ?? null,
    phone,
    header: send.header,
    text: send.text,
    hold_id: hold.id,
    created_on: sql<string>`current_date`,
  }
  await db
    .insertInto('single_sends')
    .values({ ...shared, reference: send.reference ?? null })
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
      }),
      parts,
      price: rate.price,
      billable_on: rate.billableOn,
      expires_at: expiresAt,
    })
    .execute()
  await wakeLanes(db)
  return { messageId: id, parts, cost }
}

const readInternational = createPhoneReader('')

/** The same rule as for uploads, which reject such numbers. */
function assertNoLandline({ phoneNumber, channel }: SingleSend): void {
  const reading = readInternational(phoneNumber.startsWith('+') ? phoneNumber : `+${phoneNumber}`)
  const problem = 'problem' in reading ? reading.problem : reading.fixedLine
  if (problem) throw badField('phoneNumber', explainReject(problem, channelTraits[channel].label))
}

/** A template may be sent to anyone; other messages only to people who wrote within the day. */
async function assertMayWriteFreely(
  db: Db,
  { organizationId, senderId, content }: SingleSend,
  identity: string,
): Promise<void> {
  if (content?.type === 'template') return
  if (await findWindow(db, { organizationId, senderId, identity })) return
  const message = 'Outside the 24-hour window: only approved templates can be sent'
  throw new Problem('conflict', message, { details: [{ field: 'outside_window', message }] })
}
