import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import { wakeLanes } from '../../messages/index.ts'
import { lockByKey } from '../campaigns.queries.ts'
import { resumeByItself } from './pause-by-itself.ts'

const reason = 'channel_disconnected'

/** Resumes campaigns paused because the provider rejected this account's credentials. */
export async function resumeConnection(
  db: Db,
  { organizationId, accountId }: { organizationId: string; accountId: string },
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select distinct campaign.id from campaigns campaign
    join campaign_legs leg on leg.organization_id = campaign.organization_id and leg.campaign_id = campaign.id
    join senders sender on sender.organization_id = leg.organization_id and sender.id = leg.sender_id
    where campaign.organization_id = ${organizationId}::uuid and sender.provider_account_id = ${accountId}::uuid
      and campaign.status = 'paused' and campaign.pause_reason = ${reason}
    order by campaign.id`.execute(db)
  for (const { id } of rows) {
    const campaign = await lockByKey(db, { organizationId, campaignId: id })
    if (campaign) await resumeByItself(db, campaign, reason)
  }
  if (rows.length > 0) wakeLanes(db)
}
