import type { Queryable } from '../statements.ts'
import { differences, provedColumns, provedNumbers, sumFigures } from './recount.queries.ts'

const keys = 'organization_id, account_id, day, channel'
const sums = provedColumns.map((name) => `sum(${name}) as ${name}`).join(', ')
/** Days that have figures of messages only since their migration began. */
const since = `coalesce((select max(created_on) from proved_days where is_old), '-infinity')`

/** Messages of accounts by day and channel. */
const ofParts = `parts as (
    select figures.organization_id, campaign.created_by as account_id, day, own.channel, ${sumFigures}
    from leg_days figures
    join campaigns campaign on campaign.organization_id = figures.organization_id and campaign.id = figures.campaign_id
    join campaign_legs own on own.organization_id = figures.organization_id and own.campaign_id = figures.campaign_id and own.leg = figures.leg
    where day > ${since} group by 1, 2, 3, 4
    union all
    select organization_id, account_id, day, channel, ${sumFigures} from single_days figures where day > ${since} group by 1, 2, 3, 4
  ), found as (
    select ${keys}, ${sums} from parts group by ${keys}
  )`

/**
 * Compares the counts of accounts by day with those of their campaigns and single messages. Costs of conversations belong to no message,
 * so money is compared with the ledger.
 */
const proveDays = `
  with ${ofParts}, said as (
    select ${keys}, ${provedNumbers.join(', ')}, coalesce(found.paid, 0) as paid
    from (select ${keys}, ${provedNumbers.join(', ')} from daily_counters where day > ${since}) daily left join (select ${keys}, paid from found) found using (${keys})
  ), compared as (
    select organization_id, account_id, day, channel, ${differences('said', 'found')} as differences from found full join said using (${keys})
  ), stored as (
    insert into report_mismatches (organization_id, source, account_id, day, differences)
    select organization_id, 'days', account_id, day, jsonb_object_agg(channel, differences) from compared where differences is not null
    group by 1, 3, 4
    on conflict (organization_id, source, created_on, campaign_id, leg, account_id, sender_id, day) where mended_at is null
      do update set differences = excluded.differences
    returning 1
  )
  select count(*)::int as count from stored`

/**
 * Compares what the messages of an organisation cost by its counters with what the ledger says. What an open chunk has sent is charged when
 * the chunk ends.
 */
const proveLedger = `
  with said as (
    select organization_id, sum(paid)::bigint as paid from (
      select organization_id, cost - refunded as paid from daily_counters
      union all select organization_id, cost - refunded from counter_deltas
      union all select organization_id, -charged from chunks where done_at is null and charged <> 0
    ) counted group by 1
  ), found as (
    select entry.organization_id, sum(case when entry.credit_account = spent.id then entry.amount else -entry.amount end)::bigint as paid
    from ledger_accounts spent
    join ledger_entries entry on entry.organization_id = spent.organization_id and spent.id in (entry.debit_account, entry.credit_account)
    where spent.kind = 'spent' and entry.kind in ('capture', 'refund', 'recharge') and not exists (
      -- What an organization above pays for the messages of one below.
      select from accounts below where below.id = below.organization_id and below.id <> entry.organization_id
          and below.id::text = split_part(entry.reference, ':', 1))
    group by 1
  ), compared as (
    select organization_id, coalesce(said.paid, 0) as said, coalesce(found.paid, 0) as found from said full join found using (organization_id)
  ), stored as (
    insert into report_mismatches (organization_id, source, differences)
    select organization_id, 'ledger', jsonb_build_object('paid', jsonb_build_array(said, found)) from compared where said <> found
    on conflict (organization_id, source, created_on, campaign_id, leg, account_id, sender_id, day) where mended_at is null
      do update set differences = excluded.differences
    returning 1
  )
  select count(*)::int as count from stored`

/** Sets the counts of accounts by day to those of their messages, where they differ. Opt-outs, replies and money are kept. */
const setDays = `
  with ${ofParts}, said as (
    select ${keys}, ${provedNumbers.join(', ')} from daily_counters where day > ${since}
  ), wanted as (
    select ${keys}, ${provedNumbers.map((name) => `coalesce(found.${name}, 0) as ${name}`).join(', ')}
    from found full join said using (${keys})
    where ${provedNumbers.map((name) => `coalesce(found.${name}, 0) <> coalesce(said.${name}, 0)`).join(' or ')}
  )
  insert into daily_counters (${keys}, ${provedNumbers.join(', ')})
  select ${keys}, ${provedNumbers.join(', ')} from wanted order by organization_id, account_id, day, channel
  on conflict (organization_id, account_id, day, channel) do update set ${provedNumbers.map((name) => `${name} = excluded.${name}`).join(', ')}`

/** In the caller's transaction, which keeps counters from being folded until it ends. */
export async function sumDays(db: Queryable): Promise<void> {
  await db.query(`select pg_advisory_xact_lock(hashtext('carillon.fold'))`)
  await db.query(setDays)
}

/** Returns how many sums differ. */
export async function proveSums(db: Queryable): Promise<number> {
  let count = 0
  for (const statement of [proveDays, proveLedger])
    count += (await db.query<{ count: number }>(statement)).rows[0]?.count ?? 0
  return count
}
