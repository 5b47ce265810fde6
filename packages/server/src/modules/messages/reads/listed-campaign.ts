import type { Channel } from '@carillon/contract/channels'
import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import type { CampaignKey } from './campaign-numbers.ts'

/** A leg as planned, of which a leg of the draft may have several: by country, category and later try. */
export type ListedLeg = {
  leg: number
  draftLeg: number
  channel: Channel
  /** Recipients begin with it. */
  isStart: boolean
  /** Tries an earlier leg again after a time. */
  isLater: boolean
  lo: number | null
  hi: number | null
  starters: number | null
}

/** What the recipients of a campaign are listed by. */
export type ListedCampaign = CampaignKey & {
  audienceId: string | null
  /** Names the partition of its messages; null before the start. */
  createdOn: string | null
  channel: Channel
  isStopped: boolean
  total: number
  /** Replies since then belong to it. */
  since: Date
  /** Whether it has tracked links. */
  hasLinks: boolean
  legs: ListedLeg[]
}

export async function findListedCampaign(
  db: Db,
  { organizationId, campaignId }: CampaignKey,
): Promise<ListedCampaign | undefined> {
  const { rows } = await sql<ListedCampaign>`
    select organization_id as "organizationId", id as "campaignId", audience_id as "audienceId", created_on as "createdOn", channel,
      status in ('cancelled', 'discarded') as "isStopped", total, coalesce(started_at, created_at) as since,
      exists (select from campaign_links link where link.organization_id = campaign.organization_id and link.campaign_id = campaign.id) as "hasLinks",
      (select coalesce(json_agg(json_build_object('leg', leg, 'draftLeg', draft_leg, 'channel', own.channel,
        'isStart', enter_reasons = '{}' and enter_after_seconds is null and coalesce(starters, 1) > 0
          and (not is_rest or variant = (select winner from ab_tests test where test.organization_id = own.organization_id
            and test.campaign_id = own.campaign_id)),
        'isLater', enter_delay_seconds > 0, 'lo', lo, 'hi', hi, 'starters', starters) order by leg), '[]')
      from campaign_legs own where own.organization_id = campaign.organization_id and own.campaign_id = campaign.id) as legs
    from campaigns campaign
    where organization_id = ${organizationId}::uuid and id = ${campaignId}::uuid`.execute(db)
  return rows[0]
}
