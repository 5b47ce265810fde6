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

/** Its provider can be asked to revoke it. */
const isRevocable = `(terms.grace is not null and message.status < 'delivered' and message.provider_message_id is not null)`

/**
 * Checks a range of a leg. Recipients that waited long enough without the required status enter the next leg. Those that may
 * still enter it are checked again when their time has come, or sooner while reports are recent, because most arrive together
 * and a campaign ends with its last watch. A range without such recipients is not watched until another message of it is sent.
 *
 * A message that is not delivered and can be revoked is queued for that instead, after the time that the provider's report of
 * its expiry may take. The revocation decides whether its recipient moves on, so it is not watched any more.
 */
const checkRange: Statement = {
  name: 'watch-leg',
  text: `
  with terms as (
    select watch.lo, watch.hi, campaign.created_on, timed.seconds, coalesce(timed.unless, 'delivered') as unless, watch.until,
      own.sender_id, own.revoke_grace_seconds as grace
    from leg_watches watch
    join campaigns campaign on campaign.organization_id = $1 and campaign.id = $2
    join campaign_legs own on own.organization_id = $1 and own.campaign_id = $2 and own.leg = $3
    left join lateral (
      select enter_after_seconds as seconds, enter_unless as unless from campaign_legs later
      where later.organization_id = $1 and later.campaign_id = $2 and later.leg > $3 and enter_after_seconds is not null
        and (later.lo is null or (later.lo < watch.hi and later.hi > watch.lo))
      order by later.leg limit 1
    ) timed on true
    where watch.organization_id = $1 and watch.campaign_id = $2 and watch.leg = $3 and watch.chunk_no = $4
  ), open as materialized (
    select message.seq, coalesce(message.sent_at, message.unknown_at) as since,
      coalesce(message.sent_at, message.unknown_at) + make_interval(secs => terms.seconds
        + case when ${isRevocable} then terms.grace else 0 end) as ripe_at
    from terms
    join messages message on message.organization_id = $1 and message.created_on = terms.created_on and message.campaign_id = $2
      and message.seq >= terms.lo and message.seq < terms.hi and message.leg = $3
    where message.status in ('unknown', 'unconfirmed', 'sent', 'delivered') and message.status < terms.unless
      and not exists (select from leg_entries where organization_id = $1 and campaign_id = $2 and from_leg = $3 and seq = message.seq)
      and not exists (select from revocations where organization_id = $1 and campaign_id = $2 and leg = $3 and seq = message.seq)
  ), late as materialized (
    select message.seq, message.status, ${isRevocable} as is_revocable
    from open, terms, messages message
    where ripe_at <= now()
      and message.organization_id = $1 and message.created_on = terms.created_on and message.campaign_id = $2
      and message.seq = open.seq and message.leg = $3 and message.status < terms.unless
      and message.status in ('unknown', 'unconfirmed', 'sent', 'delivered')
    order by message.seq
    for no key update of message
  ), gone as (
    select enter_next_leg($1, $2, $3::smallint, array_agg(seq), array_agg('not_delivered_in_time'::text), array_agg(status),
      array_agg(status in ('sent', 'delivered')))
    from late where not is_revocable
    having count(*) > 0
  ), queued as (
    insert into revocations (organization_id, campaign_id, leg, seq, sender_id, due_at)
    select $1, $2, $3, late.seq, terms.sender_id, now() from late, terms where is_revocable
    on conflict do nothing
    returning 1
  ), rest as (
    select min(since) as since, min(ripe_at) as ripe_at from open where ripe_at is null or ripe_at > now()
  ), again as (
    update leg_watches watch set due_at = greatest(now() + interval '1 second', least(now() + interval '1 minute',
      rest.ripe_at, now() + greatest(interval '5 seconds', now() - rest.since)))
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
  select (select count(*) from gone)::int as gone, (select count(*) from queued)::int as queued, (select count(*) from again)::int as again, (select count(*) from ended)::int as ended`,
}

/** Checks the due ranges for recipients that fail over to the next leg. */
export async function watchLegs(pool: pg.Pool): Promise<void> {
  for (;;) {
    const checked = await againOnCollision(() => inTransaction(pool, checkDue))
    if (checked === 0) return
  }
}

async function checkDue(db: Queryable): Promise<number> {
  // The statement keeps its plan. One that was made while a queue was empty would read the whole queue for each row once it has grown.
  await db.query('set local enable_seqscan = off')
  const watches = await run<Watch>(db, due, [])
  for (const { organizationId, campaignId, leg, chunkNo } of watches)
    await run(db, checkRange, [organizationId, campaignId, leg, chunkNo])
  return watches.length
}
