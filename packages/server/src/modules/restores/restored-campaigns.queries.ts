import type { CampaignStatus } from '@carillon/contract/campaign-records'
import type { Channel } from '@carillon/contract/channels'
import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { within, type Scope } from '../../db/scope.ts'

export type RestoredRow = {
  id: string
  name: string
  organization: string
  channel: Channel
  status: CampaignStatus
  total: number
  inFlight: number
  waiting: number
  scheduledAt: Date | null
}

/** Campaigns of the backup that have not ended since. */
const undecided = (scope: Scope) => sql`
  from restored_campaigns restored
  join campaigns campaign on campaign.organization_id = restored.organization_id and campaign.id = restored.campaign_id
  where ${within(scope, 'campaign.path')} and campaign.status in ('scheduled', 'queued', 'running', 'paused')`

export async function listUndecidedIds(db: Db, scope: Scope): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select campaign.id ${undecided(scope)} order by campaign.id`.execute(db)
  return rows.map(({ id }) => id)
}

export async function listUndecided(
  db: Db,
  scope: Scope,
  { limit, offset }: { limit: number; offset: number },
): Promise<RestoredRow[]> {
  const { rows } = await sql<RestoredRow>`
    with shown as (
      select campaign.* ${undecided(scope)} order by campaign.total desc, campaign.id limit ${limit} offset ${offset}
    )
    select shown.id, shown.name, organization_name(shown.organization_id) as organization, shown.channel, shown.status, shown.total,
      shown.schedule_at as "scheduledAt", coalesce(chunk.in_flight, 0) + retry.in_flight as "inFlight",
      coalesce(chunk.waiting, case when shown.started_at is null then shown.total else 0 end) + retry.waiting as waiting
    from shown
    cross join lateral (
      select sum(watermark - recorded) as in_flight, sum(chunk_rest(chunks)) as waiting from chunks
      where organization_id = shown.organization_id and campaign_id = shown.id and done_at is null
    ) chunk
    cross join lateral (
      select count(*) filter (where submitting_epoch is not null) as in_flight,
        count(*) filter (where submitting_epoch is null) as waiting
      from retries where organization_id = shown.organization_id and campaign_id = shown.id
    ) retry
    order by shown.total desc, shown.id`.execute(db)
  return rows
}
