import { sql } from 'kysely'
import type { Db } from '../db/pool.ts'

/** Messages per day, by username. */
const usual: Record<string, number> = {
  manager: 9200,
  'department-head': 420,
  user: 1350,
  neha: 780,
  fatima: 310,
  sahyadri: 340,
  anita: 120,
  'konkan-travels': 260,
  manager2: 45,
}

const days = 75

/** Daily usage of the past weeks: quiet Sundays, slow growth, occasional promotions. Existing days are kept. */
export async function addUsage(db: Db): Promise<void> {
  await sql`
    insert into daily_counters (organization_id, account_id, day, channel, submitted, sent, delivered, failed, replied, opted_out, parts, cost)
    select organization_id, id, day, 'sms', count, 0, count - failed, failed, count * 3 / 1000, count / 2000, count, count * 1250
    from (
      select used.*, (count * (20 + abs(hashtext(username || day)) % 25) / 1000)::int as failed
      from (
        select account.organization_id, account.id, account.username::text as username, (today - back) as day,
          (usual.count * (1.1 - back / 200.0) * (0.8 + abs(hashtext('a' || account.username || back)) % 40 / 100.0)
            * case when extract(isodow from today - back) = 7 then 0.25 else 1 end
            * case when back % 17 = 4 then 2.2 else 1 end)::int as count
        from json_each_text(${JSON.stringify(usual)}::json) as given (username, count)
        cross join lateral (select given.count::int as count) usual
        join accounts account on account.username = given.username
        cross join lateral (select local_day(now(), account.timezone) as today) calendar
        cross join generate_series(1, ${days}::int) as back
      ) used
    ) counted
    on conflict do nothing`.execute(db)
}

/**
 * The single messages that the daily usage consists of. Like messages older than the retention, they are only counted: their partitions, two
 * days before, do not exist.
 */
export async function addSingleDays(db: Db): Promise<void> {
  await sql`
    insert into single_days (organization_id, day, created_on, account_id, sender_id, channel, kind, category, country,
      submitted, sent, delivered, failed, parts, cost)
    select organization_id, day, day - 2, account_id, coalesce(sender.id, account_id), channel, 'api', 'transactional', 'IN',
      submitted, sent, delivered, failed, parts, cost
    from daily_counters daily
    left join lateral (
      select id from senders where organization_id = daily.organization_id and channel = daily.channel order by created_at limit 1
    ) sender on true`.execute(db)
}

/**
 * Spreads each organization's SMS messages of yesterday over its first SMS account, from 9 am to 9 pm in quarter-hours, so
 * that the last 24 hours of the account match the daily counts.
 */
export async function addSenderPoints(db: Db): Promise<void> {
  await sql`
    insert into sender_points (organization_id, sender_id, at, submitted, sent, delivered, failed)
    select organization_id, sender_id, day_start(day, timezone) + interval '9 hours' + part * interval '15 minutes',
      delivered + failed + sent, sent, delivered, failed
    from (
      select founder.organization_id, founder.timezone, sender.id as sender_id, yesterday.day, part,
        ${shareOf('delivered')} as delivered, ${shareOf('failed')} as failed, ${shareOf('sent')} as sent
      from accounts founder
      cross join lateral (select local_day(now(), founder.timezone) - 1 as day) yesterday
      join lateral (
        select id from senders where organization_id = founder.organization_id and channel = 'sms'
        order by created_at limit 1
      ) sender on true
      join lateral (
        select sum(daily.delivered)::int as delivered, sum(daily.failed)::int as failed, sum(daily.sent)::int as sent
        from daily_counters daily
        where daily.organization_id = founder.organization_id and daily.channel = 'sms' and daily.day = yesterday.day
      ) numbers on true
      cross join generate_series(0, ${quarterHours - 1}::int) as part
      where founder.id = founder.organization_id
    ) spread
    on conflict do nothing`.execute(db)
}

const quarterHours = 48

/** The share of a daily count in one quarter-hour; the shares add up to the count. */
function shareOf(column: 'delivered' | 'failed' | 'sent') {
  const number = sql.ref(`numbers.${column}`)
  return sql`(${number} * (part + 1) / ${quarterHours}::int - ${number} * part / ${quarterHours}::int)`
}
