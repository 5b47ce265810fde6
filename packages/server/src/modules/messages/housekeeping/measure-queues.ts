import { run, type Queryable, type Statement } from '../statements.ts'

/** The queues of a channel with active senders. Ages in seconds; null if nothing is due. */
export type QueueMeasure = {
  channel: string
  single: number | null
  retry: number | null
  campaign: number | null
  /** Lanes with due work that no process holds. */
  unheldLanes: number
}

/**
 * One short index scan for each lane and queue, and for each leg of a running campaign, however long the queues are. The
 * index on priority_messages is by priority first. A campaign over several days is due since its last part was.
 */
const measure: Statement = {
  name: 'measure-queues',
  text: `
  with lane as materialized (
    select sender.organization_id, sender.id as sender_id, sender.channel, coalesce(lease_until < now(), true) as is_unheld
    from senders sender
    -- A sender has no lane until a process that sends has seen it.
    left join lanes on lanes.organization_id = sender.organization_id and lanes.sender_id = sender.id
    where sender.is_active
  ), leg as materialized (
    select campaign.organization_id, campaign.id as campaign_id, of.leg, of.sender_id,
      greatest(coalesce(started_at, campaign.updated_at), paused_at,
        last_part_at - interval '24 hours' * greatest(0, ceil(extract(epoch from last_part_at - now()) / 86400))) as since
    from campaigns campaign
    join campaign_legs of on of.organization_id = campaign.organization_id and of.campaign_id = campaign.id
    where campaign.status in ('queued', 'running')
  ), due as (
    select lane.*, 'single' as queue, queued.due_at as since
    from lane cross join generate_series(0, 2) as of (priority)
    cross join lateral (
      select due_at from priority_messages
      where organization_id = lane.organization_id and sender_id = lane.sender_id and priority_messages.priority = of.priority
        and due_at <= now() and submitting_epoch is null
      order by due_at limit 1
    ) queued
    union all
    select lane.*, case when of.is_entry then 'campaign' else 'retry' end, retry.due_at
    from leg
    join lane on lane.organization_id = leg.organization_id and lane.sender_id = leg.sender_id
    cross join (values (true), (false)) as of (is_entry)
    cross join lateral (
      select due_at from retries
      where organization_id = leg.organization_id and sender_id = leg.sender_id and campaign_id = leg.campaign_id
        and retries.is_entry = of.is_entry and due_at <= now() and submitting_epoch is null
      order by due_at limit 1
    ) retry
    union all
    select lane.*, 'campaign', greatest(leg.since, head.queued_at)
    from leg
    join lane on lane.organization_id = leg.organization_id and lane.sender_id = leg.sender_id
    cross join lateral (
      select not_before, queued_at from chunks
      where organization_id = leg.organization_id and sender_id = leg.sender_id and campaign_id = leg.campaign_id
        and chunks.leg = leg.leg and done_at is null
      order by chunk_no limit 1
    ) head
    where head.not_before is null
  )
  select channel, max(age) filter (where queue = 'single') as single, max(age) filter (where queue = 'retry') as retry,
    max(age) filter (where queue = 'campaign') as campaign,
    (count(distinct sender_id) filter (where is_unheld))::int as "unheldLanes"
  from (select distinct channel from lane) channels
  left join (select due.*, greatest(0, extract(epoch from now() - since))::float8 as age from due) aged using (channel)
  group by channel`,
}

export async function measureQueues(db: Queryable): Promise<QueueMeasure[]> {
  return run<QueueMeasure>(db, { ...measure, query_timeout: 5000 }, [])
}

const countWaiting: Statement = {
  name: 'count-waiting-reports',
  text: `select count(*)::int as count
    from (select from early_reports where received_at < now() - interval '5 minutes' limit 10000) waiting`,
}

/** Delivery reports that have found no message for five minutes, counted up to ten thousand. */
export async function countWaitingReports(db: Queryable): Promise<number> {
  const [row] = await run<{ count: number }>(db, { ...countWaiting, query_timeout: 5000 }, [])
  return row?.count ?? 0
}
