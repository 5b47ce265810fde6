import type { CampaignLink, LinkClicker } from '@carillon/contract/links'
import { paginate, type PageQuery } from '@carillon/contract/paging'
import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { within, type Scope } from '../../db/scope.ts'
import { notFound } from '../../lib/problem.ts'

type CampaignQuery = { id: string; scope: Scope }
type CampaignKey = { organizationId: string; campaignId: string; audienceId: string | null }

/** Only readers of the campaign may read its links. */
async function findCampaign(db: Db, { id, scope }: CampaignQuery): Promise<CampaignKey> {
  const { rows } = await sql<CampaignKey>`
    select organization_id as "organizationId", id as "campaignId", audience_id as "audienceId" from campaigns
    where id = ${id}::uuid and ${within(scope, 'path')}`.execute(db)
  const [campaign] = rows
  if (!campaign) throw notFound('Campaign')
  return campaign
}

/** The links of a campaign by leg, each with the number of recipients its leg was sent to. */
export async function listLinks(db: Db, query: CampaignQuery): Promise<{ links: CampaignLink[]; people: number }> {
  const { organizationId, campaignId } = await findCampaign(db, query)
  const { rows } = await sql<CampaignLink>`
    select link.leg, variable, url, host, people, clicks::int, previews::int,
      coalesce((
        select sum(submitted) from (
          select organization_id, campaign_id, leg, submitted from counters
          union all
          select organization_id, campaign_id, leg, submitted from counter_deltas
        ) counted
        join campaign_legs own on own.organization_id = counted.organization_id and own.campaign_id = counted.campaign_id and own.leg = counted.leg
        where counted.organization_id = link.organization_id and counted.campaign_id = link.campaign_id and own.draft_leg = link.leg
      ), 0)::int as sent
    from campaign_links link
    where link.organization_id = ${organizationId}::uuid and link.campaign_id = ${campaignId}::uuid
    order by link.leg, link.position`.execute(db)
  const { rows: totals } = await sql<{ people: number }>`
    select coalesce(sum(first_people), 0)::int as people from campaign_links
    where organization_id = ${organizationId}::uuid and campaign_id = ${campaignId}::uuid`.execute(db)
  return {
    links: rows,
    people: totals[0]?.people ?? 0,
  }
}

type ClickerRow = Omit<LinkClicker, 'firstAt' | 'lastAt' | 'phoneNumber'> & {
  phone: number
  firstAt: Date
  lastAt: Date
}

export async function listClickers(db: Db, query: CampaignQuery, { page, limit }: PageQuery) {
  const { organizationId, campaignId, audienceId } = await findCampaign(db, query)
  const { rows: counts } = await sql<{ total: number }>`
    select count(*)::int as total from campaign_clickers
    where organization_id = ${organizationId}::uuid and campaign_id = ${campaignId}::uuid`.execute(db)
  const { rows } = await sql<ClickerRow>`
    with page as materialized (
      select seq from campaign_clickers
      where organization_id = ${organizationId}::uuid and campaign_id = ${campaignId}::uuid
      order by seq limit ${limit} offset ${(page - 1) * limit}
    )
    select page.seq, recipient.phone, sum(click.clicks)::int as clicks, min(click.first_at) as "firstAt", max(click.last_at) as "lastAt",
      (array_agg(click.device order by click.first_at))[1] as device
    from page
    join recipients recipient on recipient.organization_id = ${organizationId}::uuid and recipient.audience_id = ${audienceId}::uuid
      and recipient.seq = page.seq
    join campaign_links link on link.organization_id = ${organizationId}::uuid and link.campaign_id = ${campaignId}::uuid
    join link_clicks click on click.organization_id = link.organization_id and click.number = link.number and click.seq = page.seq
    group by page.seq, recipient.phone order by page.seq`.execute(db)
  const total = counts[0]?.total ?? 0
  return {
    people: rows.map(({ phone, firstAt, lastAt, ...row }) => ({
      ...row,
      phoneNumber: `+${phone}`,
      firstAt: firstAt.toISOString(),
      lastAt: lastAt.toISOString(),
    })),
    total,
    totalPages: paginate({ page, limit }, total).totalPages,
    currentPage: page,
  }
}
