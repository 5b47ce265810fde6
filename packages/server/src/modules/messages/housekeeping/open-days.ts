import type pg from 'pg'
import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import { laneChannel } from '../engine/lane-channel.ts'
import { run, type Statement } from '../statements.ts'

export type OpenedDay = { organizationId: string; campaignId: string }

/**
 * Queues the parts of campaigns whose day has come on their lanes, taking turns with the others. Parts of paused campaigns are
 * skipped: a resume queues them again.
 */
const open: Statement = {
  name: 'open-days',
  text: `
  with due as (
    select chunk.organization_id, chunk.campaign_id, chunk.leg, chunk.chunk_no, chunk.sender_id, campaign.weight
    from chunks chunk
    join campaigns campaign on campaign.organization_id = chunk.organization_id and campaign.id = chunk.campaign_id
    where chunk.not_before <= now() and chunk.done_at is null and campaign.status in ('queued', 'running')
    for share of campaign
  ), placed as (
    select due.*, lane.vtime + row_number() over (partition by due.organization_id, due.campaign_id, due.leg order by chunk_no) / due.weight as vtime
    from due join lanes lane on lane.organization_id = due.organization_id and lane.sender_id = due.sender_id
  ), opened as (
    update chunks set not_before = null, vtime = greatest(chunks.vtime, placed.vtime)
    from placed
    where chunks.organization_id = placed.organization_id and chunks.campaign_id = placed.campaign_id
      and chunks.leg = placed.leg and chunks.chunk_no = placed.chunk_no and chunks.not_before <= now()
    returning chunks.organization_id, chunks.campaign_id
  )
  select distinct organization_id as "organizationId", campaign_id as "campaignId" from opened`,
}

export async function openDays(pool: pg.Pool): Promise<OpenedDay[]> {
  const opened = await run<OpenedDay>(pool, open, [])
  if (opened.length > 0) await pool.query(`select pg_notify($1, '')`, [laneChannel])
  return opened
}

/** The next part of a campaign while nothing may be sent before it; undefined while something is being sent. */
export async function findNextDay(
  db: Db,
  { organizationId, campaignId }: OpenedDay,
): Promise<{ at: Date; people: number } | undefined> {
  const { rows } = await sql<{ at: Date | null; people: number }>`
    select not_before as at, sum(coalesce(cardinality(members), hi - lo))::int as people from chunks
    where organization_id = ${organizationId}::uuid and campaign_id = ${campaignId}::uuid and done_at is null
    group by not_before order by not_before nulls first limit 1`.execute(db)
  const [row] = rows
  return row?.at ? { at: row.at, people: row.people } : undefined
}
