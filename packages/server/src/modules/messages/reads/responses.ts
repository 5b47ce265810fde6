import type { Channel } from '@carillon/contract/channels'
import type { CampaignResponse, FailureClass, MessageStatus } from '@carillon/contract/campaign-records'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import { toRupees } from '../../balance/index.ts'
import type { CampaignKey } from './campaign-numbers.ts'

/** A recipient with the status of its message. */
export type Response = Omit<CampaignResponse, 'advice'>
export type ResponseList = { responses: Response[]; total: number }

export type ResponseQuery = CampaignKey & {
  page: number
  limit: number
  status?: MessageStatus | undefined
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
  reply: string | null
}

/** The recipients of a campaign in file order. Without a filter a page is a range of the key, whatever its offset. */
export async function listResponses(db: Db, query: ResponseQuery): Promise<ResponseList> {
  if (query.number) return searchNumber(db, { ...query, number: query.number })
  if (query.status) return listMatching(db, query, sql<boolean>`true`)
  const from = (query.page - 1) * query.limit
  const rows = await readRows(db, query, {
    where: sql<boolean>`recipient.seq >= ${from} and recipient.seq < ${from + query.limit}`,
    paged: false,
  })
  const { rows: totals } = await sql<{ total: number }>`
    select total from campaigns where organization_id = ${query.organizationId}::uuid and id = ${query.campaignId}::uuid`.execute(
    db,
  )
  return { responses: rows.map(presentResponse), total: totals[0]?.total ?? 0 }
}

/**
 * Numbers that equal or begin with the digits are found by the index; only if there are none, numbers that contain them are
 * searched for.
 */
export async function searchNumber(db: Db, query: ResponseQuery & { number: string }): Promise<ResponseList> {
  const digits = query.number.replaceAll(/\D/g, '')
  if (digits === '') return { responses: [], total: 0 }
  const found = await listMatching(db, query, beginsWith(digits))
  if (found.total > 0) return found
  return listMatching(db, query, sql<boolean>`recipient.phone::text like ${`%${digits}%`}`)
}

/** Numbers of 7 to 15 digits that begin with these: one range for each length. An Indian number is also found without its 91. */
function beginsWith(digits: string): RawBuilder<boolean> {
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

async function listMatching(db: Db, query: ResponseQuery, number: RawBuilder<boolean>): Promise<ResponseList> {
  const status = query.status
    ? sql<boolean>`${statusOf} = any(${statusesFor(query.status)}::message_status[])`
    : sql<boolean>`true`
  const where = sql<boolean>`${number} and ${status}`
  const { rows } = await sql<{
    total: number
  }>`select count(*)::int as total ${source(query)} where ${scope(query)} and ${where}`.execute(db)
  const total = rows[0]?.total ?? 0
  if (total === 0) return { responses: [], total }
  return { responses: (await readRows(db, query, { where, paged: true })).map(presentResponse), total }
}

/** A lost response is unknown before it is unconfirmed: the filter `unconfirmed` includes both, as the counts do. */
function statusesFor(status: MessageStatus): MessageStatus[] {
  return status === 'unconfirmed' ? ['unknown', 'unconfirmed'] : [status]
}

/** A recipient without a row is queued still, or was cancelled with its campaign. */
const statusOf = sql<MessageStatus>`coalesce(message.status,
  case when campaign.status in ('cancelled', 'discarded') then 'cancelled' else 'queued' end::message_status)`

/** From the leg of the last message; for a campaign with one leg, its own. */
const channelOf = sql<Channel>`coalesce((select leg.channel from campaign_legs leg where leg.organization_id = campaign.organization_id
  and leg.campaign_id = campaign.id and leg.leg = message.leg), campaign.channel)`

function source({ organizationId }: CampaignKey): RawBuilder<unknown> {
  return sql`
    from campaigns campaign
    join recipients recipient on recipient.organization_id = campaign.organization_id and recipient.audience_id = campaign.audience_id
    left join messages message on message.organization_id = ${organizationId}::uuid and message.created_on = campaign.created_on
      and message.campaign_id = campaign.id and message.seq = recipient.seq
      and not exists (select from leg_entries entry where entry.organization_id = ${organizationId}::uuid
        and entry.campaign_id = campaign.id and entry.seq = recipient.seq and entry.leg > message.leg)`
}

function scope({ organizationId, campaignId }: CampaignKey): RawBuilder<boolean> {
  return sql<boolean>`campaign.organization_id = ${organizationId}::uuid and campaign.id = ${campaignId}::uuid`
}

async function readRows(
  db: Db,
  query: ResponseQuery,
  { where, paged }: { where: RawBuilder<boolean>; paged: boolean },
): Promise<ResponseRow[]> {
  const page = paged ? sql`limit ${query.limit} offset ${(query.page - 1) * query.limit}` : sql``
  const { rows } = await sql<ResponseRow>`
    with listed as (
      select recipient.seq, recipient.phone, ${channelOf} as channel, ${statusOf} as status, message.reason, message.code, message.parts,
        charge_of(message.status, message.price, message.billable_on) as cost, message.sent_at, message.delivered_at, message.failed_at,
        coalesce(campaign.started_at, campaign.created_at) as since
      ${source(query)}
      where ${scope(query)} and ${where}
      order by recipient.seq
      ${page}
    )
    select listed.*, reply.text as reply from listed
    left join lateral (
      select text from inbound_messages
      where organization_id = ${query.organizationId}::uuid and phone = listed.phone and received_at >= listed.since
      order by received_at limit 1
    ) reply on true
    order by listed.seq`.execute(db)
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
    ...(row.reply ? { reply: row.reply } : {}),
  }
}
