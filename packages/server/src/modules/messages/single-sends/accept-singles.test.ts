import fc from 'fast-check'
import { sql, type KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asSystem } from '../../../db/pool.ts'
import { Problem } from '../../../lib/problem.ts'
import { buildReseller, buildUser, type Account } from '../../../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../../../testing/database.ts'
import { issueTo, setSmsPrice } from '../../../testing/money.ts'
import { until } from '../../../testing/until.ts'
import { checkInvariants, freezeLedger, getBalance, openOwnBalance } from '../../balance/index.ts'
import { buildSender, fakeProvider, startTestSender, type FakeProvider } from '../test-lane.ts'
import { acceptSingles } from './accept-singles.ts'
import { sendSingle } from './send-single.ts'
import type { SingleAnswer, SingleSend } from './single-send.ts'
import { acceptAll, buildShop, fatesOf, partPrice, sendOne, setLimit, singleOf, type Shop } from './test-shop.ts'
import { findMismatches } from '../test-proof.ts'

let opened: TestDatabase

beforeAll(async () => {
  opened = await testDatabase()
})
afterAll(async () => {
  expect(await asSystem(opened.database, checkInvariants)).toEqual([])
  expect(await findMismatches(opened.database)).toEqual([])
  await opened.drop()
})

const balanceOf = ({ organizationId, id: accountId }: Account) =>
  asSystem(opened.database, (db) => getBalance(db, { organizationId, accountId }))

const idsOf = (answers: readonly SingleAnswer[]) =>
  answers.flatMap((answer) => ('accepted' in answer ? [answer.accepted.messageId] : []))

async function storedIds({ manager }: Shop, table: string): Promise<string[]> {
  const { rows } = await opened.database.systemPool.query<{ id: string }>(
    `select id from ${table} where organization_id = $1 order by id`,
    [manager.organizationId],
  )
  return rows.map(({ id }) => id)
}

describe('messages that are accepted together', () => {
  test('are of any accounts, senders and channels, and each has its own answer, in order', async () => {
    const shop = await buildShop(opened.database, { units: 100_000 })
    const user = await buildUser(opened.database, { parent: shop.manager })
    const suspended = await buildUser(opened.database, { parent: shop.manager })
    await opened.database.systemPool.query(`update accounts set status = 'suspended' where id = $1`, [suspended.id])
    await opened.database.systemPool.query(
      `insert into rates (organization_id, rate_card_id, channel, price) select organization_id, id, 'whatsapp', 500 from rate_cards
      where organization_id = $1`,
      [shop.manager.organizationId],
    )
    const other = await buildSender(opened.database, shop.manager)
    const whatsapp = { channel: 'whatsapp', category: 'utility', header: '' } as const
    const answers = await acceptAll(opened.database, shop, [
      singleOf(shop),
      singleOf(shop, { phoneNumber: '+912025671234' }),
      singleOf(shop, { from: user, senderId: other, parts: 3 }),
      singleOf(shop, { from: suspended }),
      singleOf(shop, { channel: 'rcs', content: { type: 'text' } }),
      singleOf(shop, whatsapp),
      singleOf(shop, { ...whatsapp, content: { type: 'template', name: 'hello' } }),
    ])
    expect(answers).toMatchObject([
      { accepted: { parts: 1, cost: partPrice } },
      { refused: { code: 'bad_request', details: [{ field: 'phoneNumber' }] } },
      { accepted: { parts: 3, cost: 3 * partPrice } },
      { refused: { code: 'account_suspended' } },
      { refused: { code: 'conflict', message: expect.stringContaining('no price') } },
      { refused: { code: 'conflict', details: [{ field: 'outside_window' }] } },
      { accepted: { parts: 1, cost: 500 } },
    ])
    const accepted = idsOf(answers)
    expect(await storedIds(shop, 'single_sends')).toEqual(accepted)
    expect(await storedIds(shop, 'priority_messages')).toEqual(accepted)
    expect(await balanceOf(shop.manager)).toMatchObject({ posted: 100_000, held: 4 * partPrice + 500 })
    const { rows } = await opened.database.systemPool.query(
      `select amount, account_id, sender_id from holds where organization_id = $1 order by amount`,
      [shop.manager.organizationId],
    )
    expect(rows).toMatchObject([
      { amount: 500, account_id: shop.manager.id },
      { amount: partPrice, account_id: shop.manager.id, sender_id: shop.senderId },
      { amount: 3 * partPrice, account_id: user.id, sender_id: other },
    ])
  })

  test('are the first ones that the balance covers; the others are refused with what is missing then', async () => {
    const shop = await buildShop(opened.database, { units: 3.5 * partPrice })
    const answers = await acceptAll(
      opened.database,
      shop,
      Array.from({ length: 6 }, () => singleOf(shop)),
    )
    expect(fatesOf(answers)).toEqual([
      'accepted',
      'accepted',
      'accepted',
      'insufficient_balance',
      'insufficient_balance',
      'insufficient_balance',
    ])
    const alone = sendOne(opened.database, shop, singleOf(shop))
    await expect(alone).rejects.toMatchObject({ details: [{ field: 'shortfall', message: '0.05' }] })
    const refusal: unknown = await alone.catch((error: unknown) => error)
    expect(answers[5]).toEqual({ refused: refusal })
    expect(await storedIds(shop, 'single_sends')).toEqual(idsOf(answers))
    expect(await balanceOf(shop.manager)).toMatchObject({ available: partPrice / 2 })
  })

  test('draw on the balance of their account', async () => {
    const shop = await buildShop(opened.database, { units: partPrice })
    const user = await buildUser(opened.database, { parent: shop.manager })
    await asSystem(opened.database, (db) => openOwnBalance(db, user))
    await issueTo(opened.database, { admin: shop.admin, account: user, units: 2 * partPrice })
    const answers = await acceptAll(opened.database, shop, [
      singleOf(shop, { from: user }),
      singleOf(shop),
      singleOf(shop),
      singleOf(shop, { from: user }),
      singleOf(shop, { from: user }),
    ])
    expect(fatesOf(answers)).toEqual([
      'accepted',
      'accepted',
      'insufficient_balance',
      'accepted',
      'insufficient_balance',
    ])
    expect([await balanceOf(user), await balanceOf(shop.manager)]).toMatchObject([{ available: 0 }, { available: 0 }])
  })

  test('are those for which a reseller that sells below its cost has the difference', async () => {
    const { admin } = await buildShop(opened.database)
    const reseller = await buildReseller(opened.database, { parent: admin })
    await setSmsPrice(opened.database, reseller, partPrice + 100)
    await issueTo(opened.database, { admin, account: reseller, units: 250 })
    const shop = await buildShop(opened.database, { admin, parent: reseller, units: 100_000 })
    const answers = await acceptAll(opened.database, shop, [
      singleOf(shop),
      singleOf(shop, { parts: 2 }),
      singleOf(shop),
      singleOf(shop),
    ])
    expect(fatesOf(answers)).toEqual(['accepted', 'insufficient_balance', 'accepted', 'insufficient_balance'])
    expect(answers[1]).toMatchObject({ refused: { message: expect.stringContaining('Your provider’s balance') } })
    expect(await balanceOf(reseller)).toMatchObject({ held: 200 })
    expect(await balanceOf(shop.manager)).toMatchObject({ held: 2 * partPrice })
    expect(await storedIds(shop, 'single_sends')).toEqual(idsOf(answers))
  })

  test('are none while the ledger is frozen, not even free ones', async () => {
    const shop = await buildShop(opened.database, { units: 100_000 })
    await freezeLedger(opened.database.ownerPool, [shop.manager.organizationId])
    await opened.database.systemPool.query(
      `insert into rates (organization_id, rate_card_id, channel, category, price) select organization_id, id, 'sms', 'free', 0 from rate_cards
      where organization_id = $1`,
      [shop.manager.organizationId],
    )
    const answers = await acceptAll(opened.database, shop, [singleOf(shop), singleOf(shop, { category: 'free' })])
    expect(answers).toMatchObject([
      { refused: { code: 'conflict', message: expect.stringContaining('Sending is stopped') } },
      { refused: { code: 'conflict' } },
    ])
    expect(await storedIds(shop, 'single_sends')).toEqual([])
  })

  test('are of one organization', async () => {
    const [one, other] = [await buildShop(opened.database), await buildShop(opened.database)]
    await expect(acceptAll(opened.database, one, [singleOf(one), singleOf(other)])).rejects.toThrow(RangeError)
    expect(await acceptAll(opened.database, one, [])).toEqual([])
  })

  test('take as many statements as one message', async () => {
    const shop = await buildShop(opened.database, { units: 10_000 * partPrice })
    await setLimit(opened.database, shop.manager, { messages_per_day: 100_000, spend_per_day: 100_000 })
    const count = async (length: number) => {
      let statements = 0
      const counter: KyselyPlugin = {
        transformQuery({ node }) {
          statements += 1
          return node
        },
        transformResult: async ({ result }) => result,
      }
      const sends = Array.from({ length }, (_, index) => singleOf(shop, { phoneNumber: `+91987650${1000 + index}` }))
      const answers = await asSystem(opened.database, (db) => acceptSingles(db.withPlugin(counter), sends))
      expect(idsOf(answers)).toHaveLength(length)
      return statements
    }
    expect([await count(1), await count(1000)]).toEqual([4, 4])
    expect(await balanceOf(shop.manager)).toMatchObject({ held: 1001 * partPrice })
  })
})

const place = fc.constantFrom('manager' as const, 'user' as const, 'independent' as const)
const batch = fc.record({
  units: fc.record({
    manager: fc.integer({ min: 0, max: 12 }),
    independent: fc.integer({ min: 0, max: 6 }),
    reseller: fc.integer({ min: 0, max: 12 }),
  }),
  perDay: fc.option(fc.integer({ min: 0, max: 10 })),
  perDayOfUser: fc.option(fc.integer({ min: 0, max: 4 })),
  spendPerDay: fc.option(fc.integer({ min: 0, max: 2 })),
  sends: fc.array(fc.record({ from: place, parts: fc.integer({ min: 1, max: 4 }) }), { maxLength: 14 }),
})
type Batch = typeof batch extends fc.Arbitrary<infer Value> ? Value : never

/** A shop below a reseller that sells at a loss, with balances, limits and the messages of its accounts. */
async function buildCase({ units, perDay, perDayOfUser, spendPerDay, sends }: Batch) {
  const { database } = opened
  const { admin } = await buildShop(database)
  const reseller = await buildReseller(database, { parent: admin })
  await setSmsPrice(database, reseller, partPrice + 100)
  const shop = await buildShop(database, { admin, parent: reseller })
  const user = await buildUser(database, { parent: shop.manager })
  const independent = await buildUser(database, { parent: shop.manager })
  await asSystem(database, (db) => openOwnBalance(db, independent))
  const funds = [
    [shop.manager, units.manager * partPrice],
    [independent, units.independent * partPrice],
    [reseller, units.reseller * 100],
  ] as const
  for (const [account, amount] of funds) if (amount > 0) await issueTo(database, { admin, account, units: amount })
  if (perDay !== null) await setLimit(database, shop.manager, { messages_per_day: perDay })
  if (spendPerDay !== null) await setLimit(database, shop.manager, { spend_per_day: spendPerDay })
  if (perDayOfUser !== null) await setLimit(database, user, { messages_per_day: perDayOfUser })
  const accounts = { manager: shop.manager, user, independent }
  return {
    shop,
    singles: sends.map(({ from, parts }) => singleOf(shop, { from: accounts[from], parts })),
    readBalances: () => Promise.all([shop.manager, independent, reseller].map(balanceOf)),
  }
}

async function acceptInTurn(shop: Shop, singles: readonly SingleSend[]): Promise<SingleAnswer[]> {
  const answers: SingleAnswer[] = []
  for (const single of singles)
    answers.push(
      await sendOne(opened.database, shop, single).then(
        (accepted) => ({ accepted }),
        (refused: unknown) => {
          if (refused instanceof Problem) return { refused }
          throw refused
        },
      ),
    )
  return answers
}

/** Without ids. */
function present(answers: readonly SingleAnswer[]) {
  return answers.map((answer) =>
    'refused' in answer
      ? { code: answer.refused.code, message: answer.refused.message, details: answer.refused.details }
      : { parts: answer.accepted.parts, cost: answer.accepted.cost },
  )
}

test('messages accepted together have the answers of messages accepted one after the other', async () => {
  await fc.assert(
    fc.asyncProperty(batch, async (given) => {
      const [together, apart] = [await buildCase(given), await buildCase(given)]
      const answers = await acceptAll(opened.database, together.shop, together.singles)
      expect(present(answers)).toEqual(present(await acceptInTurn(apart.shop, apart.singles)))
      expect(await together.readBalances()).toEqual(await apart.readBalances())
      expect(await storedIds(together.shop, 'priority_messages')).toEqual(idsOf(answers))
    }),
    {
      numRuns: 25,
      // A limit refuses the only message of an account at first, which shares the balance that is short.
      examples: [
        [
          {
            units: { manager: 3, independent: 0, reseller: 3 },
            perDay: null,
            perDayOfUser: null,
            spendPerDay: 1,
            sends: [
              { from: 'manager', parts: 1 },
              { from: 'manager', parts: 4 },
              { from: 'manager', parts: 4 },
              { from: 'user', parts: 2 },
              { from: 'manager', parts: 3 },
            ],
          },
        ],
      ],
    },
  )
}, 120_000)

/** The messages with this header that were handed over. */
const sentWith = ({ handedOver }: FakeProvider, wanted: string) => handedOver.filter(({ from }) => from === wanted)

describe('at the same time', () => {
  test('batches accept exactly what the balance covers', async () => {
    const shop = await buildShop(opened.database, { units: 33 * partPrice })
    const users = await Promise.all(
      Array.from({ length: 4 }, () => buildUser(opened.database, { parent: shop.manager })),
    )
    const batches = Array.from({ length: 24 }, (_, index) =>
      Array.from({ length: 1 + (index % 5) }, (_, place) =>
        singleOf(shop, { from: users[(index + place) % 4] ?? shop.manager }),
      ),
    )
    const answers = (await Promise.all(batches.map((sends) => acceptAll(opened.database, shop, sends)))).flat()
    expect(fatesOf(answers).filter((fate) => fate === 'accepted')).toHaveLength(33)
    expect(new Set(fatesOf(answers))).toEqual(new Set(['accepted', 'insufficient_balance']))
    expect(await balanceOf(shop.manager)).toMatchObject({ available: 0, held: 33 * partPrice })
    expect(await storedIds(shop, 'priority_messages')).toEqual(idsOf(answers).toSorted())
  })

  test('a lane sends and charges messages while more are accepted: each is sent and charged once', async () => {
    const { admin } = await buildShop(opened.database)
    const reseller = await buildReseller(opened.database, { parent: admin })
    await setSmsPrice(opened.database, reseller, partPrice + 100)
    await issueTo(opened.database, { admin, account: reseller, units: 1_000_000 })
    const shop = await buildShop(opened.database, { admin, parent: reseller, units: 1000 * partPrice })
    const fake = fakeProvider()
    const sender = await startTestSender(opened, { provider: fake })
    const accept = async (_: unknown, batch: number) => {
      const sends = Array.from({ length: 10 }, (_, index) =>
        singleOf(shop, { header: 'LANEIN', phoneNumber: `+9198765${String(batch * 10 + index).padStart(5, '0')}` }),
      )
      return acceptAll(opened.database, shop, sends)
    }
    const answers: SingleAnswer[] = []
    for (let round = 0; round < 5; round += 1)
      answers.push(...(await Promise.all(Array.from({ length: 8 }, accept))).flat())
    expect(idsOf(answers)).toHaveLength(400)
    await until(() => sentWith(fake, 'LANEIN').length === 400, 'all messages')
    await until(async () => (await balanceOf(shop.manager)).held === 0, 'the charges')
    await sender.stop()
    expect(new Set(sentWith(fake, 'LANEIN').map(({ reference }) => reference)).size).toBe(400)
    await asSystem(opened.database, (db) => sql`select release_shares()`.execute(db))
    expect(await balanceOf(shop.manager)).toEqual({ posted: 600 * partPrice, held: 0, available: 600 * partPrice })
    expect(await balanceOf(reseller)).toMatchObject({ held: 0, posted: 1_000_000 - 400 * 100 })
  })
})

test('a transaction that is rolled back accepts nothing', async () => {
  const shop = await buildShop(opened.database, { units: 10 * partPrice })
  const failing = asSystem(opened.database, async (db) => {
    await acceptSingles(db, [singleOf(shop), singleOf(shop)])
    throw new Error('later')
  })
  await expect(failing).rejects.toThrow('later')
  expect(await balanceOf(shop.manager)).toMatchObject({ held: 0 })
  expect(await storedIds(shop, 'single_sends')).toEqual([])
})

test('a message whose notification is lost is sent at the next poll', async () => {
  const shop = await buildShop(opened.database, { units: 10 * partPrice })
  const fake = fakeProvider()
  const sender = await startTestSender(opened, { provider: fake })
  const single = singleOf(shop, { header: 'POLLIN' })
  await sendOne(opened.database, shop, single)
  await until(() => sentWith(fake, 'POLLIN').length === 1, 'the first message')
  // Nothing is notified after the commit of such a transaction.
  await opened.database.system.transaction().execute((db) => sendSingle(db, single))
  await until(() => sentWith(fake, 'POLLIN').length === 2, 'the second message', 3000)
  await sender.stop()
})
