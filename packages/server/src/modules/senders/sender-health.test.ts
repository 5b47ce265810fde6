import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../lib/ids.ts'
import { buildAdmin, buildManager, buildUser, type Account } from '../../testing/builders.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { foldCounters } from '../messages/housekeeping/fold-counters.ts'

let server: TestServer
let now = new Date()

beforeAll(async () => {
  server = await testServer({ flags: ['--run=web'], clock: { now: () => now } })
})
afterAll(() => server.close())

async function buildSender({ organizationId, id: owner }: Account, name: string): Promise<string> {
  const [id, account] = [newId(), newId()]
  await server.database.ownerPool.query(
    `insert into provider_accounts (organization_id, id, channel, name, provider, config, callback_key) values ($1, $2, 'sms', $3, 'smpp', '{}', $2::uuid::text)`,
    [organizationId, account, name],
  )
  await server.database.ownerPool.query(
    `insert into senders (organization_id, id, channel, name, provider_account_id, created_by) values ($1, $2, 'sms', $3, $4, $5)`,
    [organizationId, id, name, account, owner],
  )
  return id
}

type Counts = Partial<Record<'submitted' | 'sent' | 'delivered' | 'failed' | 'unknown', number>>

async function count({ organizationId, id }: Account, senderId: string, at: string, counts: Counts) {
  const names = Object.keys(counts)
  await server.database.systemPool.query(
    `insert into counter_deltas (organization_id, leg, account_id, channel, sender_id, at, ${names.join(', ')})
    values ($1, 0, $2, 'sms', $3, $4, ${Object.values(counts).join(', ')})`,
    [organizationId, id, senderId, at],
  )
}

const health = async (as: Account) => {
  return server.ask('smsAccounts.health', { as })
}

test("each account has the last 24 hours in the caller's time zone", async () => {
  now = new Date('2026-03-02T10:20:00Z')
  const admin = await buildAdmin(server.database)
  const [manager, foreign] = [
    await buildManager(server.database, { parent: admin }),
    await buildManager(server.database, { parent: admin }),
  ]
  const [busy, idle] = [await buildSender(manager, 'Busy'), await buildSender(manager, 'Idle')]
  // India's hours begin at half past: 15:00 there is 09:30 UTC, and 16:00 the day before is 10:30 UTC.
  await count(manager, busy, '2026-03-02T09:31:00Z', { submitted: 8, sent: 8 })
  await count(manager, busy, '2026-03-02T10:10:00Z', { sent: -7, delivered: 6, failed: 1 })
  await count(manager, busy, '2026-03-02T09:29:00Z', { failed: 3, unknown: 2 })
  await count(manager, busy, '2026-03-01T10:31:00Z', { submitted: 1, sent: 1 })
  await count(manager, busy, '2026-03-01T10:29:00Z', { submitted: 100, sent: 100 })
  await foldCounters(server.database.systemPool)

  const [first, second] = await health(manager)
  expect([first?._id, second?._id]).toEqual([busy, idle])
  const nothing = { submitted: 0, sent: 0, delivered: 0, failed: 0, unconfirmed: 0 }
  expect(first?.hours).toHaveLength(24)
  expect(first?.hours[0]).toEqual({ ...nothing, at: '2026-03-01T10:30:00.000Z', submitted: 1, sent: 1 })
  expect(first?.hours.slice(1, 22).every(({ submitted, failed }) => submitted + failed === 0)).toBe(true)
  expect(first?.hours.slice(22)).toEqual([
    { ...nothing, at: '2026-03-02T08:30:00.000Z', failed: 3, unconfirmed: 2 },
    { at: '2026-03-02T09:30:00.000Z', submitted: 8, sent: 1, delivered: 6, failed: 1, unconfirmed: 0 },
  ])
  expect(second?.hours.every(({ submitted }) => submitted === 0)).toBe(true)

  const user = await buildUser(server.database, { parent: manager })
  await server.database.ownerPool.query(`update accounts set timezone = 'UTC' where id = $1`, [user.id])
  const [inUtc] = await health(user)
  expect(inUtc?.hours.at(-1)).toMatchObject({ at: '2026-03-02T10:00:00.000Z', delivered: 6, failed: 1 })
  expect(inUtc?.hours.at(-2)).toMatchObject({ at: '2026-03-02T09:00:00.000Z', submitted: 8, failed: 3 })
  expect(await health(foreign)).toEqual([])
})
