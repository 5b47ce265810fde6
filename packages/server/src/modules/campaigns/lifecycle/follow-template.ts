import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import { wakeLanes } from '../../messages/index.ts'
import { lockByKey } from '../campaigns.queries.ts'
import { pauseByItself, resumeByItself } from './pause-by-itself.ts'

export type TemplateStatusEvent = {
  organizationId: string
  templateIds: readonly string[]
  /** Whether the template can be sent now. */
  sendable: boolean
}

const reason = 'template_paused'

/**
 * A provider that pauses a template would reject further messages: campaigns that send it are paused, and resume automatically
 * when it can be sent again. Campaigns paused by a user stay paused.
 */
export async function followTemplate(
  db: Db,
  { organizationId, templateIds, sendable }: TemplateStatusEvent,
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select distinct campaign.id from campaigns campaign
    join campaign_legs leg on leg.organization_id = campaign.organization_id and leg.campaign_id = campaign.id
    where campaign.organization_id = ${organizationId}::uuid and leg.template_id = any(${templateIds}::uuid[])
      and case when ${sendable} then campaign.status = 'paused' and campaign.pause_reason = ${reason}
        else campaign.status in ('queued', 'running') end
    order by campaign.id`.execute(db)
  for (const { id } of rows) {
    const campaign = await lockByKey(db, { organizationId, campaignId: id })
    if (!campaign) continue
    if (sendable) await resumeByItself(db, campaign, reason)
    else await pauseByItself(db, campaign, reason)
  }
  if (rows.length > 0) wakeLanes(db)
}
