import { sql, type RawBuilder } from 'kysely'

type CampaignKey = { organizationId: string; campaignId: string }

const arrived = sql.raw(`('delivered', 'read')`)

/**
 * True if another message of the recipient counts instead of `message`, by the same rule as `outrankedStatus`; else null. As a scalar
 * it is one index search for each message: with the statistics of a new day's partition a join might be one of all with all.
 */
export function isOutranked(key: CampaignKey): RawBuilder<true | null> {
  return outrankedBy(key, sql`true`)
}

/** The same among the tries of one leg of the draft: a recipient counts once in each leg. Null where nothing is tried again. */
export function isOutrankedByTry(key: CampaignKey): RawBuilder<true | null> {
  const tries = sql`select leg from campaign_legs where organization_id = ${key.organizationId}::uuid
    and campaign_id = ${key.campaignId}::uuid and enter_delay_seconds > 0`
  return sql<
    true | null
  >`case when exists (${tries}) then ${outrankedBy(key, sql`entry.leg = any(array(${tries}))`)} end`
}

function outrankedBy({ organizationId, campaignId }: CampaignKey, which: RawBuilder<unknown>): RawBuilder<true | null> {
  return sql<true | null>`(
    select true from leg_entries entry
    where entry.organization_id = ${organizationId}::uuid and entry.campaign_id = ${campaignId}::uuid and entry.seq = message.seq and ${which}
      and case
        when entry.leg > message.leg then message.status not in ${arrived} or (entry.after in ${arrived} and entry.after >= message.status)
        when entry.leg = message.leg then entry.earlier in ${arrived} and (message.status not in ${arrived} or entry.earlier > message.status)
        else false
      end
    limit 1)`
}
