import type pg from 'pg'
import { withoutDeadlock } from './apply-provider-events.ts'
import { inTransaction, run, type Queryable, type Statement } from './statements.ts'

/** Chunks whose time has come, of campaigns that may send. Who else looks meanwhile leaves them out. */
const due: Statement = {
  name: 'due-leg-watches',
  text: `
  select watch.organization_id as "organizationId", watch.campaign_id as "campaignId", watch.leg, watch.chunk_no as "chunkNo"
  from leg_watches watch
  join campaigns campaign on campaign.organization_id = watch.organization_id and campaign.id = watch.campaign_id
  where watch.due_at <= now() and campaign.status in ('queued', 'running')
  order by watch.due_at
  limit 20
  for update of watch skip locked`,
}

type Watch = { organizationId: string; campaignId: string; leg: number; chunkNo: number }

/**
 * One look at a chunk. Those that waited long enough without having come as far as they should go on to the next leg. Whoever
 * may still go on is looked at again when his time has come; a chunk of which nobody may is watched no longer.
 */
const look: Statement = {
  name: 'watch-leg',
  text: `
  with terms as (
    select chunk.lo, chunk.hi, campaign.created_on, next.enter_after_seconds as seconds, next.enter_unless as unless, watch.until
    from leg_watches watch
    join campaigns campaign on campaign.organization_id = $1 and campaign.id = $2
    join chunks chunk on chunk.organization_id = $1 and chunk.campaign_id = $2 and chunk.leg = $3 and chunk.chunk_no = $4
    join campaign_legs next on next.organization_id = $1 and next.campaign_id = $2 and next.leg = $3 + 1
    where watch.organization_id = $1 and watch.campaign_id = $2 and watch.leg = $3 and watch.chunk_no = $4
  ), open as materialized (
    select message.seq, coalesce(message.sent_at, message.unknown_at) as since
    from terms
    join messages message on message.organization_id = $1 and message.created_on = terms.created_on and message.campaign_id = $2
      and message.seq >= terms.lo and message.seq < terms.hi and message.leg = $3
    where message.status in ('unknown', 'unconfirmed', 'sent', 'delivered') and message.status < terms.unless
      and not exists (select from leg_entries where organization_id = $1 and campaign_id = $2 and leg = $3 + 1 and seq = message.seq)
  ), gone as (
    select enter_next_leg($1, $2, $3::smallint, array_agg(seq), array_agg('not_delivered_in_time'::text))
    from open, terms
    where seconds is not null and since <= now() - make_interval(secs => seconds)
    having count(*) > 0
  ), rest as (
    select min(since) as since from open, terms where seconds is null or since > now() - make_interval(secs => seconds)
  ), waiting as (
    select exists (select from retries retry, terms
      where retry.organization_id = $1 and retry.campaign_id = $2 and retry.leg = $3 and retry.seq >= terms.lo and retry.seq < terms.hi) as retries
  ), again as (
    update leg_watches watch set due_at = greatest(now() + interval '1 second', least(now() + interval '1 minute',
      coalesce(rest.since + make_interval(secs => coalesce(terms.seconds, 60)), now() + interval '1 minute')))
    from terms, rest, waiting
    where watch.organization_id = $1 and watch.campaign_id = $2 and watch.leg = $3 and watch.chunk_no = $4
      and (rest.since is not null or waiting.retries) and terms.until > now()
    returning 1
  ), ended as (
    delete from leg_watches watch using terms, rest, waiting
    where watch.organization_id = $1 and watch.campaign_id = $2 and watch.leg = $3 and watch.chunk_no = $4
      and not ((rest.since is not null or waiting.retries) and terms.until > now())
    returning 1
  )
  select (select count(*) from gone)::int as gone, (select count(*) from again)::int as again, (select count(*) from ended)::int as ended`,
}

/** Looks at the chunks of which it is time to know who goes on to the next leg. */
export async function watchLegs(pool: pg.Pool): Promise<void> {
  for (;;) {
    const looked = await withoutDeadlock(() => inTransaction(pool, lookAtDue))
    if (looked === 0) return
  }
}

async function lookAtDue(db: Queryable): Promise<number> {
  const watches = await run<Watch>(db, due, [])
  for (const { organizationId, campaignId, leg, chunkNo } of watches)
    await run(db, look, [organizationId, campaignId, leg, chunkNo])
  return watches.length
}
