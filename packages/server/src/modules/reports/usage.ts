import type { Answer } from '@carillon/contract/endpoint'
import type { AccountUsage, reportEndpoints, StatusCounts } from '@carillon/contract/reports'
import type { Channel } from '@carillon/contract/channels'
import { messages } from '@carillon/contract/errors'
import type { Role } from '@carillon/contract/roles'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../../db/pool.ts'
import { within } from '../../db/scope.ts'
import type { UserActor } from '../../actor.ts'
import { badField } from '../../lib/problem.ts'
import { findNamedAccounts } from '../accounts/index.ts'
import { addUp, type CountedRow } from './add-up.ts'

export type UsageRequest = {
  actor: UserActor
  userIds?: string | undefined
  startDate: string
  endDate: string
  /** Each account by itself, or including accounts below it. */
  eachAlone: boolean
}

type Usage = Answer<(typeof reportEndpoints)['reports.teamUsage']>
type Counts = z.input<typeof StatusCounts>
type Person = { id: string; name: string; username: string; type: Role }

const dayMs = 86_400_000
const mostDays = 366
const mostAccounts = 500
/** Maximum points of a trend line. */
const mostPoints = 62

/** Messages and spend of accounts in a period, both days included. */
export async function listUsage(db: Db, request: UsageRequest): Promise<Usage> {
  const days = countDays(request)
  const people = await listPeople(db, request)
  const rows = await readUsage(db, { request, days, ids: people.map(({ id }) => id) })
  const whole = rows.filter(({ account_id, is_top }) => account_id === null && is_top)
  const current = whole.filter(({ day }) => day >= request.startDate)
  const byAccount = Map.groupBy(
    rows.filter(({ account_id, day }) => account_id !== null && day !== null),
    ({ account_id }) => account_id,
  )
  const total = addUp(current)
  return {
    accounts: people
      .map((person) => presentAccount(person, byAccount.get(person.id) ?? [], total))
      .toSorted((a, b) => b.total.submitted - a.total.submitted || a.name.localeCompare(b.name)),
    total,
    previous: addUp(whole.filter(({ day }) => day < request.startDate)),
    daily: current
      .map((row) => ({ row, counts: addUp([row]) }))
      .map(({ row: { day, channel }, counts: { submitted, sent, delivered, read, failed, unconfirmed, cost } }) => ({
        day,
        channel,
        submitted,
        sent,
        delivered: delivered + read,
        failed,
        unconfirmed,
        cost,
      })),
  }
}

function countDays({ startDate, endDate }: UsageRequest): number {
  const days = (Date.parse(endDate) - Date.parse(startDate)) / dayMs + 1
  if (days < 1) throw badField('endDate', 'The last day is before the first')
  if (days > mostDays) throw badField('endDate', `At most ${mostDays} days can be requested at once`)
  return days
}

async function listPeople(db: Db, { actor, userIds, eachAlone }: UsageRequest): Promise<Person[]> {
  const named = await findNamedAccounts(db, { scope: actor.scope, userIds })
  if (!named && !eachAlone) throw badField('userIds', messages.noUserIds)
  return db
    .selectFrom('accounts')
    .select(['id', 'name', sql<string>`username::text`.as('username'), 'role as type'])
    .where(within(actor.scope))
    .$if(named !== undefined, (query) => query.where('id', 'in', named?.map(({ id }) => id) ?? []))
    .orderBy('created_at')
    .limit(mostAccounts)
    .execute()
}

type UsageRow = CountedRow & { account_id: string | null; is_top: boolean; day: string; channel: Channel }

/** Per account in days or groups of days, and for all together by day, including the previous period: in one statement. */
async function readUsage(
  db: Db,
  {
    request: { startDate, endDate, eachAlone },
    days,
    ids,
  }: { request: UsageRequest; days: number; ids: readonly string[] },
): Promise<UsageRow[]> {
  const { rows } = await sql<UsageRow>`
    select account_id, is_top, coalesce(day, point) as day, channel,
      sum(submitted)::float8 as submitted, sum(sent)::float8 as sent, sum(delivered)::float8 as delivered, sum(read)::float8 as read,
      sum(failed)::float8 as failed, sum(unconfirmed)::float8 as unconfirmed, sum(replied)::float8 as replied, sum(opted_out)::float8 as opted_out, sum(cost)::float8 as cost
    from (
      select *, case when day >= ${startDate}::date
        then ${startDate}::date + (day - ${startDate}::date) / ${Math.ceil(days / mostPoints)}::int * ${Math.ceil(days / mostPoints)}::int end as point
      from usage_of(${ids}::uuid[], ${eachAlone}, ${startDate}::date - ${days}::int, ${endDate}::date)
    ) used
    group by grouping sets ((account_id, point, channel), (is_top, day, channel))
    order by day, channel`.execute(db)
  return rows
}

function presentAccount(person: Person, rows: readonly UsageRow[], whole: Counts): AccountUsage {
  const total = addUp(rows)
  const byChannel = Map.groupBy(rows, ({ channel }) => channel)
  const channels: Partial<Record<Channel, Counts>> = {}
  for (const [channel, own] of byChannel) channels[channel] = addUp(own)
  const daily = [...Map.groupBy(rows, ({ day }) => day)].map(([day, own]) => {
    const { submitted, cost } = addUp(own)
    return { day, submitted, cost }
  })
  return {
    userId: person.id,
    name: person.name,
    username: person.username,
    type: person.type,
    channels,
    total,
    share: whole.submitted === 0 ? 0 : total.submitted / whole.submitted,
    daily,
  }
}
