import type { FailureClass, MessageStatus } from '@carillon/contract/campaign-records'
import type { Channel } from '@carillon/contract/channels'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../../db/pool.ts'

/** A message of a campaign to one person, with what its text is rendered from. */
export type CampaignMessage = {
  campaign_id: string
  name: string
  channel: Channel
  /** The frozen content of its leg, and the recipient's row. */
  content: unknown
  columns: string[]
  variables: string[]
  /** The recipient's position in the audience. */
  seq: number
  status: MessageStatus
  reason: FailureClass | null
  code: string | null
  parts: number
  cost: number
  sent_at: Date | null
  delivered_at: Date | null
  failed_at: Date | null
  provider_message_id: string | null
  at: Date
  micros: number
}

export type CampaignMessageQuery = {
  organizationId: string
  senderId: string
  phone: number
  /** Messages from then on. */
  since: RawBuilder<Date>
  /** Messages before this position; absent: up to the newest. */
  before?: { at: RawBuilder<Date>; campaignId: string } | undefined
  /** Only those of these campaigns. */
  campaignIds?: readonly string[]
  limit: number
}

const afterAll = { at: sql<Date>`'infinity'::timestamptz`, campaignId: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }

/**
 * Campaign messages that a sender sent to a number, newest first: one for each campaign. Whether the caller may see them is
 * decided before.
 */
export async function campaignMessages(
  db: Db,
  { organizationId, senderId, phone, since, before = afterAll, campaignIds, limit }: CampaignMessageQuery,
): Promise<CampaignMessage[]> {
  const { rows } = await sql<CampaignMessage>`
    select *, (extract(epoch from at) * 1000000)::bigint as micros
    from campaign_messages_of_line(${organizationId}::uuid, ${senderId}::uuid, ${phone}::bigint, ${since}, ${before.at}, ${before.campaignId}::uuid,
      ${campaignIds ? [...campaignIds] : null}::uuid[], ${limit}::int)`.execute(db)
  return rows
}

/** A message with the line and number that it was sent from and to. */
export type KnownCampaignMessage = CampaignMessage & { organization_id: string; sender_id: string; phone: number }

/** Campaign messages by the provider's ids. Whether the caller may see them is decided before. */
export async function campaignMessagesByProvider(
  db: Db,
  asked: readonly { organizationId: string; senderId: string; providerId: string }[],
): Promise<KnownCampaignMessage[]> {
  if (asked.length === 0) return []
  const { rows } = await sql<KnownCampaignMessage>`
    select *, (extract(epoch from at) * 1000000)::bigint as micros
    from campaign_messages_by_provider(${asked.map(({ organizationId }) => organizationId)}::uuid[],
      ${asked.map(({ senderId }) => senderId)}::uuid[], ${asked.map(({ providerId }) => providerId)}::text[])`.execute(
    db,
  )
  return rows
}
