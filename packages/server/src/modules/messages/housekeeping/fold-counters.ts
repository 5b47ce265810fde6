import type pg from 'pg'
import { counterColumns, reportColumns } from './counter-columns.ts'
import { inTransaction, run, type Statement } from '../statements.ts'

const dailyNumbers = [...counterColumns, 'opted_out']
const pointNumbers = ['submitted', 'delivered', 'failed']
/** Columns of a sender's last days. */
const senderNumbers = ['submitted', 'sent', 'delivered', 'read', 'failed', 'unknown', 'unconfirmed']
/** A message that becomes read was counted as delivered before, so both changes cancel out. */
const pointSums = 'sum(submitted), sum(delivered + read), sum(failed)'

const sums = (names: readonly string[]) => names.map((name) => `sum(${name}) as ${name}`).join(', ')
const additions = (table: string, names: readonly string[]) =>
  names.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(', ')

/**
 * A counter row that every batch updates would be a contended lock; so every batch inserts its changes, and one folder adds
 * them up. Rows are ordered by their keys, so that folds and readers never deadlock.
 */
const fold: Statement = {
  name: 'fold-counters',
  text: `
  with taken as (
    delete from counter_deltas where id in (select id from counter_deltas order by id limit 20000) returning *
  ), campaigns_folded as (
    insert into counters (organization_id, campaign_id, leg, ${counterColumns.join(', ')})
    select organization_id, campaign_id, leg, ${sums(counterColumns)} from taken where campaign_id is not null
    group by organization_id, campaign_id, leg order by organization_id, campaign_id, leg
    on conflict (organization_id, campaign_id, leg) do update set ${additions('counters', counterColumns)}
  ), points_folded as (
    insert into counter_points (organization_id, campaign_id, at, ${pointNumbers.join(', ')})
    select organization_id, campaign_id, date_bin('5 minutes', at, 'epoch'), ${pointSums} from taken
    where campaign_id is not null and (submitted <> 0 or delivered + read <> 0 or failed <> 0)
    group by 1, 2, 3 order by 1, 2, 3
    on conflict (organization_id, campaign_id, at) do update set ${additions('counter_points', pointNumbers)}
  ), senders_folded as (
    insert into sender_points (organization_id, sender_id, at, ${senderNumbers.join(', ')})
    select organization_id, sender_id, date_bin('15 minutes', at, 'epoch'), ${sums(senderNumbers)} from taken
    where sender_id is not null
    group by 1, 2, 3 order by 1, 2, 3
    on conflict (organization_id, sender_id, at) do update set ${additions('sender_points', senderNumbers)}
  ), days_folded as (
    insert into daily_counters (organization_id, account_id, day, channel, ${dailyNumbers.join(', ')})
    select taken.organization_id, taken.account_id, coalesce(left_on, local_day(at, accounts.timezone)), channel, ${sums(dailyNumbers)}
    from taken join accounts on accounts.organization_id = taken.organization_id and accounts.id = taken.account_id
    group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (organization_id, account_id, day, channel) do update set ${additions('daily_counters', dailyNumbers)}
  ), legs_folded as (
    insert into leg_days (organization_id, campaign_id, leg, day, ${reportColumns.join(', ')})
    select taken.organization_id, campaign_id, leg, coalesce(left_on, campaigns.created_on), ${sums(reportColumns)}
    from taken join campaigns on campaigns.organization_id = taken.organization_id and campaigns.id = taken.campaign_id
    group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (organization_id, campaign_id, leg, day) do update set ${additions('leg_days', reportColumns)}
  ), singles_folded as (
    insert into single_days (organization_id, day, created_on, account_id, sender_id, channel, kind, category, country, ${reportColumns.join(', ')})
    select organization_id, coalesce(left_on, created_on), created_on, account_id, sender_id, channel, kind, category, country, ${sums(reportColumns)}
    from taken where created_on is not null
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9 order by 1, 2, 3, 4, 5, 7, 8, 9
    on conflict (organization_id, day, created_on, account_id, sender_id, kind, category, country)
      do update set ${additions('single_days', reportColumns)}
  )
  select count(*)::int as folded from taken`,
}

const foldFailovers: Statement = {
  name: 'fold-failovers',
  text: `
  with taken as (
    delete from failover_deltas where id in (select id from failover_deltas order by id limit 20000) returning *
  ), folded as (
    insert into failover_counts (organization_id, campaign_id, leg, before, after, twice, entries, seconds)
    select organization_id, campaign_id, leg, before, after, twice, sum(entries), sum(seconds) from taken
    group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
    on conflict (organization_id, campaign_id, leg, before, after, twice)
      do update set entries = failover_counts.entries + excluded.entries, seconds = failover_counts.seconds + excluded.seconds
  )
  select count(*)::int as folded from taken`,
}

const acceptedNumbers = ['messages', 'cost']

const foldAccepted: Statement = {
  name: 'fold-accepted',
  text: `
  with taken as (
    delete from accepted_deltas where id in (select id from accepted_deltas order by id limit 20000) returning *
  ), quarters_folded as (
    insert into accepted_quarters (organization_id, account_id, at, ${acceptedNumbers.join(', ')})
    select organization_id, account_id, date_bin('15 minutes', at, 'epoch'), ${sums(acceptedNumbers)} from taken
    group by 1, 2, 3 order by 1, 2, 3
    on conflict (organization_id, account_id, at) do update set ${additions('accepted_quarters', acceptedNumbers)}
  ), days_folded as (
    insert into accepted_days (organization_id, account_id, day, ${acceptedNumbers.join(', ')})
    select organization_id, account_id, (at at time zone 'UTC')::date, ${sums(acceptedNumbers)} from taken
    group by 1, 2, 3 order by 1, 2, 3
    on conflict (organization_id, account_id, day) do update set ${additions('accepted_days', acceptedNumbers)}
  )
  select count(*)::int as folded from taken`,
}

/** Adds the deltas so far to the counters; one process at a time. */
export async function foldCounters(pool: pg.Pool): Promise<void> {
  for (let folded = 20_000; folded === 20_000;) {
    folded = await inTransaction(pool, async (db) => {
      const { rows } = await db.query<{ mine: boolean }>(
        `select pg_try_advisory_xact_lock(hashtext('carillon.fold')) as mine`,
      )
      if (!rows[0]?.mine) return 0
      const [counters] = await run<{ folded: number }>(db, fold, [])
      const [failovers] = await run<{ folded: number }>(db, foldFailovers, [])
      const [accepted] = await run<{ folded: number }>(db, foldAccepted, [])
      return Math.max(counters?.folded ?? 0, failovers?.folded ?? 0, accepted?.folded ?? 0)
    })
  }
}
