import type { Channel } from '@carillon/contract/channels'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import type { CampaignKey } from './campaign-numbers.ts'
import { reached } from './recently-messaged.ts'

/** Recipients that failed for one reason, and how many of them another resend has reached since. */
export type FailedGroup = { reason: string; channel: Channel; people: number; again: number }

export type FailedPerson = { seq: number; phone: number; variables: string[] }

/**
 * Recipients whose last message failed and that no other leg of the campaign has reached or may have reached. A message without
 * a response has not failed.
 */
function failed({ organizationId, campaignId }: CampaignKey): RawBuilder<unknown> {
  return sql`
    select recipient.seq, recipient.phone, recipient.variables, coalesce(message.reason, 'unknown') as reason,
      coalesce(leg.channel, campaign.channel) as channel, ${hasAgain} as again
    from campaigns campaign
    join messages message on message.organization_id = campaign.organization_id and message.created_on = campaign.created_on
      and message.campaign_id = campaign.id and message.status = 'failed'
    join recipients recipient on recipient.organization_id = campaign.organization_id
      and recipient.audience_id = campaign.audience_id and recipient.seq = message.seq
    left join campaign_legs leg on leg.organization_id = campaign.organization_id and leg.campaign_id = campaign.id
      and leg.leg = message.leg
    where campaign.organization_id = ${organizationId}::uuid and campaign.id = ${campaignId}::uuid
      and not exists (select from leg_entries entry where entry.organization_id = campaign.organization_id
        and entry.campaign_id = campaign.id and entry.seq = message.seq and entry.leg > message.leg)
      and not exists (select from messages other where other.organization_id = campaign.organization_id
        and other.created_on = campaign.created_on and other.campaign_id = campaign.id and other.seq = message.seq
        and other.leg <> message.leg and other.status in ${sql.raw(reached)})`
}

/** Whether another resend of the same first campaign has reached the person or is still sending. */
const hasAgain = sql<boolean>`exists (
  select from campaigns kin
  join recipients twin on twin.organization_id = kin.organization_id and twin.audience_id = kin.audience_id
    and twin.phone = recipient.phone
  left join messages sent on sent.organization_id = kin.organization_id and sent.created_on = kin.created_on
    and sent.campaign_id = kin.id and sent.seq = twin.seq
  where kin.organization_id = campaign.organization_id and kin.id <> campaign.id
    and coalesce(campaign.resend_of, campaign.id) in (kin.id, kin.resend_of)
    and (kin.status in ('scheduled', 'queued', 'running', 'paused') or sent.status in ${sql.raw(reached)}))`

/** Why messages failed, the most frequent reason first. */
export async function countFailed(db: Db, key: CampaignKey): Promise<FailedGroup[]> {
  const { rows } = await sql<FailedGroup>`
    select reason, channel, count(*) filter (where not again)::int as people, count(*) filter (where again)::int as again
    from (${failed(key)}) failed
    group by reason, channel
    order by 3 desc, 1`.execute(db)
  return rows
}

type Page = CampaignKey & { leaveOut: readonly string[]; after: number; limit: number }

/** The recipients of a resend, in the order of the original audience. */
export async function listFailed(db: Db, { leaveOut, after, limit, ...key }: Page): Promise<FailedPerson[]> {
  const { rows } = await sql<FailedPerson>`
    select seq, phone, variables from (${failed(key)} and message.seq > ${after}) failed
    where not again and reason <> all(${leaveOut}::text[])
    order by seq
    limit ${limit}`.execute(db)
  return rows
}
