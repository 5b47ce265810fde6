import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ProviderEvent, SendOutcome } from '../../../channels/provider.ts'
import { testDatabase, type TestDatabase } from '../../../testing/database.ts'
import { until } from '../../../testing/until.ts'
import { foldCounters } from '../housekeeping/fold-counters.ts'
import { confirmNothing } from '../housekeeping/housekeeping.ts'
import { applyProviderEvents } from '../reports/apply-provider-events.ts'
import { acceptAll, buildShop, singleOf, type Shop } from '../single-sends/test-shop.ts'
import { buildCampaign, fakeProvider, isCompleted, startTestSender, type FakeProvider } from '../test-lane.ts'
import { findMismatches, silent } from '../test-proof.ts'
import { listMismatches, mendFigures, proveFigures } from './prove-figures.ts'

let opened: TestDatabase
let shop: Shop
let fake: FakeProvider

beforeAll(async () => {
  opened = await testDatabase()
})
beforeEach(async () => {
  shop = await buildShop(opened.database, { units: 10_000_000 })
  fake = fakeProvider()
})
afterAll(() => opened.drop())

const query = async <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  (await opened.database.ownerPool.query<Row>(text, values)).rows

const fold = () => foldCounters(opened.database.systemPool)
const prove = () => proveFigures(opened.database.systemPool, { logger: silent, all: true })
const list = () => listMismatches(opened.database.systemPool)
const mend = () => mendFigures(opened.database.systemPool, { logger: silent })

/** A campaign and single messages, all sent. */
async function send({ people, singles }: { people: number; singles: number }): Promise<string> {
  const { manager, senderId } = shop
  const campaignId = await buildCampaign(opened.database, { owner: manager, senderId, total: people })
  const before = fake.handedOver.length
  await acceptAll(
    opened.database,
    shop,
    Array.from({ length: singles }, (_, index) =>
      singleOf(shop, {
        phoneNumber: `+9198765${10_000 + index}`,
        category: index % 2 ? 'promotional' : 'transactional',
      }),
    ),
  )
  const sender = await startTestSender(opened, { provider: fake })
  await until(
    async () => fake.handedOver.length >= before + people + singles && (await isCompleted(opened.database, campaignId)),
    'the messages',
  )
  await sender.stop()
  return campaignId
}

test('figures of campaigns and single messages equal the messages, before and after they are folded', async () => {
  await send({ people: 20, singles: 10 })
  expect(await findMismatches(opened.database)).toEqual([])
  expect(
    await query(
      `select category, country, kind, submitted from single_days where organization_id = $1 order by category`,
      [shop.manager.organizationId],
    ),
  ).toEqual([
    { category: 'promotional', country: 'IN', kind: 'api', submitted: 5 },
    { category: 'transactional', country: 'IN', kind: 'api', submitted: 5 },
  ])
})

test('changed figures are found once, and counted again', async () => {
  const campaignId = await send({ people: 5, singles: 3 })
  await fold()
  const { organizationId } = shop.manager
  await query('update leg_days set submitted = submitted + 1 where campaign_id = $1', [campaignId])
  await query(
    'update single_days set sent = sent - 1, cost = cost - 500 where organization_id = $1 and category = $2',
    [organizationId, 'transactional'],
  )
  await query('update daily_counters set failed = failed + 2 where organization_id = $1', [organizationId])
  const { days } = await prove()
  expect(days).toBeGreaterThan(0)
  await prove()
  const found = await list()
  const of = (source: string) => found.filter((each) => each.source === source).map(({ differences }) => differences)
  expect(of('messages')).toEqual(expect.arrayContaining([{ submitted: [6, 5] }, { sent: [2, 3], paid: [2500, 3000] }]))
  expect(of('messages')).toHaveLength(2)
  expect(of('campaigns')).toEqual([{ submitted: [5, 6] }])
  expect(of('days')).toHaveLength(1)

  expect(await mend()).toMatchObject({ mismatches: 0 })
  expect(await list()).toEqual([])
  expect(
    await query(`select action, details from audit_log where organization_id = $1 and action = 'reports.recounted'`, [
      organizationId,
    ]),
  ).toEqual([{ action: 'reports.recounted', details: { figures: 4 } }])
})

test('counts that were lost before they were folded are counted from the messages', async () => {
  await send({ people: 4, singles: 2 })
  await query('delete from counter_deltas where organization_id = $1', [shop.manager.organizationId])
  expect((await prove()).mismatches).toBeGreaterThan(0)
  await mend()
  // What they cost is in the ledger, and only a person can say which is right.
  expect(await list()).toMatchObject([{ source: 'ledger', differences: { paid: [0, 6000] } }])
  await query('delete from report_mismatches where organization_id = $1', [shop.manager.organizationId])
  await query(
    `update daily_counters set cost = 6000 where organization_id = $1 and day = (select max(day) from daily_counters)`,
    [shop.manager.organizationId],
  )
  expect(await findMismatches(opened.database)).toEqual([])
})

test('messages that are older than the figures are counted once', async () => {
  await send({ people: 6, singles: 4 })
  await fold()
  await send({ people: 1, singles: 1 })
  const { organizationId } = shop.manager
  const figures = () =>
    query(
      `select day::text as day, submitted, sent, parts, cost from leg_days where organization_id = $1
      union all select day::text, submitted, sent, parts, cost from single_days where organization_id = $1 order by 2, 3`,
      [organizationId],
    )
  await query('delete from leg_days where organization_id = $1', [organizationId])
  await query('delete from single_days where organization_id = $1', [organizationId])
  await query(`insert into proved_days (created_on, is_old) values (current_date, true)
    on conflict (created_on) do update set is_old = true, counted_at = null`)
  await prove()
  await fold()
  expect((await figures()).reduce((sum, { submitted }) => sum + Number(submitted), 0)).toBe(12)
  expect(await findMismatches(opened.database)).toEqual([])
  await query('update proved_days set is_old = false')
})

test('days without changes are not compared again', async () => {
  await send({ people: 2, singles: 0 })
  await fold()
  const unchanged = async () => {
    const { days } = await proveFigures(opened.database.systemPool, { logger: silent })
    return days === 0
  }
  await until(unchanged, 'statistics of the last changes')
})

const outcomes = ['accepted', 'rejected', 'unknown'] as const
const reports = ['delivered', 'failed', 'read'] as const

test('whatever is reported, in any order, on three days and in two zones', async () => {
  const people = 6
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...outcomes), { minLength: people, maxLength: people }),
      fc.array(fc.record({ message: fc.nat({ max: 3 * people - 1 }), status: fc.constantFrom(...reports) }), {
        maxLength: 40,
      }),
      fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
      async (results, events, folds) => {
        shop = await buildShop(opened.database, { units: 10_000_000 })
        fake = fakeProvider()
        let sent = 0
        fake.answer = ({ reference }): SendOutcome => {
          const result = results[sent % people]
          sent += 1
          if (result === 'unknown') return { kind: 'unknown', code: 'timeout', detail: '' }
          if (result === 'rejected')
            return { kind: 'rejected', reason: 'undelivered', code: '1', detail: '', scope: 'message' }
          return { kind: 'accepted', providerMessageIds: [`p-${reference}`] }
        }
        const { organizationId } = shop.manager
        for (const [age, zone] of [
          [2, 'Pacific/Kiritimati'],
          [1, 'Pacific/Pago_Pago'],
          [0, 'Asia/Kolkata'],
        ] as const) {
          await query('update accounts set timezone = $2 where organization_id = $1', [organizationId, zone])
          await send({ people: people / 2, singles: people / 2 })
          // As if they had been sent some days ago.
          await query(
            `update messages set left_on = left_on - $2::int where organization_id = $1 and left_on > current_date - 1`,
            [organizationId, age],
          )
          await query(
            `update counter_deltas set left_on = left_on - $2::int where organization_id = $1 and left_on > current_date - 1`,
            [organizationId, age],
          )
        }
        for (const [index, { message, status }] of events.entries()) {
          const reference = fake.handedOver[message]?.reference
          if (reference === undefined) continue
          const event: ProviderEvent = {
            kind: 'delivery-report',
            providerMessageIds: [`p-${reference}`],
            reference,
            status,
            at: new Date(),
            raw: '',
          }
          await applyProviderEvents(opened.database.systemPool, { organizationId, senderId: shop.senderId }, [event])
          if (folds[index]) await fold()
        }
        await confirmNothing(opened.database.systemPool, '0 seconds')
        expect(await findMismatches(opened.database)).toEqual([])
      },
    ),
    { numRuns: 12 },
  )
}, 120_000)
