import { sql } from 'kysely'
import { notifyAfterCommit, type Db } from '../../../db/pool.ts'
import { laneChannel } from './lane-channel.ts'

export type CampaignPlan = {
  organizationId: string
  campaignId: string
  leg: number
  senderId: string
  /** Recipients of the audience: seq from `lo` to below `hi`. */
  lo: number
  hi: number
  /** A campaign of weight 2 gets twice the turns of one of weight 1. */
  weight: number
  /** Recipients per chunk; the default is a thousand, or two seconds of the sender's rate. */
  chunkSize?: number
  /** Ranges of all recipients in order, each queued at its own time; absent: all immediately. */
  days?: readonly PlannedDay[] | undefined
}

export type PlannedDay = { lo: number; hi: number; notBefore: Date | null }

/**
 * Cuts a started campaign into chunks and queues them on its sender's lane, in one statement. Their virtual times begin at the
 * lane's current one and increase in steps of 1/weight, so that a campaign of a thousand chunks and one of a single chunk take
 * turns; a second leg on the same lane continues after the first. A leg limited to some recipients (`leg_members`) gets chunks
 * of those. A second call changes nothing.
 */
export async function planCampaign(
  db: Db,
  { organizationId, campaignId, leg, senderId, lo, hi, weight, chunkSize, days }: CampaignPlan,
): Promise<void> {
  const parts = days ?? [{ lo, hi, notBefore: null }]
  await sql`
    insert into lanes (organization_id, sender_id) values (${organizationId}::uuid, ${senderId}::uuid) on conflict do nothing`.execute(
    db,
  )
  const lastPartAt = parts.at(-1)?.notBefore ?? null
  await sql`select begin_campaign(${organizationId}::uuid, ${campaignId}::uuid, ${lastPartAt}::timestamptz)`.execute(db)
  const key = { organizationId, campaignId, leg }
  const cut = (await hasMembers(db, key)) ? cutMembers(key) : cutRanges
  await sql`
    with size as (
      select coalesce(${chunkSize ?? null}::int, greatest(10, least(1000, 2 * rate_per_second))) as size
      from senders where organization_id = ${organizationId}::uuid and id = ${senderId}::uuid
    ), before as (
      select count(*) as chunks from chunks
      where organization_id = ${organizationId}::uuid and campaign_id = ${campaignId}::uuid and sender_id = ${senderId}::uuid
    ), part as (
      select greatest(first, ${lo}::int) as lo, least(behind, ${hi}::int) as hi, not_before
      from unnest(${parts.map((part) => part.lo)}::int[], ${parts.map((part) => part.hi)}::int[],
        ${parts.map(({ notBefore }) => notBefore)}::timestamptz[]) as day (first, behind, not_before)
    ), ${cut}
    insert into chunks (organization_id, campaign_id, leg, chunk_no, sender_id, lo, hi, watermark, recorded, vtime, not_before, members)
    select lanes.organization_id, ${campaignId}::uuid, ${leg}::smallint, chunk_no, lanes.sender_id,
      first, behind, first, first, lanes.vtime + (before.chunks + chunk_no + 1) / ${weight}::float8, not_before, members
    from lanes, cut, before
    where lanes.organization_id = ${organizationId}::uuid and lanes.sender_id = ${senderId}::uuid
    on conflict do nothing`.execute(db)
}

type LegOfCampaign = Pick<CampaignPlan, 'organizationId' | 'campaignId' | 'leg'>

async function hasMembers(db: Db, { organizationId, campaignId, leg }: LegOfCampaign): Promise<boolean> {
  const row = await db
    .selectFrom('leg_members')
    .select('block')
    .where('organization_id', '=', organizationId)
    .where('campaign_id', '=', campaignId)
    .where('leg', '=', leg)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

const cutRanges = sql`cut as (
      select row_number() over (order by first) - 1 as chunk_no, first, least(first + size, part.hi) as behind, not_before,
        null::int[] as members
      from size, part, generate_series(part.lo, part.hi - 1, size) as first
    )`

function cutMembers({ organizationId, campaignId, leg }: LegOfCampaign) {
  return sql`member as (
      select part.lo, not_before, seq, (row_number() over (partition by part.lo order by seq) - 1) / size as piece
      from leg_members cross join generate_series(0, 1023) as place cross join lateral (select block * 1024 + place as seq) at
      join part on seq >= part.lo and seq < part.hi
      cross join size
      where organization_id = ${organizationId}::uuid and campaign_id = ${campaignId}::uuid and leg = ${leg}::smallint
        and get_bit(members, place) = 1
    ), cut as (
      select row_number() over (order by min(seq)) - 1 as chunk_no, min(seq) as first, max(seq) + 1 as behind, not_before,
        -- Without gaps, it is an ordinary chunk.
        case when max(seq) - min(seq) >= count(*) then array_agg(seq order by seq) end as members
      from member group by lo, piece, not_before
    )`
}

/**
 * For a resumed campaign: the remaining chunks are queued from the lane's current virtual time, because with their old ones
 * they would precede everyone else. Chunks of later days keep their distance.
 */
export async function replanCampaign(
  db: Db,
  { organizationId, campaignId }: { organizationId: string; campaignId: string },
): Promise<void> {
  await sql`
    with rest as (
      select chunk_no, leg, not_before, dense_rank() over (order by not_before nulls first) - 1 as day,
        greatest(now(), min(coalesce(not_before, now())) over ()) as first_day
      from chunks
      where organization_id = ${organizationId}::uuid and campaign_id = ${campaignId}::uuid and done_at is null
    ), moved as (
      update chunks set not_before = greatest(rest.not_before, first_day + day * interval '24 hours')
      from rest
      where organization_id = ${organizationId}::uuid and campaign_id = ${campaignId}::uuid and chunks.leg = rest.leg
        and chunks.chunk_no = rest.chunk_no and rest.not_before is not null
      returning chunks.not_before
    )
    select move_last_part(${organizationId}::uuid, ${campaignId}::uuid, max(not_before)) from moved having count(*) > 0`.execute(
    db,
  )
  await sql`
    with rest as (
      select chunk.organization_id, chunk.campaign_id, chunk.leg, chunk_no,
        lane.vtime + row_number() over (partition by chunk.sender_id order by chunk.leg, chunk_no) / campaign.weight as vtime
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

/** Notifies the senders of new work after the commit. Without the notification they find it at their next poll. */
export function wakeLanes(db: Db): void {
  notifyAfterCommit(db, laneChannel)
}

/** Whether slices of the campaign are in flight: handed over, with results not written yet. */
export async function isInFlight(
  db: Db,
  { organizationId, campaignId }: { organizationId: string; campaignId: string },
): Promise<boolean> {
  const { rows } = await sql`
    select from chunks
    join lanes using (organization_id, sender_id)
    where organization_id = ${organizationId}::uuid and campaign_id = ${campaignId}::uuid
      and done_at is null and watermark > recorded and lane_epoch = epoch and lease_until > now()
    union all
    select from retries
    join lanes using (organization_id, sender_id)
    where organization_id = ${organizationId}::uuid and campaign_id = ${campaignId}::uuid
      and submitting_epoch = epoch and lease_until > now()
    limit 1`.execute(db)
  return rows.length > 0
}
