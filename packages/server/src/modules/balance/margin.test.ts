import type { CustomerMargin, MarginTotals } from '@carillon/contract/margin'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '../../db/pool.ts'
import { newId } from '../../lib/ids.ts'
import { buildAdmin, buildManager, buildReseller, type Account } from '../../testing/builders.ts'
import { issueTo, setSmsPrice } from '../../testing/money.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { freezeShares, placeHold, toUnits } from './index.ts'

let server: TestServer
let admin: Account
let reseller: Account
/** A customer, and a reseller below with a customer of its own. */
let shop: Account
let lower: Account
let stall: Account

beforeAll(async () => {
  server = await testServer({ flags: ['--run=web'] })
  const { database } = server
  admin = await buildAdmin(database)
  reseller = await buildReseller(database, { parent: admin })
  shop = await buildManager(database, { parent: reseller })
  lower = await buildReseller(database, { parent: reseller })
  stall = await buildManager(database, { parent: lower })
  await setSmsPrice(database, admin, 1000)
  await setSmsPrice(database, reseller, 1113)
  await setSmsPrice(database, shop, 1377)
  await setSmsPrice(database, lower, 1251)
  await setSmsPrice(database, stall, 1533)
  for (const account of [reseller, shop, lower, stall])
    await issueTo(database, { admin, account, units: toUnits(1000) })
  await move('balance.add', shop, 40.5)
  await move('balance.add', lower, 100)
  await move('balance.deduct', lower, 30.25)
  await send(shop, { parts: 331, refunded: 17, price: 1377 })
  await send(shop, { parts: 7, price: 1377 })
  await send(stall, { parts: 129, refunded: 5, price: 1533 })
  await send(reseller, { parts: 11, price: 1113 })
})
afterAll(() => server.close())

const move = (call: 'balance.add' | 'balance.deduct', { id: userId }: Account, amount: number) =>
  server.call(call, { as: reseller, body: { userId, amount } })

type Sent = { parts: number; refunded?: number; price: number }

/** A charged and partly refunded campaign, booked as the engine does. */
async function send({ organizationId, id, path }: Account, { parts, refunded = 0, price }: Sent) {
  const { systemPool } = server.database
  const campaignId = newId()
  const sms = { channel: 'sms', category: 'promotional', country: 'IN' } as const
  await systemPool.query(
    `insert into campaigns (organization_id, id, path, name, channel, status, created_by) values ($1, $2, $3, 'Diwali', 'sms', 'completed', $4)`,
    [organizationId, campaignId, path, id],
  )
  await asSystem(server.database, (db) => freezeShares(db, { organizationId, campaignId, leg: 0, price, ...sms }))
  const hold = await asSystem(server.database, (db) =>
    placeHold(db, { organizationId, accountId: id, amount: toUnits(100), opKey: newId() }),
  )
  await systemPool.query(`select charge_messages($1, $2, $3, $4, $5, 0::smallint)`, [
    organizationId,
    hold.id,
    parts * price,
    `capture:${campaignId}:0:0`,
    campaignId,
  ])
  if (refunded === 0) return
  await systemPool.query(`select refund_spent($1, paying_balance($1, $1), $2, 'refund:' || $3::uuid, 'x')`, [
    organizationId,
    refunded * price,
    campaignId,
  ])
  await systemPool.query(
    `select pass_back($1, array[$2::uuid], array[0::smallint], array[$3::bigint], 'back:' || $2::uuid)`,
    [organizationId, campaignId, refunded * price],
  )
}

type Margin = { totals: MarginTotals; customers: CustomerMargin[]; total: number }

async function read(as: Account, query: Record<string, string | number> = {}): Promise<Margin> {
  return server.ask('margin.list', { as, query: { limit: 100, ...query } })
}

/** The sum of ledger entries in the reseller's balance, in rupees, by kind; credits are positive. */
async function sumOf(kinds: string[], op: string): Promise<number> {
  const { rows } = await server.database.ownerPool.query<{ sum: number }>(
    `select (coalesce(sum(case when credit_account = account.id then amount else -amount end), 0) / 10000.0)::float8 as sum
     from ledger_accounts account
     join ledger_entries entry on entry.organization_id = account.organization_id and account.id in (debit_account, credit_account)
     where account.organization_id = $1 and account.kind = 'balance' and entry.kind = any($2) and op_key ~ $3`,
    [reseller.organizationId, kinds, op],
  )
  return rows[0]?.sum ?? 0
}

const paisa = 0.01
const near = (amount: number, exact: number) => expect(Math.abs(amount - exact)).toBeLessThanOrEqual(paisa)

test('the totals equal the ledger, and lead from the opening balance to the closing one', async () => {
  const { totals } = await read(reseller)
  near(totals.charged, await sumOf(['margin', 'margin_back'], ':margin$'))
  near(-totals.cost, await sumOf(['capture', 'refund'], ':(usage|refund)$'))
  near(-totals.ownUse, await sumOf(['capture', 'refund'], '^(capture|refund):[^:]+(:\\d+:\\d+)?$'))
  // 321 parts of the shop at ₹0.1377 and 124 of the reseller below at ₹0.1251; the reseller pays ₹0.1113 for each of all.
  expect(totals).toMatchObject({ opening: 0, received: 1000, given: 110.25, adjustments: 0 })
  near(totals.charged, 321 * 0.1377 + 124 * 0.1251)
  near(totals.cost, 445 * 0.1113)
  near(totals.ownUse, 11 * 0.1113)
  const { received, given, charged, cost, ownUse, adjustments, opening, closing } = totals
  expect(opening + received - given + charged - cost - ownUse + adjustments).toBeCloseTo(closing, 9)
  expect(totals.margin).toBeCloseTo(charged - cost, 9)
})

test('a customer includes all accounts below it, and the customers add up to the totals', async () => {
  const { totals, customers, total } = await read(reseller)
  expect(customers.map(({ userId }) => userId)).toEqual([shop.id, lower.id])
  expect(total).toBe(2)
  near(customers[0]?.charged ?? 0, 321 * 0.1377)
  near(customers[1]?.charged ?? 0, 124 * 0.1251)
  near(customers[0]?.cost ?? 0, 321 * 0.1113)
  for (const part of ['charged', 'cost', 'margin'] as const)
    expect(customers.reduce((sum, customer) => sum + customer[part], 0)).toBeCloseTo(totals[part], 9)
  // The reseller below sees only its own customer.
  expect((await read(lower)).customers.map(({ userId }) => userId)).toEqual([stall.id])
})

test('it equals the statement', async () => {
  const { totals } = await read(reseller)
  const statement = async (query: object) => {
    return server.ask('statement.list', { as: reseller, query: { limit: 100, ...query } })
  }
  const margin = await statement({ kind: 'margin' })
  expect(margin.moneyIn - margin.moneyOut).toBeCloseTo(totals.charged, 9)
  const [usage, refund] = [await statement({ kind: 'usage' }), await statement({ kind: 'refund' })]
  expect(usage.moneyOut - refund.moneyIn).toBeCloseTo(totals.cost + totals.ownUse, 9)
  expect((await statement({})).closing).toBe(totals.closing)
})

test('days without activity have only the balance', async () => {
  const { totals, customers } = await read(reseller, { from: '2020-01-01', to: '2020-01-31' })
  expect(customers).toEqual([])
  expect(totals).toMatchObject({ opening: 0, received: 0, charged: 0, cost: 0, margin: 0, closing: 0 })
})

test('customers are paged, and the file has all of them with the total', async () => {
  const { customers } = await read(reseller)
  const second = await read(reseller, { limit: 1, page: 2 })
  expect(second.customers).toEqual(customers.slice(1))
  const { totals } = second
  const { bytes } = await server.call('margin.csv', { as: reseller, query: {} })
  const lines = new TextDecoder().decode(bytes).replace('\ufeff', '').trim().split('\r\n')
  const row = (name: string, amounts: { charged: number; cost: number; margin: number }) =>
    [name, amounts.charged.toFixed(2), amounts.cost.toFixed(2), amounts.margin.toFixed(2)].join(',')
  expect(lines).toEqual([
    'Customer,Charged (₹),Cost (₹),Margin (₹)',
    ...customers.map((customer) => row(customer.name, customer)),
    row('Total', totals),
  ])
})

test('only resellers are allowed', async () => {
  expect((await server.call('margin.list', { as: shop, query: {} })).status).toBe(403)
  expect((await server.call('margin.csv', { as: admin, query: {} })).status).toBe(403)
})

test("a reseller's balance lasts at the rate of its customers' spending, whatever it earns", async () => {
  const { body } = await server.call('balance.overview', { as: reseller, query: { days: 7 } })
  const { data } = body as { data: { balance: number; held: number; perDay: number; runwayDays: number } }
  const perDay = ((331 - 17 + 7) * 0.1377 + (129 - 5) * 0.1251) / 7
  expect(data.perDay).toBeCloseTo(perDay, 2)
  expect(data.runwayDays).toBe(Math.floor((data.balance + data.held) / perDay))
})
