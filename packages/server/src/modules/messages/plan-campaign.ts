import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'

export type CampaignPlan = {
  organizationId: string
  campaignId: string
  leg: number
  senderId: string
  /** Recipients of the audience: seq 0 to total - 1. */
  total: number
  /** A campaign of weight 2 gets twice the turns of one of weight 1. */
  weight: number
  /** Recipients to a chunk; the default is a thousand, or two seconds of the sender's rate. */
  chunkSize?: number
}

/**
 * Cuts a started campaign into chunks and queues them on its sender's lane, in one statement. Their virtual times begin
 * where the lane stands now and go on in steps of 1/weight, so that a campaign of a thousand chunks and one of a single
 * chunk take turns. A second call changes nothing.
 */
export async function planCampaign(
  db: Db,
  { organizationId, campaignId, leg, senderId, total, weight, chunkSize }: CampaignPlan,
): Promise<void> {
  await sql`
    insert into lanes (organization_id, sender_id) values (${organizationId}::uuid, ${senderId}::uuid) on conflict do nothing`.execute(
    db,
  )
  await sql`
    update campaigns set created_on = current_date
    where organization_id = ${organizationId}::uuid and id = ${campaignId}::uuid and created_on is null`.execute(db)
  await sql`
    with size as (
      select coalesce(${chunkSize ?? null}::int, greatest(10, least(1000, 2 * rate_per_second))) as size
      from senders where organization_id = ${organizationId}::uuid and id = ${senderId}::uuid
    )
    insert into chunks (organization_id, campaign_id, leg, chunk_no, sender_id, lo, hi, mark, recorded, vtime)
    select lanes.organization_id, ${campaignId}::uuid, ${leg}::smallint, chunk_no, lanes.sender_id,
      chunk_no * size, least((chunk_no + 1) * size, ${total}::int), chunk_no * size, chunk_no * size,
      lanes.vtime + (chunk_no + 1) / ${weight}::float8
    from lanes, size, generate_series(0, (${total}::int - 1) / size) as chunk_no
    where lanes.organization_id = ${organizationId}::uuid and lanes.sender_id = ${senderId}::uuid and ${total}::int > 0
    on conflict do nothing`.execute(db)
}

/**
 * For a campaign that goes on after a pause: the rest takes its turns from where the lane stands now, not from where it
 * stood at the start, or it would go before everyone else.
 */
export async function replanCampaign(
  db: Db,
  { organizationId, campaignId }: { organizationId: string; campaignId: string },
): Promise<void> {
  await sql`
    with rest as (
      select chunk.organization_id, chunk.campaign_id, chunk.leg, chunk_no,
        lane.vtime + row_number() over (partition by chunk.leg order by chunk_no) / campaign.weight as vtime
      from chunks chunk
      join lanes lane on lane.organization_id = chunk.organization_id and lane.sender_id = chunk.sender_id
      join campaigns campaign on campaign.organization_id = chunk.organization_id and campaign.id = chunk.campaign_id
      where chunk.organization_id = ${organizationId}::uuid and chunk.campaign_id = ${campaignId}::uuid and done_at is null
    )
    update chunks set vtime = greatest(chunks.vtime, rest.vtime)
    from rest
    where chunks.organization_id = rest.organization_id and chunks.campaign_id = rest.campaign_id
      and chunks.leg = rest.leg and chunks.chunk_no = rest.chunk_no`.execute(db)
}

/** Tells the senders that there is something new; at most once a transaction, after everything else in it. */
export async function wakeLanes(db: Db): Promise<void> {
  await sql`select pg_notify('carillon_lanes', '')`.execute(db)
}

/** Whether slices of the campaign are still in the air: handed over, and their results not written yet. */
export async function isInFlight(
  db: Db,
  { organizationId, campaignId }: { organizationId: string; campaignId: string },
): Promise<boolean> {
  const { rows } = await sql`
    select from chunks
    join lanes using (organization_id, sender_id)
    where organization_id = ${organizationId}::uuid and campaign_id = ${campaignId}::uuid
      and done_at is null and mark > recorded and lane_epoch = epoch and lease_until > now()
    union all
    select from retries
    join lanes using (organization_id, sender_id)
    where organization_id = ${organizationId}::uuid and campaign_id = ${campaignId}::uuid
      and submitting_epoch = epoch and lease_until > now()
    limit 1`.execute(db)
  return rows.length > 0
}
