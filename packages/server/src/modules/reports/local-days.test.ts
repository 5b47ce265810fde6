import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { asSystem, inScope } from '../../db/pool.ts'
import { newId } from '../../lib/ids.ts'
import { buildAdmin, buildManager, buildReseller, type Account } from '../../testing/builders.ts'
import { issueTo } from '../../testing/money.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { foldCounters } from '../messages/housekeeping/fold-counters.ts'

const dayMs = 86_400_000
let server: TestServer
let now = new Date()
let admin: Account
let reseller: Account

beforeAll(async () => {
  server = await testServer({ flags: ['--run=web'], clock: { now: () => now } })
  admin = await buildAdmin(server.database)
  reseller = await buildReseller(server.database, { parent: admin })
})
afterAll(() => server.close())

const dayOf = (at: Date, timeZone: string) => new Intl.DateTimeFormat('sv-SE', { timeZone }).format(at)
const dayBefore = (day: string, days: number) => new Date(Date.parse(day) - days * dayMs).toISOString().slice(0, 10)

/** An account that sent 2^n messages at ₹1.00 n days ago, so that a sum identifies its days. */
async function buildSender(timezone: string): Promise<Account> {
  const account = await buildManager(server.database, { parent: reseller })
  const { organizationId, id } = account
  await server.database.ownerPool.query('update accounts set timezone = $2 where id = $1', [id, timezone])
  await issueTo(server.database, { account, admin, units: 100_000_000 })
  const today = dayOf(now, timezone)
  for (let ago = 0; ago < 9; ago += 1) {
    const [day, count] = [dayBefore(today, ago), 2 ** ago]
    await server.database.systemPool.query(
      `insert into daily_counters (organization_id, account_id, day, channel, submitted, delivered, parts, cost)
       values ($1, $2, $3, 'sms', $4::bigint, $4, $4, $4::bigint * 10000)`,
      [organizationId, id, day, count],
    )
    // A minute after the start and a minute before the end of the day, but not in the future.
    await asSystem(server.database, (db) =>
      sql`
        with moment as (select least(day_start(${day}::date, ${timezone}) + interval '1 minute', ${now}::timestamptz) as at)
        insert into ledger_entries (organization_id, id, debit_account, credit_account, amount, op_key, kind, reference, at)
        select ${organizationId}::uuid, gen_random_uuid(), ledger_account_of(${organizationId}::uuid, ${organizationId}::uuid, 'balance'),
          ledger_account_of(${organizationId}::uuid, ${organizationId}::uuid, 'spent'), ${count * 10_000}::bigint,
          'capture:' || ${newId()}::uuid || ':0:0', 'capture', ${newId()}::uuid::text, at from moment`.execute(db),
    )
  }
  return account
}

const yesterday = dayBefore(dayOf(now, 'UTC'), 1)
const times = [
  ['23:30 UTC', `${dayBefore(yesterday, 1)}T23:30:00Z`],
  ['00:30 UTC', `${yesterday}T00:30:00Z`],
  ['23:30 IST', `${dayBefore(yesterday, 1)}T18:00:00Z`],
  ['00:30 IST', `${dayBefore(yesterday, 1)}T19:00:00Z`],
] as const

describe.each(times)('at %s', (_, at) => {
  test.each(['UTC', 'Asia/Kolkata'])('figures of seven days have seven days of %s', async (timezone) => {
    now = new Date(at)
    const account = await buildSender(timezone)
    const week = 2 ** 7 - 1
    const today = dayOf(now, timezone)

    const overview = await server.ask('balance.overview', { as: account, query: { days: 7 } })
    expect(overview).toMatchObject({
      spent: week,
      byChannel: [{ spent: week }],
      perDay: Math.round((week / 7) * 10_000) / 10_000,
    })
    expect(overview.daily.map(({ day, spent }) => [day, spent])).toEqual(
      [6, 5, 4, 3, 2, 1, 0].map((ago) => [dayBefore(today, ago), 2 ** ago]),
    )
    expect(overview.runwayDays).toBe(Math.floor(10_000 / (week / 7)))

    // Input of 'Fill all to 7 days'.
    const figures = await inScope(
      server.database,
      { organizationId: reseller.organizationId, path: reseller.path, descends: true },
      (db) => sql<{ spent: number }>`select spent from account_figures(array[${account.id}::uuid], ${now})`.execute(db),
    )
    expect(figures.rows).toEqual([{ spent: week * 10_000 }])

    expect(await server.ask('dashboard.statusCounts', { as: account, query: { days: 7 } })).toMatchObject({
      total: { submitted: week },
    })
    expect((await server.ask('dashboard.statusCounts', { as: account, query: { days: 1 } })).daily).toMatchObject([
      { day: today, submitted: 1 },
    ])
  })

  test.each(['UTC', 'Asia/Kolkata'])(
    'an account that last sent on the seventh day of %s is active, on the eighth it is not',
    async (timezone) => {
      now = new Date(at)
      const parent = await buildReseller(server.database, { parent: admin })
      for (const ago of [6, 7]) {
        const { organizationId, id } = await buildManager(server.database, { parent })
        await server.database.ownerPool.query('update accounts set timezone = $2 where id = $1', [id, timezone])
        await server.database.systemPool.query(
          `insert into daily_counters (organization_id, account_id, day, channel, submitted) values ($1, $2, $3, 'sms', 1)`,
          [organizationId, id, dayBefore(dayOf(now, timezone), ago)],
        )
      }
      expect(await server.ask('dashboard.attention', { as: parent })).toMatchObject({ accounts: 2, activeAccounts: 1 })
    },
  )

  test.each(['UTC', 'Asia/Kolkata'])(
    'messages are counted on the day of %s, also in team reports',
    async (timezone) => {
      now = new Date(at)
      const { organizationId, id, token } = await buildManager(server.database, { parent: reseller })
      await server.database.ownerPool.query('update accounts set timezone = $2 where id = $1', [id, timezone])
      await server.database.systemPool.query(
        `insert into counter_deltas (organization_id, leg, account_id, channel, submitted, at) values ($1, 0, $2, 'sms', 5, $3)`,
        [organizationId, id, now],
      )
      await foldCounters(server.database.systemPool)
      const day = dayOf(now, timezone)
      const query = { startDate: day, endDate: day }
      const { body } = await server.call('reports.teamUsage', { as: { token }, query })
      expect(body).toMatchObject({ data: { total: { submitted: 5 }, previous: { submitted: 0 }, daily: [{ day }] } })
    },
  )
})
