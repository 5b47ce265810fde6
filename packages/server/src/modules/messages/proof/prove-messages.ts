import type { Queryable } from '../statements.ts'
import { countMessages, dayOfMessage, differences, provedColumns, sumFigures } from './recount.queries.ts'

/** Campaigns by leg and day, single messages by sender and day. Neither is null, so that both sides can be joined. */
const keys = 'organization_id, campaign_id, leg, sender_id, day'
const none = `'00000000-0000-0000-0000-000000000000'::uuid`

/**
 * Compares the figures of a partition of messages with the messages, in one snapshot: what is not folded yet counts as figures. Stores what
 * differs.
 */
const prove = `
  with found as (
    select message.organization_id, coalesce(campaign.id, ${none}) as campaign_id, message.leg,
      case when campaign.id is null then message.sender_id else ${none} end as sender_id, ${dayOfMessage} as day, ${countMessages}
    from messages message
    left join campaigns campaign on campaign.organization_id = message.organization_id and campaign.id = message.campaign_id
    where message.created_on = $1
    group by 1, 2, 3, 4, 5
  ), said as (
    select ${keys}, ${provedColumns.map((name) => `sum(${name}) as ${name}`).join(', ')} from (
      select figures.organization_id, campaign_id, leg, ${none} as sender_id, day, ${sumFigures}
      from leg_days figures
      join campaigns campaign on campaign.organization_id = figures.organization_id and campaign.id = figures.campaign_id
      where campaign.created_on = $1
      group by 1, 2, 3, 5
      union all
      select figures.organization_id, campaign_id, leg, ${none}, coalesce(left_on, campaign.created_on), ${sumFigures}
      from counter_deltas figures
      join campaigns campaign on campaign.organization_id = figures.organization_id and campaign.id = figures.campaign_id
      where campaign.created_on = $1
      group by 1, 2, 3, 5
      union all
      select organization_id, ${none}, 0, sender_id, day, ${sumFigures}
      from single_days figures where created_on = $1 group by 1, 4, 5
      union all
      select organization_id, ${none}, 0, sender_id, coalesce(left_on, created_on), ${sumFigures}
      from counter_deltas figures where created_on = $1 group by 1, 4, 5
    ) figures
    group by ${keys}
  ), compared as (
    select ${keys}, ${differences('said', 'found')} as differences from found full join said using (${keys})
  ), stored as (
    insert into report_mismatches (organization_id, source, created_on, campaign_id, leg, sender_id, day, differences)
    select organization_id, 'messages', $1, nullif(campaign_id, ${none}), leg, nullif(sender_id, ${none}), day, differences
    from compared where differences is not null
    on conflict (organization_id, source, created_on, campaign_id, leg, account_id, sender_id, day) where mended_at is null
      do update set differences = excluded.differences
    returning 1
  )
  select count(*)::int as count from stored`

/** Compares the counters of the campaigns of a partition with the sums of their days. */
const proveCampaigns = `
  with found as (
    select figures.organization_id, campaign_id, leg, ${sumFigures}
    from leg_days figures
    join campaigns campaign on campaign.organization_id = figures.organization_id and campaign.id = figures.campaign_id
    where campaign.created_on = $1
    group by 1, 2, 3
  ), said as (
    select figures.organization_id, campaign_id, leg, ${sumFigures}
    from counters figures
    join campaigns campaign on campaign.organization_id = figures.organization_id and campaign.id = figures.campaign_id
    where campaign.created_on = $1
    group by 1, 2, 3
  ), compared as (
    select organization_id, campaign_id, leg, ${differences('said', 'found')} as differences
    from found full join said using (organization_id, campaign_id, leg)
  ), stored as (
    insert into report_mismatches (organization_id, source, created_on, campaign_id, leg, differences)
    select organization_id, 'campaigns', $1, campaign_id, leg, differences from compared where differences is not null
    on conflict (organization_id, source, created_on, campaign_id, leg, account_id, sender_id, day) where mended_at is null
      do update set differences = excluded.differences
    returning 1
  )
  select count(*)::int as count from stored`

/** Returns how many figures of a partition differ from what they are made of. */
export async function proveMessages(db: Queryable, createdOn: string): Promise<number> {
  let count = 0
  for (const statement of [prove, proveCampaigns])
    count += (await db.query<{ count: number }>(statement, [createdOn])).rows[0]?.count ?? 0
  return count
}
