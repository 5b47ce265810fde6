import { defaultChannels } from '@carillon/contract/channels/table'
import type { Channel } from '@carillon/contract/channels'
import type { reportEndpoints } from '@carillon/contract/reports'
import type { Answer } from '@carillon/contract/endpoint'
import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import { localDay } from '../../lib/local-time.ts'
import { findNamedAccounts } from '../accounts/index.ts'
import { toRupees } from '../balance/index.ts'
import { addUp, type CountedRow } from './add-up.ts'

type Counts = ReturnType<typeof addUp>
type Dashboard = Answer<(typeof reportEndpoints)['dashboard.statusCounts']>

/** Counts of the last days, and of the same number of days before. An account includes all accounts below it. */
export async function countStatuses(
  db: Db,
  { actor, userIds, days, now }: { actor: UserActor; userIds: string | undefined; days: number; now: Date },
): Promise<Dashboard> {
  const roots = await listRoots(db, actor, userIds)
  const today = localDay(now, actor.timezone)
  const rows = await listDays(db, { roots, today, days: days * 2 })
  const current = rows.filter(({ age }) => age < days)
  const before = rows.filter(({ age }) => age >= days)
  const pending = await countPending(db, roots)

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

/** The accounts whose figures, with those of all accounts below them, are wanted. */
async function listRoots(db: Db, { scope }: UserActor, userIds: string | undefined): Promise<string[]> {
  const named = await findNamedAccounts(db, { scope, userIds })
  if (named) return named.map(({ id }) => id)
  const own = await db
    .selectFrom('accounts')
    .select('id')
    .where('path', '=', sql<string>`${scope.path}::ltree`)
    .execute()
  return own.map(({ id }) => id)
}

type DayRow = CountedRow & { day: string; channel: Channel; age: number }

async function listDays(
  db: Db,
  { roots, today, days }: { roots: string[]; today: string; days: number },
): Promise<DayRow[]> {
  const { rows } = await sql<DayRow>`
    select day, channel, (${today}::date - day) as age,
      sum(submitted)::float8 as submitted, sum(sent)::float8 as sent, sum(delivered)::float8 as delivered, sum(read)::float8 as read,
      sum(failed)::float8 as failed, sum(unconfirmed)::float8 as unconfirmed, sum(replied)::float8 as replied,
      sum(opted_out)::float8 as opted_out, sum(cost)::float8 as cost
    from usage_of(${roots}::uuid[], false, ${today}::date - ${days - 1}::int, ${today}::date)
    where is_top
    group by day, channel
    order by day, channel`.execute(db)
  return rows
}

/** Unsent messages of active campaigns, by their first channel. */
async function countPending(db: Db, roots: string[]): Promise<Map<Channel, number>> {
  const { rows } = await sql<{ channel: Channel; pending: number }>`
    select channel, pending::float8 from pending_messages(${roots}::uuid[]) where pending > 0`.execute(db)
  return new Map(rows.map(({ channel, pending }) => [channel, pending]))
}

function sumOf(pending: ReadonlyMap<Channel, number>): number {
  return [...pending.values()].reduce((sum, queued) => sum + queued, 0)
}
