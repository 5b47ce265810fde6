import { defaultChannels } from '@carillon/contract/channels/table'
import type { Channel } from '@carillon/contract/channels'
import type { reportEndpoints } from '@carillon/contract/reports'
import type { Answer } from '@carillon/contract/endpoint'
import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { within } from '../../db/scope.ts'
import type { UserActor } from '../../actor.ts'
import { localDay } from '../../lib/local-time.ts'
import { findNamedAccounts } from '../accounts/index.ts'
import { toRupees } from '../balance/index.ts'
import { statsOf } from '../campaigns/index.ts'
import { addUp, type CountedRow } from './add-up.ts'

type Counts = ReturnType<typeof addUp>
type Dashboard = Answer<(typeof reportEndpoints)['dashboard.statusCounts']>

const mostCampaigns = 10_000

/** Counts of the last days, and of the same number of days before. An account includes all accounts below it. */
export async function countStatuses(
  db: Db,
  { actor, userIds, days, now }: { actor: UserActor; userIds: string | undefined; days: number; now: Date },
): Promise<Dashboard> {
  const accountIds = await listAccounts(db, actor, userIds)
  const today = localDay(now, actor.timezone)
  const rows = await listDays(db, { accountIds, today, days: days * 2 })
  const current = rows.filter(({ age }) => age < days)
  const before = rows.filter(({ age }) => age >= days)
  const pending = await countPending(db, accountIds)

  const channels: Partial<Record<Channel, Counts>> = {}
  for (const channel of new Set<Channel>([
    defaultChannels.campaigns,
    ...pending.keys(),
    ...current.map((row) => row.channel),
  ])) {
    channels[channel] = {
      ...addUp(current.filter((row) => row.channel === channel)),
      pending: pending.get(channel) ?? 0,
    }
  }
  return {
    channels,
    total: { ...addUp(current), pending: sumOf(pending) },
    previous: addUp(before),
    previousChannels: Object.fromEntries(
      [...Map.groupBy(before, ({ channel }) => channel)].map(([channel, own]) => [channel, addUp(own)]),
    ),
    daily: current.map(({ day, channel, submitted, sent, delivered, read, failed, unconfirmed, cost }) => ({
      day,
      channel,
      submitted,
      sent,
      delivered: delivered + read,
      failed,
      unconfirmed,
      read,
      cost: toRupees(cost),
    })),
  }
}

/** A given account includes all accounts below it. */
async function listAccounts(db: Db, { scope }: UserActor, userIds: string | undefined): Promise<string[]> {
  const named = await findNamedAccounts(db, { scope, userIds })
  const rows = await db
    .selectFrom('accounts')
    .select('id')
    .where(within(scope))
    .$if(named !== undefined, (query) =>
      query.where(sql<boolean>`path <@ any(${named?.map(({ path }) => path)}::ltree[])`),
    )
    .execute()
  return rows.map(({ id }) => id)
}

type DayRow = CountedRow & { day: string; channel: Channel; age: number }

async function listDays(
  db: Db,
  { accountIds, today, days }: { accountIds: string[]; today: string; days: number },
): Promise<DayRow[]> {
  const { rows } = await sql<DayRow>`
    select day, channel, (${today}::date - day) as age,
      sum(submitted)::float8 as submitted, sum(sent)::float8 as sent, sum(delivered)::float8 as delivered, sum(read)::float8 as read,
      sum(failed)::float8 as failed, sum(unknown + unconfirmed)::float8 as unconfirmed, sum(replied)::float8 as replied, sum(opted_out)::float8 as opted_out,
      sum(cost - refunded)::float8 as cost
    from daily_counters
    join accounts on accounts.organization_id = daily_counters.organization_id and accounts.id = daily_counters.account_id
    where account_id = any(${accountIds}::uuid[]) and day > ${today}::date - ${days}::int and day <= ${today}::date
    group by day, channel
    order by day, channel`.execute(db)
  return rows
}

/** Unsent messages of active campaigns, by their first channel. */
async function countPending(db: Db, accountIds: string[]): Promise<Map<Channel, number>> {
  const campaigns = await db
    .selectFrom('campaigns')
    .select(['organization_id', 'id', 'channel', 'total', 'status'])
    .where('created_by', '=', sql<string>`any(${accountIds}::uuid[])`)
    .where('status', 'in', ['queued', 'running', 'paused'])
    .limit(mostCampaigns)
    .execute()
  const stats = await statsOf(db, campaigns)
  const pending = new Map<Channel, number>()
  for (const { id, channel } of campaigns) {
    const queued = stats.get(id)?.queued ?? 0
    if (queued > 0) pending.set(channel, (pending.get(channel) ?? 0) + queued)
  }
  return pending
}

function sumOf(pending: ReadonlyMap<Channel, number>): number {
  return [...pending.values()].reduce((sum, queued) => sum + queued, 0)
}
