import { sql } from 'kysely'
import { asSystem, type Database } from '../../db/pool.ts'
import { recordEvents } from '../../events/record-events.ts'
import type { Device } from './user-agents.ts'

export type Click = { number: number; seq: number; at: Date; /** Of a program. */ isPreview: boolean; device: Device }

/** Within this time after a message was sent, operators and phones scan its addresses; people need longer. */
const scanSeconds = 2

/**
 * Counts clicks in one transaction. The rows of the links are locked first and in order, so processes that write clicks of the same
 * links take turns and see each other's recipients.
 */
export async function writeClicks(database: Database, clicks: readonly Click[]): Promise<void> {
  const numbers = [...new Set(clicks.map(({ number }) => number))]
  const earliest = new Date(Math.min(...clicks.map(({ at }) => at.getTime())))
  await asSystem(database, async (db) => {
    // A campaign that had completed before sends nothing that could be scanned.
    const locked = await sql<{ createdOn: string | null }>`
      select case when completed_at is null or completed_at + interval '1 minute' > ${earliest} then created_on end as "createdOn"
      from campaign_links link
      join campaigns campaign on campaign.organization_id = link.organization_id and campaign.id = link.campaign_id
      where number = any(${numbers}::int[]) order by number for update of link`.execute(db)
    const days = [...new Set(locked.rows.flatMap(({ createdOn }) => createdOn ?? []))]
    const { rows } = await count(clicks, days).execute(db)
    const byOrganization = Map.groupBy(rows, ({ organizationId }) => organizationId)
    await recordEvents(
      db,
      [...byOrganization].map(([organizationId, own]) => ({
        type: 'campaign.clicked',
        organizationId,
        subjectIds: [...new Set(own.map(({ campaignId }) => campaignId))],
        payload: {},
      })),
    )
  })
}

/** `days` are those of the partitions whose messages may have been sent just before. */
function count(clicks: readonly Click[], days: readonly string[]) {
  return sql<{ organizationId: string; campaignId: string }>`
  with judged as materialized (
    select link.organization_id, link.campaign_id, link.number, click.seq, click.at, click.device,
      click.is_preview or exists (
        select from campaigns campaign
        join campaign_legs own on own.organization_id = campaign.organization_id and own.campaign_id = campaign.id and own.draft_leg = link.leg
        join messages message on message.organization_id = campaign.organization_id and message.created_on = campaign.created_on
          and message.created_on = any(${days}::date[]) and message.campaign_id = campaign.id and message.seq = click.seq
          and message.leg = own.leg
        where campaign.organization_id = link.organization_id and campaign.id = link.campaign_id
          and click.at between message.sent_at - interval '1 minute' and message.sent_at + make_interval(secs => ${scanSeconds})
      ) as is_preview
    from unnest(${clicks.map(({ number }) => number)}::int[], ${clicks.map(({ seq }) => seq)}::int[], ${clicks.map(({ at }) => at)}::timestamptz[],
      ${clicks.map(({ isPreview }) => isPreview)}::boolean[], ${clicks.map(({ device }) => device)}::text[])
      as click (number, seq, at, is_preview, device)
    join campaign_links link on link.number = click.number
  ), clicked as (
    insert into link_clicks as known (organization_id, number, seq, first_at, last_at, clicks, device)
    select organization_id, number, seq, min(at), max(at), count(*), (array_agg(device order by at))[1]
    from judged where not is_preview group by organization_id, number, seq
    on conflict (organization_id, number, seq) do update
      set clicks = known.clicks + excluded.clicks, last_at = greatest(known.last_at, excluded.last_at)
    -- Zero in a row that this statement inserted.
    returning number, seq, xmax = 0 as is_new
  ), first as (
    insert into campaign_clickers (organization_id, campaign_id, seq, number, first_at)
    select distinct on (organization_id, campaign_id, seq) organization_id, campaign_id, seq, number, at
    from judged where not is_preview order by organization_id, campaign_id, seq, at
    on conflict do nothing
    returning organization_id, campaign_id, seq, number
  ), counted as (
    select number, count(*) filter (where not is_preview) as clicks, count(*) filter (where is_preview) as previews,
      (select count(*) from clicked where clicked.number = judged.number and is_new) as people,
      (select count(*) from first where first.number = judged.number) as first_people
    from judged group by number
  )
  update campaign_links link set clicks = link.clicks + counted.clicks, previews = link.previews + counted.previews,
      people = link.people + counted.people, first_people = link.first_people + counted.first_people
  from counted where link.number = counted.number
  returning link.organization_id as "organizationId", link.campaign_id as "campaignId"`
}
