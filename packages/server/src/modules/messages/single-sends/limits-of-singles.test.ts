import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '../../../db/pool.ts'
import { newId } from '../../../lib/ids.ts'
import { buildReseller, buildUser, type Account } from '../../../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../../../testing/database.ts'
import { checkInvariants, getBalance } from '../../balance/index.ts'
import { foldCounters } from '../housekeeping/fold-counters.ts'
import { everyHour } from '../housekeeping/housekeeping.ts'
import { createLogger } from '../../../lib/logger.ts'
import { acceptAll, buildShop, fatesOf, partPrice, sendOne, setLimit, singleOf } from './test-shop.ts'

let opened: TestDatabase

beforeAll(async () => {
  opened = await testDatabase()
})
afterAll(async () => {
  expect(await asSystem(opened.database, checkInvariants)).toEqual([])
  await opened.drop()
})

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await opened.database.ownerPool.query<Row>(text, values)).rows

async function usedBy({ path }: Pick<Account, 'path'>, key: string, zone = 'UTC'): Promise<number> {
  const [row] = await query<{ used: number }>('select limit_used($1, $2, $3) as used', [key, path, zone])
  return row?.used ?? 0
}

test('of messages accepted at the same time, alone and together, exactly as many pass as the limits leave room for', async () => {
  const { admin } = await buildShop(opened.database)
  const reseller = await buildReseller(opened.database, { parent: admin })
  const shop = await buildShop(opened.database, { admin, parent: reseller, units: 1000 * partPrice })
  const neighbour = await buildShop(opened.database, { admin, parent: reseller, units: 1000 * partPrice })
  const user = await buildUser(opened.database, { parent: shop.manager })
  await setLimit(opened.database, reseller, { messages_per_day: 40 })
  await setLimit(opened.database, shop.manager, { messages_per_month: 30, spend_per_day: 4 })
  await setLimit(opened.database, user, { messages_per_day: 7 })
  const batchOf = (of: typeof shop, length: number) =>
    acceptAll(
      opened.database,
      of,
      Array.from({ length }, (_, index) => singleOf(of, of === shop && index % 2 === 0 ? { from: user } : {})),
    ).then(fatesOf)
  const one = (of: typeof shop) =>
    sendOne(opened.database, of, singleOf(of)).then(
      () => ['accepted'],
      ({ code }: { code: string }) => [code],
    )
  const folding = (async () => {
    for (let round = 0; round < 10; round += 1) await foldCounters(opened.database.systemPool)
  })()
  const shopFates = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? batchOf(shop, 9) : one(shop)))
  const others = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? batchOf(neighbour, 5) : one(neighbour)))
  const [own, beside] = [(await Promise.all(shopFates)).flat(), (await Promise.all(others)).flat()]
  await folding

  const passed = (fates: readonly string[]) => fates.filter((fate) => fate === 'accepted').length
  expect(new Set([...own, ...beside])).toEqual(new Set(['accepted', 'limit_exceeded']))
  expect(passed(own) + passed(beside)).toBe(40)
  expect(passed(own)).toBeLessThanOrEqual(30)
  expect(await usedBy(user, 'messages_per_day')).toBeLessThanOrEqual(7)
  expect(await usedBy(reseller, 'messages_per_day')).toBe(40)
  expect(await usedBy(shop.manager, 'spend_per_day')).toBe(passed(own) * partPrice)
  const { organizationId } = shop.manager
  expect(await asSystem(opened.database, (db) => getBalance(db, { organizationId }))).toMatchObject({
    held: passed(own) * partPrice,
  })
})

test('a limit counts messages that expired or were cancelled, and those of accounts that moved below it', async () => {
  const shop = await buildShop(opened.database, { units: 1000 * partPrice })
  const user = await buildUser(opened.database, { parent: shop.manager })
  const other = await buildUser(opened.database, { parent: shop.manager })
  await acceptAll(opened.database, shop, [singleOf(shop, { from: user }), singleOf(shop, { from: other, parts: 2 })])
  await query('delete from priority_messages where account_id = $1', [user.id])
  expect(await usedBy(user, 'messages_per_day')).toBe(1)
  await query(`update accounts set parent_id = $1, path = $2::ltree || subpath(path, -1) where id = $3`, [
    user.id,
    user.path,
    other.id,
  ])
  await query('select settle_paths($1)', [user.path])
  expect([await usedBy(user, 'messages_per_day'), await usedBy(user, 'spend_per_day')]).toEqual([2, 3 * partPrice])
  expect(await query('select path from single_sends where account_id = $1', [other.id])).toEqual([
    { path: `${user.path}.${other.path.split('.').at(-1)}` },
  ])
})

/** With offsets of whole hours, half hours and quarters, on both sides of the date line. */
const zones = [
  'UTC',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Pacific/Chatham',
  'America/St_Johns',
  'Pacific/Kiritimati',
  'Pacific/Niue',
]

/** Hours before now; many of them near midnight somewhere. */
const age = fc.double({ min: 0, max: 24 * 33, noNaN: true })

test('folded and not, messages count from the beginning of the day or month in the zone of the account', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(age, { maxLength: 40 }), fc.array(age, { maxLength: 10 }), async (folded, rest) => {
      const { manager, senderId } = await buildShop(opened.database)
      await query('select ensure_partitions(current_date - 35, current_date)')
      const insert = (hours: readonly number[]) =>
        query(
          `with stored as (
            insert into single_sends (organization_id, id, created_on, sender_id, account_id, path, kind, header, text, created_at)
            select $1, id, (now() - age * interval '1 hour')::date, $2, $3, $4, 'api', '', '', now() - age * interval '1 hour'
            from unnest($5::uuid[], $6::float8[]) as single (id, age)
            returning *
          )
          insert into accepted_deltas (organization_id, account_id, at, messages, cost)
          select organization_id, account_id, created_at, 1, 0 from stored`,
          [manager.organizationId, senderId, manager.id, manager.path, hours.map(() => newId()), hours],
        )
      await insert(folded)
      await foldCounters(opened.database.systemPool)
      await insert(rest)
      for (const zone of zones) {
        const [expected] = await query(
          `select count(*) filter (where created_at >= date_trunc('day', now() at time zone $2) at time zone $2)::int as day,
            count(*) filter (where created_at >= date_trunc('month', now() at time zone $2) at time zone $2)::int as month
          from single_sends where account_id = $1`,
          [manager.id, zone],
        )
        const used = {
          day: await usedBy(manager, 'messages_per_day', zone),
          month: await usedBy(manager, 'messages_per_month', zone),
        }
        expect({ zone, ...used }).toEqual({ zone, ...expected })
      }
    }),
    { numRuns: 15 },
  )
}, 120_000)

test('counters of quarters are forgotten after a month, those of days are not', async () => {
  const shop = await buildShop(opened.database, { units: 10 * partPrice })
  await sendOne(opened.database, shop, singleOf(shop))
  await foldCounters(opened.database.systemPool)
  await query(`update accepted_quarters set at = at - interval '41 days' where account_id = $1`, [shop.manager.id])
  await query('update accepted_days set day = day - 41 where account_id = $1', [shop.manager.id])
  await everyHour({
    pool: opened.database.systemPool,
    logger: createLogger('silent'),
    onCampaignDrained: () => Promise.resolve(),
  })
  expect(await query('select from accepted_quarters where account_id = $1', [shop.manager.id])).toEqual([])
  expect(await query('select messages, cost from accepted_days where account_id = $1', [shop.manager.id])).toEqual([
    { messages: 1, cost: partPrice },
  ])
})
