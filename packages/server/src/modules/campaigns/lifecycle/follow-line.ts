import { sql } from 'kysely'
import type { Channel } from '@carillon/contract/channels'
import { getChannel } from '../../../channels/index.ts'
import type { Db } from '../../../db/pool.ts'
import { wakeLanes } from '../../messages/index.ts'
import { lockByKey } from '../campaigns.queries.ts'
import { followSender, type SenderTrouble } from './follow-sender.ts'
import { resumeByItself } from './pause-by-itself.ts'

type Line = { organizationId: string; senderId: string }

const reason = 'sender_limited'

/** Pauses the campaigns of a line whose provider stopped it, unless the provider has accepted it again in the meantime. */
export async function followLine(db: Db, trouble: Line & Pick<SenderTrouble, 'stops'>): Promise<void> {
  const { organizationId, senderId, stops } = trouble
  if (stops === 'everything' && !(await hasStoppedLine(db, { organizationId, senderIds: [senderId] }))) return
  await followSender(db, trouble)
}

/** Resumes the campaigns that were paused for this line, unless another of their lines is still stopped. */
export async function resumeLine(db: Db, { organizationId, senderId }: Line): Promise<void> {
  const { rows } = await sql<{ id: string; senderIds: string[] }>`
    select campaign.id, array_agg(distinct other.sender_id) as "senderIds" from campaigns campaign
    join campaign_legs leg on leg.organization_id = campaign.organization_id and leg.campaign_id = campaign.id
    join campaign_legs other on other.organization_id = campaign.organization_id and other.campaign_id = campaign.id
    where campaign.organization_id = ${organizationId}::uuid and leg.sender_id = ${senderId}::uuid
      and campaign.status = 'paused' and campaign.pause_reason = ${reason}
    group by campaign.id
    order by campaign.id`.execute(db)
  for (const { id, senderIds } of rows) {
    if (await hasStoppedLine(db, { organizationId, senderIds })) continue
    const campaign = await lockByKey(db, { organizationId, campaignId: id })
    if (campaign) await resumeByItself(db, campaign, reason)
  }
  if (rows.length > 0) wakeLanes(db)
}

/** Locks the lines, so that a change of their state waits, and the job for it sees what this one did. */
async function hasStoppedLine(
  db: Db,
  { organizationId, senderIds }: { organizationId: string; senderIds: readonly string[] },
): Promise<boolean> {
  const { rows } = await sql<{ channel: Channel; status: string }>`
    select channel, facts ->> 'status' as status from senders
    where organization_id = ${organizationId}::uuid and id = any(${senderIds}::uuid[]) and facts ->> 'status' is not null
    order by id
    for share`.execute(db)
  return rows.some(({ channel, status }) => getChannel(channel).lines?.isStopped(status))
}
