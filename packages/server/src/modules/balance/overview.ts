import type { Channel } from '@carillon/contract/channels'
import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import { localDay } from '../../lib/local-time.ts'
import { getBalance } from './get-balance.ts'
import { findMoneyAccount, type MoneyAccount } from './money-account.ts'
import { inPaise, toRupees } from './rupees.ts'

const paceDays = 7

/**
 * Balance, recent spend, and days left at the average of the last seven days; for a reseller at its customers' average,
 * since their spend is topped up from its balance.
 */
export async function getOverview(
  db: Db,
  { actor, userId, days, now }: { actor: UserActor; userId: string | undefined; days: number; now: Date },
) {
  const money = await findMoneyAccount(db, { actor, userId })
  const whole = await getBalance(db, { organizationId: money.organizationId, accountId: money.account.id })
  const { available, held } = whole
  const { timezone } = money.account
  const range = { timezone, days, today: localDay(now, timezone) }
  const daily = await readDaily(db, money, range)
  const pace = money.account.role === 'reseller' ? 'earned' : 'spent'
  const perDay = Math.max(0, sum(daily.slice(-paceDays).map((day) => day[pace])) / paceDays)
  return {
    balance: toRupees(available),
    held: toRupees(inPaise(whole).held),
    isOwn: money.isOwn,
    spent: toRupees(sum(daily.map(({ spent }) => spent))),
    perDay: toRupees(Math.round(perDay)),
    runwayDays: perDay > 0 ? Math.floor((available + held) / perDay) : undefined,
    daily: daily.map(({ day, spent, balance }) => ({ day, spent: toRupees(spent), balance: toRupees(balance) })),
    byChannel: await readByChannel(db, money, range),
    topCampaigns: await readTopCampaigns(db, money, range),
    allocated: toRupees(await readAllocated(db, money)),
  }
}

type Day = {
  day: string
  spent: number
  /** Paid by customers for their messages. */
  earned: number
  balance: number
}
/** The last days up to today, in the account's time zone. */
type DailyRange = { timezone: string; days: number; today: string }

const firstInstant = ({ today, days, timezone }: DailyRange) =>
  sql`day_start(${today}::date - ${days - 1}::int, ${timezone})`

async function readDaily(db: Db, money: MoneyAccount, range: DailyRange): Promise<Day[]> {
  const { organizationId, ledgerAccount } = money
  const ledger = ledgerAccount ?? null
  const { rows } = await sql<Day>`
    with moved as (
      select local_day(at, ${range.timezone}) as day, kind,
        case when credit_account = ${ledger}::uuid then amount else -amount end as amount
      from ledger_entries
      where organization_id = ${organizationId}::uuid and ${ledger}::uuid in (debit_account, credit_account)
        and at >= ${firstInstant(range)}
    ), by_day as (
      select day, sum(amount) as change,
        -sum(amount) filter (where kind in ('capture', 'recharge', 'refund')) as spent,
        sum(amount) filter (where kind in ('margin', 'margin_back')) as earned
      from moved group by day
    )
    select to_char(day, 'YYYY-MM-DD') as day, coalesce(spent, 0)::bigint as spent, coalesce(earned, 0)::bigint as earned,
      (coalesce((select posted from ledger_accounts where organization_id = ${organizationId}::uuid and id = ${ledger}::uuid), 0)
        - coalesce(sum(change) over (order by day desc rows between unbounded preceding and 1 preceding), 0))::bigint as balance
    from generate_series(${range.today}::date - ${range.days - 1}::int, ${range.today}::date, interval '1 day') as series (at)
    cross join lateral (select series.at::date as day) as calendar
    left join by_day using (day)
    order by day`.execute(db)
  if (money.isOwn) return rows
  const spent = new Map((await readMembersSpend(db, money, range)).map((row) => [row.day, row.spent]))
  return rows.map((row) => ({ ...row, spent: spent.get(row.day) ?? 0 }))
}

/** For members that use the organisation's balance: the cost of their own messages and those of accounts below. */
async function readMembersSpend(db: Db, { account }: MoneyAccount, { today, days }: DailyRange) {
  const { rows } = await sql<{ day: string; spent: number }>`
    select to_char(daily.day, 'YYYY-MM-DD') as day, sum(cost - refunded)::bigint as spent
    from daily_counters daily
    join accounts on accounts.organization_id = daily.organization_id and accounts.id = daily.account_id
    where accounts.path <@ ${account.path}::ltree and daily.day > ${today}::date - ${days}::int and daily.day <= ${today}::date
    group by daily.day`.execute(db)
  return rows
}

async function readByChannel(db: Db, { account }: MoneyAccount, { today, days }: DailyRange) {
  const { rows } = await sql<{ channel: Channel; spent: number }>`
    select daily.channel, sum(cost - refunded)::bigint as spent
    from daily_counters daily
    join accounts on accounts.organization_id = daily.organization_id and accounts.id = daily.account_id
    where accounts.path <@ ${account.path}::ltree and daily.day > ${today}::date - ${days}::int and daily.day <= ${today}::date
    group by daily.channel having sum(cost - refunded) > 0 order by spent desc`.execute(db)
  return rows.map(({ channel, spent }) => ({ channel, spent: toRupees(spent) }))
}

type SpentCampaign = {
  id: string
  name: string
  channel: Channel
  units: number
  price: number | null
  prices: number
  spent: number
  at: Date
}

async function readTopCampaigns(db: Db, { account }: MoneyAccount, range: DailyRange) {
  const { rows } = await sql<SpentCampaign>`
    select campaign.id, campaign.name, campaign.channel, sum(counted.parts)::bigint as units,
      min(leg.price) filter (where counted.parts > 0) as price, count(distinct leg.price) filter (where counted.parts > 0) as prices,
      sum(counted.cost - counted.refunded)::bigint as spent, campaign.started_at as at
    from campaigns campaign
    join counters counted on counted.organization_id = campaign.organization_id and counted.campaign_id = campaign.id
    left join campaign_legs leg on leg.organization_id = counted.organization_id and leg.campaign_id = counted.campaign_id and leg.leg = counted.leg
    where campaign.path <@ ${account.path}::ltree and campaign.started_at >= ${firstInstant(range)}
    group by campaign.id, campaign.name, campaign.channel, campaign.started_at
    having sum(counted.cost - counted.refunded) > 0
    order by spent desc limit 10`.execute(db)
  return rows.map(({ id, name, channel, units, price, prices, spent, at }) => ({
    campaignId: id,
    campaignName: name,
    channel,
    units,
    price: price === null || prices > 1 ? undefined : toRupees(price),
    spent: toRupees(spent),
    at: at.toISOString(),
  }))
}

/** Available balance of accounts below, as shown on their own screens. */
async function readAllocated(db: Db, { account }: MoneyAccount): Promise<number> {
  const { rows } = await sql<{ allocated: number }>`
    select coalesce(sum(posted - held), 0)::bigint as allocated
    from accounts
    join ledger_accounts ledger on ledger.organization_id = accounts.organization_id and ledger.account_id = accounts.id
    where accounts.path <@ ${account.path}::ltree and accounts.id <> ${account.id}::uuid and ledger.kind = 'balance'`.execute(
    db,
  )
  return rows[0]?.allocated ?? 0
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
