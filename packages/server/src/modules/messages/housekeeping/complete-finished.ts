import type pg from 'pg'
import { endRetries, leaveUnsentLegs } from './end-retries.ts'
import { expireCampaigns } from './expire-campaigns.ts'
import { beginRevoking } from './revoke-stopped.ts'
import { inTransaction, run, type Statement } from '../statements.ts'

export type FinishedCampaign = { organizationId: string; campaignId: string }

/**
 * Running campaigns without open chunks, retries, revocations, possible failovers, or recipients who wait for the winner of a test. A campaign without recipients, or of which all are
 * skipped, is completed immediately.
 */
const complete: Statement = {
  name: 'complete-finished',
  text: `
  with finished as materialized (
    select organization_id, id, hold_id from campaigns campaign
    where status in ('queued', 'running') and not awaits_reach
      and not exists (select from chunks where organization_id = campaign.organization_id and campaign_id = campaign.id and done_at is null)
      and not exists (select from retries where organization_id = campaign.organization_id and campaign_id = campaign.id)
      and not exists (select from leg_watches where organization_id = campaign.organization_id and campaign_id = campaign.id)
      and not exists (select from revocations
        where organization_id = campaign.organization_id and campaign_id = campaign.id and outcome is distinct from 'kept')
      and not exists (select from ab_tests where organization_id = campaign.organization_id and campaign_id = campaign.id
        and phase in ('testing', 'awaiting_winner') and rest > 0)
      and (total = 0 or exists (select from chunks where organization_id = campaign.organization_id and campaign_id = campaign.id)
        or exists (select from leg_skips where organization_id = campaign.organization_id and campaign_id = campaign.id))
    for update
  ), moved as materialized (
    select *, move_campaign(organization_id, id, 'completed') as is_moved from finished
  )
  select organization_id as "organizationId", id as "campaignId", release_hold(organization_id, hold_id) from moved where is_moved`,
}

/** Completes campaigns that are finished or past their end, and releases the rest of their holds. */
export async function completeFinished(pool: pg.Pool): Promise<FinishedCampaign[]> {
  await expireCampaigns(pool)
  return run<FinishedCampaign>(pool, complete, [])
}

const findStopped: Statement = {
  name: 'find-stopped-campaigns',
  text: `
  select campaign.organization_id as "organizationId", campaign.id as "campaignId", campaign.hold_id as "holdId"
  from holds hold
  join campaigns campaign on campaign.organization_id = hold.organization_id and campaign.hold_id = hold.id
  where hold.released_at is null and campaign.status in ('cancelled', 'discarded', 'failed')
    and not exists (
      select from chunks join lanes on lanes.organization_id = chunks.organization_id and lanes.sender_id = chunks.sender_id
      where chunks.organization_id = campaign.organization_id and campaign_id = campaign.id and done_at is null
        and watermark > recorded and lane_epoch = epoch and lease_until > now()
    )
    and not exists (select from retries
      where organization_id = campaign.organization_id and campaign_id = campaign.id and submitting_epoch is not null)`,
}

const closeChunks: Statement = {
  name: 'close-stopped-chunks',
  text: `
  with closed as (
    update chunks set done_at = now()
    where organization_id = $1 and campaign_id = $2 and done_at is null and watermark = recorded
    returning leg, chunk_no, charged
  )
  select charge_messages($1, $3::uuid, charged, 'capture:' || $2::uuid || ':' || leg || ':' || chunk_no, $2::uuid, leg)
  from closed where charged > 0 order by leg, chunk_no`,
}

/**
 * A stopped campaign: once nothing of it is in flight, what its open chunks sent is charged, the rest of them is never sent,
 * and the rest of the hold is released. Then its undelivered messages are revoked where the provider can.
 */
export async function settleStopped(pool: pg.Pool): Promise<FinishedCampaign[]> {
  const stopped = await run<FinishedCampaign & { holdId: string }>(pool, findStopped, [])
  for (const { organizationId, campaignId, holdId } of stopped) {
    await inTransaction(pool, async (db) => {
      await leaveUnsentLegs(db, { organizationId, campaignId })
      await run(db, closeChunks, [organizationId, campaignId, holdId])
      await endRetries(db, { organizationId, campaignId }, { isExpired: false })
      await db.query('delete from leg_watches where organization_id = $1 and campaign_id = $2', [
        organizationId,
        campaignId,
      ])
      await beginRevoking(db, { organizationId, campaignId })
      await db.query('select release_hold($1, $2)', [organizationId, holdId])
    })
  }
  return stopped.map(({ organizationId, campaignId }) => ({ organizationId, campaignId }))
}
