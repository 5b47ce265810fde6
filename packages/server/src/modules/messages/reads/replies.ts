import type { Channel } from '@carillon/contract/channels'
import type { Reply } from '@carillon/contract/replies'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import type { CampaignKey } from './campaign-numbers.ts'

export type ReplyQuery = CampaignKey & { search?: string | undefined }

type Row = { id: string; channel: Channel; phone: number; text: string; received_at: Date; opted_out: boolean }

export async function listReplies(
  db: Db,
  { page, limit, ...query }: ReplyQuery & { page: number; limit: number },
): Promise<{ replies: Reply[]; total: number }> {
  const { rows: counted } = await sql<{ total: number }>`
    select count(*)::int as total from inbound_messages reply where ${matching(query)}`.execute(db)
  return {
    replies: await readReplies(db, query, sql`limit ${limit} offset ${(page - 1) * limit}`),
    total: counted[0]?.total ?? 0,
  }
}

/** All of them up to a limit, for a file. */
export async function readAllReplies(db: Db, query: ReplyQuery & { most: number }): Promise<Reply[]> {
  return readReplies(db, query, sql`limit ${query.most}`)
}

function matching({ organizationId, campaignId, search = '' }: ReplyQuery): RawBuilder<boolean> {
  const digits = search.replaceAll(/\D/g, '')
  const words = `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const found =
    digits === ''
      ? sql`reply.text ilike ${words}`
      : sql`(reply.text ilike ${words} or reply.phone::text like ${`%${digits}%`})`
  return sql<boolean>`reply.organization_id = ${organizationId}::uuid and reply.campaign_id = ${campaignId}::uuid
    ${search === '' ? sql`` : sql`and ${found}`}`
}

async function readReplies(db: Db, query: ReplyQuery, tail: RawBuilder<unknown>): Promise<Reply[]> {
  const { rows } = await sql<Row>`
    select reply.id, reply.channel::text as channel, reply.phone, reply.text, reply.received_at,
      exists (select from opt_outs known where known.organization_id = reply.organization_id and known.channel = any(opt_out_channels(reply.organization_id, reply.channel))
        and known.phone = reply.phone) as opted_out
    from inbound_messages reply
    where ${matching(query)}
    order by reply.received_at desc, reply.id desc
    ${tail}`.execute(db)
  return rows.map((row) => ({
    _id: row.id,
    channel: row.channel,
    phoneNumber: `+${row.phone}`,
    text: row.text,
    at: row.received_at.toISOString(),
    optedOut: row.opted_out,
  }))
}
