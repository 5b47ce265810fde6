import type { Channel } from '@carillon/contract/channels'
import type { CampaignResponse, FailureClass, MessageStatus } from '@carillon/contract/campaign-records'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import { toRupees } from '../../balance/index.ts'
import type { CampaignKey } from './campaign-numbers.ts'
import {
  chooseRecipients,
  joinClicker,
  ofCampaign,
  pageOf,
  statusOf,
  type RecipientFilter,
} from './choose-recipients.ts'
import { countRecipients, isFiltered } from './count-recipients.ts'
import { findListedCampaign, type ListedCampaign } from './listed-campaign.ts'

/** A recipient with the status of its message. */
export type Response = Omit<CampaignResponse, 'advice'>
export type ResponseList = { responses: Response[]; total: number }

export type ResponseQuery = CampaignKey &
  RecipientFilter & {
    page: number
    limit: number
    /** Recipients after this position, instead of a page. */
    after?: number | undefined
    number?: string | undefined
  }

export type ResponseRow = {
  seq: number
  phone: number
  channel: Channel
  status: MessageStatus
  reason: FailureClass | null
  code: string | null
  parts: number | null
  cost: number | null
  sent_at: Date | null
  delivered_at: Date | null
  failed_at: Date | null
  clicked_at: Date | null
  reply: string | null
}

/** The recipients of a campaign in file order. Without a filter a page is a range of the key, whatever its offset. */
export async function listResponses(db: Db, { number, ...query }: ResponseQuery): Promise<ResponseList> {
  if (number) return searchNumber(db, { ...query, number })
  const campaign = await findListedCampaign(db, query)
  return campaign ? listMatching(db, campaign, query) : { responses: [], total: 0 }
}

/**
 * Numbers that equal or begin with the digits are found by the index; only if there are none, numbers that contain them are
 * searched for.
 */
export async function searchNumber(
  db: Db,
  { number, ...query }: ResponseQuery & { number: string },
): Promise<ResponseList> {
  const digits = number.replaceAll(/\D/g, '')
  const campaign = digits === '' ? undefined : await findListedCampaign(db, query)
  if (!campaign) return { responses: [], total: 0 }
  const found = await listMatching(db, campaign, { ...query, number: beginsWith(digits) })
  if (found.total > 0) return found
  const contains = sql<boolean>`recipient.phone::text like ${`%${digits}%`}`
  return listMatching(db, campaign, { ...query, number: contains })
}

/**
 * Recipients whose number of 7 to 15 digits begins with these: one range for each length. An Indian number is also found without
 * its 91.
 */
export function beginsWith(digits: string): RawBuilder<boolean> {
  const prefixes = digits.startsWith('91') ? [digits] : [digits, `91${digits}`]
  const ranges = prefixes.flatMap((prefix) => {
    const lengths = Array.from(
      { length: Math.max(0, 16 - Math.max(7, prefix.length)) },
      (_, index) => Math.max(7, prefix.length) + index,
    )
    return lengths.map((length) => {
      const size = 10 ** (length - prefix.length)
      return sql<boolean>`recipient.phone between ${Number(prefix) * size}::bigint and ${(Number(prefix) + 1) * size - 1}::bigint`
    })
  })
  return ranges.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(ranges, sql` or `)})`
}

type Matching = Omit<ResponseQuery, 'number'> & { number?: RawBuilder<boolean> | undefined }

async function listMatching(db: Db, campaign: ListedCampaign, query: Matching): Promise<ResponseList> {
  const total = await countRecipients(db, campaign, query)
  if (total === 0) return { responses: [], total }
  const { page, limit, after } = query
  const offset = (page - 1) * limit
  const place = after !== undefined ? { after } : isFiltered(query) ? { after: -1, offset } : { after: offset - 1 }
  const rows = await readRows(db, campaign, pageOf(chooseRecipients(campaign, query), { ...place, limit }))
  return { responses: rows.map(presentResponse), total }
}

/** Recipients of no leg yet, by the one they will begin with. */
function startOf({ organizationId, campaignId, legs }: ListedCampaign): RawBuilder<number | null> {
  const starting = legs.filter(({ isStart }) => isStart).map(({ leg }) => leg)
  if (starting.length < 2) return sql`${starting[0] ?? null}::smallint`
  return sql`(select min(start.leg) from campaign_legs start
    where start.organization_id = ${organizationId}::uuid and start.campaign_id = ${campaignId}::uuid and start.leg = any(${starting}::smallint[])
      and (start.lo is null or (chosen.seq >= start.lo and chosen.seq < start.hi))
      and is_leg_member(start.organization_id, start.campaign_id, start.leg, chosen.seq))`
}

/** The channel of the leg that a recipient is listed with. */
export function joinLeg(campaign: ListedCampaign): RawBuilder<unknown> {
  const { organizationId, campaignId } = campaign
  return sql`left join campaign_legs own on own.organization_id = ${organizationId}::uuid and own.campaign_id = ${campaignId}::uuid
    and own.leg = coalesce(chosen.leg, ${startOf(campaign)})`
}

async function readRows(db: Db, campaign: ListedCampaign, page: RawBuilder<unknown>): Promise<ResponseRow[]> {
  const { organizationId, audienceId, channel, since } = campaign
  const { rows } = await sql<ResponseRow>`
    with chosen as materialized (${page})
    select chosen.seq, recipient.phone, coalesce(own.channel, ${channel}::channel) as channel, ${statusOf(campaign)} as status,
      message.reason, message.code, message.parts, charge_of(message.status, message.price, message.billable_on) as cost,
      message.sent_at, message.delivered_at, message.failed_at, clicker.first_at as clicked_at, reply.text as reply
    from chosen
    join recipients recipient on recipient.organization_id = ${organizationId}::uuid and recipient.audience_id = ${audienceId}::uuid
      and recipient.seq = chosen.seq
    left join messages message on ${ofCampaign(campaign)} and message.seq = chosen.seq and message.leg = chosen.leg
    ${joinLeg(campaign)}
    ${joinClicker(campaign)}
    left join lateral (
      select text from inbound_messages
      where organization_id = ${organizationId}::uuid and phone = recipient.phone and received_at >= ${since}
      order by received_at limit 1
    ) reply on true
    order by chosen.seq`.execute(db)
  return rows
}

/** Providers with minute precision or another clock may report an end before the send time. */
export function endedAt(sentAt: Date | null, at: Date | null): Date | null {
  return at && sentAt && at < sentAt ? sentAt : at
}

export function presentResponse(row: ResponseRow): Response {
  const deliveredAt = endedAt(row.sent_at, row.delivered_at)
  const failedAt = endedAt(row.sent_at, row.failed_at)
  return {
    seq: row.seq,
    phoneNumber: `+${row.phone}`,
    channel: row.channel,
    status: row.status,
    parts: row.parts ?? 0,
    cost: toRupees(row.cost ?? 0),
    ...(row.reason ? { reason: row.reason } : {}),
    ...(row.code ? { code: row.code } : {}),
    ...(row.sent_at ? { sentAt: row.sent_at.toISOString() } : {}),
    ...(deliveredAt ? { deliveredAt: deliveredAt.toISOString() } : {}),
    ...(failedAt ? { failedAt: failedAt.toISOString() } : {}),
    ...(row.clicked_at ? { clickedAt: row.clicked_at.toISOString() } : {}),
    ...(row.reply ? { reply: row.reply } : {}),
  }
}
