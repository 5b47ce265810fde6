import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import { wakeLanes } from '../../messages/index.ts'
import { lockByKey } from '../campaigns.queries.ts'
import { pauseByItself } from './pause-by-itself.ts'

export type SenderTrouble = {
  organizationId: string
  senderId: string
  /** Whether nothing can be sent, or only marketing must stop. */
  stops: 'everything' | 'marketing'
  /** The pause reason; by default, that the provider limits the sender. */
  reason?: 'sender_limited' | 'channel_disconnected'
}

/**
 * A provider that limits a sender for complaints would reject further messages, and each one does harm: the campaigns are
 * paused until a user resumes them, or until the provider reports that it accepts the sender again (`follow-line.ts`).
 */
export async function followSender(db: Db, trouble: SenderTrouble): Promise<void> {
  const { organizationId, senderId, stops, reason = 'sender_limited' } = trouble
  const { rows } = await sql<{ id: string }>`
    select distinct campaign.id from campaigns campaign
    join campaign_legs leg on leg.organization_id = campaign.organization_id and leg.campaign_id = campaign.id
    where campaign.organization_id = ${organizationId}::uuid and campaign.status in ('queued', 'running')
      and leg.sender_id = ${senderId}::uuid
      and (${stops === 'everything'} or leg.content #>> '{template,category}' = 'MARKETING')
    order by campaign.id`.execute(db)
  for (const { id } of rows) {
    const campaign = await lockByKey(db, { organizationId, campaignId: id })
    if (campaign) await pauseByItself(db, campaign, reason)
  }
  if (rows.length > 0) wakeLanes(db)
}
