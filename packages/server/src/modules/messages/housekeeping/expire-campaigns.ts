import type pg from 'pg'
import { endRetries, leaveUnsentLegs } from './end-retries.ts'
import { dropRevocations } from './revoke-stopped.ts'
import { inTransaction, run, type Statement } from '../statements.ts'

type Expired = { organizationId: string; campaignId: string }

/** Campaigns past their end. Chunks with messages in flight stay open for their owner. */
const find: Statement = {
  name: 'find-expired-campaigns',
  text: `
  select campaign.organization_id as "organizationId", campaign.id as "campaignId"
  from campaigns campaign
  where campaign.status in ('queued', 'running') and campaign_end(campaign.organization_id, campaign.id) <= now()
    and (exists (select from chunks
        where organization_id = campaign.organization_id and campaign_id = campaign.id and done_at is null and watermark = recorded)
      or exists (select from retries
        where organization_id = campaign.organization_id and campaign_id = campaign.id and submitting_epoch is null)
      or exists (select from leg_watches where organization_id = campaign.organization_id and campaign_id = campaign.id)
      or exists (select from revocations where organization_id = campaign.organization_id and campaign_id = campaign.id
        and outcome is null and submitting_epoch is null))
  limit 20`,
}

/** Locks the campaign, so that no watermark advances and nothing closed here is handed over. */
const lock: Statement = {
  name: 'lock-expired-campaign',
  text: `select from campaigns
  where organization_id = $1 and id = $2 and status in ('queued', 'running') for update`,
}

const closeChunks: Statement = {
  name: 'close-expired-chunks',
  text: `
  with open as (
    select leg, chunk_no, recorded, hi, members, queued_at is not null and exists (select from campaign_legs entered
        where entered.organization_id = $1 and entered.campaign_id = $2 and entered.leg = chunks.leg and entered.enter_reasons <> '{}')
      as is_entered
    from chunks
    where organization_id = $1 and campaign_id = $2 and done_at is null and watermark = recorded
    order by leg, chunk_no limit 50
    for update
  ), closed as (
    update chunks set watermark = chunks.hi, recorded = chunks.hi, done_at = now()
    from open
    where organization_id = $1 and campaign_id = $2 and chunks.leg = open.leg and chunks.chunk_no = open.chunk_no
    returning chunks.leg, chunks.chunk_no, charged
  ), ended as (
    insert into messages (organization_id, created_on, campaign_id, seq, leg, sender_id, phone, status, parts, price, billable_on, attempt,
      reason, failed_at, left_on)
    select $1, campaign.created_on, $2, recipient.seq, open.leg, leg.sender_id, recipient.phone,
      case when is_entered then 'failed' else 'skipped' end::message_status, 1, 0, leg.billable_on, 1,
      case when is_entered then 'expired' else 'campaign_expired' end, case when is_entered then now() end,
      (select organization_day($1))
    from campaigns campaign
    join open on true
    join campaign_legs leg on leg.organization_id = $1 and leg.campaign_id = $2 and leg.leg = open.leg
    join recipients recipient on recipient.organization_id = $1 and recipient.audience_id = campaign.audience_id
      and recipient.seq >= open.recorded and recipient.seq < open.hi and (open.members is null or recipient.seq = any(open.members))
    where campaign.organization_id = $1 and campaign.id = $2
      and (not is_entered or exists (select from leg_entries entry where entry.organization_id = $1 and entry.campaign_id = $2
        and entry.leg = open.leg and entry.seq = recipient.seq))
    on conflict do nothing
    returning leg, seq, status
  ), counted as (
    insert into counter_deltas (organization_id, campaign_id, leg, account_id, channel, sender_id, skipped, failed, left_on)
    select $1, $2, ended.leg, campaign.created_by, own.channel, own.sender_id, count(*) filter (where ended.status = 'skipped'),
      count(*) filter (where ended.status = 'failed'), (select organization_day($1))
    from ended
    join campaigns campaign on campaign.organization_id = $1 and campaign.id = $2
    join campaign_legs own on own.organization_id = $1 and own.campaign_id = $2 and own.leg = ended.leg
    group by ended.leg, campaign.created_by, own.channel, own.sender_id
  )
  (select charge_messages($1, campaign.hold_id, charged, 'capture:' || $2::uuid || ':' || leg || ':' || chunk_no, $2::uuid, leg)::text
  from closed, campaigns campaign
  where campaign.organization_id = $1 and campaign.id = $2 and campaign.hold_id is not null and charged > 0
  order by leg, chunk_no)
  union all
  select count_failovers($1, $2::uuid, leg, array_agg(seq), array_agg(status), array_agg(false))::text from ended group by leg
  union all
  select publish_statuses($1, $2::uuid, leg, status, array_agg(seq))::text from ended
  where has_subscribers($1, 'message.status') group by leg, status`,
}

/**
 * Ends what a campaign could not send before its end, because a lane was off or not connected, hours were closed, or an
 * operator was slow. Recipients are skipped; those whose message of an earlier leg failed have failed, and those to whom it was
 * delivered meanwhile stay delivered. Nothing is charged for them.
 */
export async function expireCampaigns(pool: pg.Pool): Promise<void> {
  for (const { organizationId, campaignId } of await run<Expired>(pool, find, [])) {
    await inTransaction(pool, async (db) => {
      if ((await run(db, lock, [organizationId, campaignId])).length === 0) return
      await leaveUnsentLegs(db, { organizationId, campaignId })
      await run(db, closeChunks, [organizationId, campaignId])
      await endRetries(db, { organizationId, campaignId }, { isExpired: true })
      await db.query('delete from leg_watches where organization_id = $1 and campaign_id = $2', [
        organizationId,
        campaignId,
      ])
      await dropRevocations(db, { organizationId, campaignId })
    })
  }
}
