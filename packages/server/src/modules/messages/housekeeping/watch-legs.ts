import type pg from 'pg'
import { againOnCollision } from '../../../db/collisions.ts'
import { inTransaction, run, type Queryable, type Statement } from '../statements.ts'

/** Due watches of campaigns that may send; skips those locked by another process. */
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
 * Checks a range of a leg. Recipients that waited long enough without the required status enter the next leg. Those that may
 * still enter it are checked again when their time has come, or sooner while reports are recent, because most arrive together
 * and a campaign ends with its last watch. A range without such recipients is not watched until another message of it is sent.
 */
const checkRange: Statement = {
  name: 'watch-leg',
  text: `
  with terms as (
    select watch.lo, watch.hi, campaign.created_on, timed.seconds, coalesce(timed.unless, 'delivered') as unless, watch.until
    from leg_watches watch
    join campaigns campaign on campaign.organization_id = $1 and campaign.id = $2
    left join lateral (
      select enter_after_seconds as seconds, enter_unless as unless from campaign_legs later
      where later.organization_id = $1 and later.campaign_id = $2 and later.leg > $3 and enter_after_seconds is not null
        and (later.lo is null or (later.lo < watch.hi and later.hi > watch.lo))
      order by later.leg limit 1
    ) timed on true
    where watch.organization_id = $1 and watch.campaign_id = $2 and watch.leg = $3 and watch.chunk_no = $4
  ), open as materialized (
    select message.seq, coalesce(message.sent_at, message.unknown_at) as since
    from terms
    join messages message on message.organization_id = $1 and message.created_on = terms.created_on and message.campaign_id = $2
      and message.seq >= terms.lo and message.seq < terms.hi and message.leg = $3
    where message.status in ('unknown', 'unconfirmed', 'sent', 'delivered') and message.status < terms.unless
      and not exists (select from leg_entries where organization_id = $1 and campaign_id = $2 and from_leg = $3 and seq = message.seq)
  ), late as materialized (
    select message.seq, message.status
    from open, terms, messages message
    where seconds is not null and since <= now() - make_interval(secs => seconds)
      and message.organization_id = $1 and message.created_on = terms.created_on and message.campaign_id = $2
      and message.seq = open.seq and message.leg = $3 and message.status < terms.unless
      and message.status in ('unknown', 'unconfirmed', 'sent', 'delivered')
    order by message.seq
    for no key update of message
  ), gone as (
    select enter_next_leg($1, $2, $3::smallint, array_agg(seq), array_agg('not_delivered_in_time'::text), array_agg(status),
      array_agg(status in ('sent', 'delivered')))
    from late
    having count(*) > 0
  ), rest as (
    select min(since) as since from open, terms where seconds is null or since > now() - make_interval(secs => seconds)
  ), again as (
    update leg_watches watch set due_at = greatest(now() + interval '1 second', least(now() + interval '1 minute',
      rest.since + make_interval(secs => terms.seconds), now() + greatest(interval '5 seconds', now() - rest.since)))
    from terms, rest
    where watch.organization_id = $1 and watch.campaign_id = $2 and watch.leg = $3 and watch.chunk_no = $4
      and rest.since is not null and terms.until > now()
    returning 1
  ), ended as (
    delete from leg_watches watch using terms, rest
    where watch.organization_id = $1 and watch.campaign_id = $2 and watch.leg = $3 and watch.chunk_no = $4
      and (rest.since is null or terms.until <= now())
    returning 1
  )
  select (select count(*) from gone)::int as gone, (select count(*) from again)::int as again, (select count(*) from ended)::int as ended`,
}

/** Checks the due ranges for recipients that fail over to the next leg. */
export async function watchLegs(pool: pg.Pool): Promise<void> {
  for (;;) {
    const checked = await againOnCollision(() => inTransaction(pool, checkDue))
    if (checked === 0) return
  }
}

async function checkDue(db: Queryable): Promise<number> {
  const watches = await run<Watch>(db, due, [])
  for (const { organizationId, campaignId, leg, chunkNo } of watches)
    await run(db, checkRange, [organizationId, campaignId, leg, chunkNo])
  return watches.length
}
