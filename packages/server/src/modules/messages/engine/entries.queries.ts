import type { LaneKey } from './chunks.queries.ts'
import { persist } from './persist.ts'
import type { LegKey } from './record-results.ts'
import { numberArray, run, type Queryable, type Statement } from '../statements.ts'

/**
 * Collects recipients that enter a leg into chunks of it, in the order of the audience: per campaign at most two seconds of the
 * sender's rate, or a chunk. The chunks are queued after those of the same campaign. The campaign is locked first, as by the
 * statement that stops it; a leg has one lane, so one process at a time numbers its chunks.
 */
const gather: Statement = {
  name: 'gather-entries',
  text: `
  with live as materialized (
    select campaign.id, campaign.weight, lane.vtime, 2 * sender.rate_per_second as two_seconds,
      greatest(10, least(1000, 2 * sender.rate_per_second)) as size
    from campaigns campaign
    join lanes lane on lane.organization_id = $1 and lane.sender_id = $2 and lane.epoch = $3 and lane.lease_until > now()
    join senders sender on sender.organization_id = $1 and sender.id = $2
    where campaign.organization_id = $1 and campaign.status in ('queued', 'running')
      and exists (select from retries where organization_id = $1 and sender_id = $2 and campaign_id = campaign.id
        and is_entry and due_at <= now())
    for share of campaign
  ), due as materialized (
    select entry.*, live.size, row_number() over (partition by entry.campaign_id, entry.leg order by entry.seq) - 1 as place
    from live
    cross join lateral (
      select campaign_id, leg, seq from retries
      where organization_id = $1 and sender_id = $2 and campaign_id = live.id and is_entry and due_at <= now()
      order by due_at limit greatest(live.size, live.two_seconds)
      for update skip locked
    ) entry
  ), removed as (
    delete from retries using due
    where retries.organization_id = $1 and retries.campaign_id = due.campaign_id and retries.leg = due.leg and retries.seq = due.seq
  ), cut as (
    select campaign_id, leg, place / size as piece, min(seq) as lo, max(seq) + 1 as hi, array_agg(seq order by seq) as members
    from due group by 1, 2, 3
  )
  insert into chunks (organization_id, campaign_id, leg, chunk_no, sender_id, lo, hi, watermark, recorded, vtime, members, queued_at)
  select $1, cut.campaign_id, cut.leg, last.chunk_no + 1 + piece, $2, lo, hi, lo, lo,
    greatest(live.vtime, before.vtime) + (piece + 1) / live.weight::float8, members, now()
  from cut
  join live on live.id = cut.campaign_id
  cross join lateral (
    select coalesce(max(chunk_no), -1) as chunk_no from chunks
    where organization_id = $1 and campaign_id = cut.campaign_id and leg = cut.leg
  ) last
  cross join lateral (
    select max(vtime) as vtime from chunks
    where organization_id = $1 and sender_id = $2 and campaign_id = cut.campaign_id and done_at is null and not_before is null
  ) before
  returning 1`,
}

/** Returns the number of new chunks. */
export async function gatherEntries(db: Queryable, { organizationId, senderId, epoch }: LaneKey): Promise<number> {
  return (await run(db, gather, [organizationId, senderId, epoch])).length
}

const withdraw: Statement = {
  name: 'withdraw-entries',
  text: `
  with ended as (
    delete from retries where organization_id = $1 and campaign_id = $2 and leg = $3 and seq = any($4::int[])
  )
  select withdraw_entries($1, $2::uuid, $3::smallint, $4::int[])`,
}

/**
 * Takes recipients back out of a leg that an earlier message reached before this leg's message was sent: they count as not failed
 * over. Runs before their position in a chunk is recorded, because it is harmless to repeat.
 */
export async function withdrawEntries(db: Queryable, leg: LegKey, seqs: readonly number[]): Promise<void> {
  if (seqs.length === 0) return
  await persist(() => run(db, withdraw, [leg.organizationId, leg.campaignId, leg.leg, numberArray(seqs)]))
}
