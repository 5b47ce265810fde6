import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DeliveryReport } from '../../../channels/provider.ts'
import { asSystem, inScope } from '../../../db/pool.ts'
import { buildAdmin, buildManager, buildReseller, type Account } from '../../../testing/builders.ts'
import { issueTo, setSmsPrice } from '../../../testing/money.ts'
import { testServer, type TestServer } from '../../../testing/server.ts'
import { checkInvariants, freezeShares, issueInvoices, monthBefore, type InvoiceLine } from '../../balance/index.ts'
import { applyProviderEvents } from './apply-provider-events.ts'
import { buildCampaign, buildSender, phoneOf } from '../test-lane.ts'

/** The price of a part for each, in rupees: the lower reseller sells below its own price. */
const price = { upper: 0.1, lower: 0.2, shop: 0.15 }

let server: TestServer
let admin: Account
let upper: Account
let lower: Account
let shop: Account
let senderId: string

beforeAll(async () => {
  server = await testServer({ flags: ['--run=web'] })
  const { database } = server
  admin = await buildAdmin(database)
  upper = await buildReseller(database, { parent: admin })
  lower = await buildReseller(database, { parent: upper })
  shop = await buildManager(database, { parent: lower })
  await addRate(admin, price.upper)
  await addRate(lower, price.lower)
  await addRate(shop, price.shop)
  senderId = await buildSender(database, shop)
})
afterAll(() => server.close())

const addRate = (account: Account, rupees: number) => setSmsPrice(server.database, account, rupees * 10_000)

/** A campaign with ten messages handed over and charged; the provider's ids are the campaign's name and the position. */
async function buildSent(name: string): Promise<string> {
  const units = price.shop * 10_000
  const { ownerPool } = server.database
  const owner = { owner: shop, senderId, total: 10, price: units, billableOn: 'delivered', status: 'paused' } as const
  const campaignId = await buildCampaign(server.database, owner)
  await ownerPool.query('update campaigns set name = $2 where id = $1', [campaignId, name])
  await sendLeg(campaignId, { leg: 1, name, units })
  return campaignId
}

/** Ten messages of a leg, handed over and charged. */
async function sendLeg(campaignId: string, { leg, name, units }: { leg: number; name: string; units: number }) {
  const { organizationId, path } = shop
  const { ownerPool } = server.database
  await inScope(server.database, { organizationId, path, descends: false }, (db) =>
    freezeShares(db, { organizationId, campaignId, leg, price: units, channel: 'sms', category: '*', country: 'IN' }),
  )
  await ownerPool.query(
    `select charge_messages($1, hold_id, $3, 'capture:' || id || ':' || $4::smallint || ':0', id, $4::smallint) from campaigns where id = $2`,
    [organizationId, campaignId, 10 * units, leg],
  )
  await ownerPool.query(
    `insert into messages (organization_id, created_on, campaign_id, seq, leg, sender_id, phone, status, parts, price, billable_on, provider_message_id, sent_at)
    select $1, current_date, $2, seq, $7::smallint, $3, $4::bigint + seq, 'sent', 1, $5, 'delivered', $6 || seq, now() from generate_series(0, 9) seq`,
    [organizationId, campaignId, senderId, phoneOf(0), units, name, leg],
  )
}

const report = (ids: readonly string[], status: DeliveryReport['status']) =>
  ids.map((id) => ({
    kind: 'delivery-report' as const,
    providerMessageIds: [id],
    status,
    at: new Date(),
    ...(status === 'failed' ? { reason: 'undelivered' as const } : {}),
    raw: '',
  }))

const apply = (reports: ReturnType<typeof report>) =>
  applyProviderEvents(server.database.systemPool, { organizationId: shop.organizationId, senderId }, reports)

async function statementOf(as: Account) {
  return server.ask('statement.list', { as, query: { limit: 100 } })
}

async function lines(as: Account, kind: string) {
  const { entries } = await statementOf(as)
  return entries
    .filter((entry) => entry.kind === kind)
    .map(({ description, amount }) => [description, amount])
    .toSorted((one, other) => String(one).localeCompare(String(other)))
}

test('refunds of several campaigns by one batch of reports are listed by campaign, for the sender and all above it', async () => {
  const [diwali, holi] = [await buildSent('Diwali'), await buildSent('Holi')]
  await apply([
    ...report(['Diwali0', 'Diwali1', 'Holi0', 'Diwali2', 'Holi1'], 'failed'),
    ...report(['Diwali3', 'Holi2'], 'delivered'),
  ])
  expect(await lines(shop, 'refund')).toEqual([
    ['Campaign Diwali, not delivered', 0.45],
    ['Campaign Holi, not delivered', 0.3],
  ])
  const { entries } = await statementOf(shop)
  expect(entries.filter(({ kind }) => kind === 'refund').map(({ campaignId }) => campaignId)).toEqual(
    expect.arrayContaining([diwali, holi]),
  )
  const above = (organization: Account) => `Refund for messages of Name of ${organization.username}`
  expect(await lines(lower, 'refund')).toEqual([
    [`${above(shop)}, campaign Diwali`, 0.6],
    [`${above(shop)}, campaign Holi`, 0.4],
  ])
  expect(await lines(upper, 'refund')).toEqual([
    [`${above(shop)}, campaign Diwali`, 0.3],
    [`${above(shop)}, campaign Holi`, 0.2],
  ])
  expect((await statementOf(lower)).entries.every(({ campaignId }) => campaignId === undefined)).toBe(true)

  const download = await server.call('statement.csv', { as: shop, query: {} })
  expect(download.text).toContain('Refund,"Campaign Diwali, not delivered",0.45')
  const paper = await server.call('statement.pdf', { as: lower, query: {} })
  expect(paper.text.startsWith('%PDF-')).toBe(true)

  // Delivered after all: charged to the campaign again.
  await apply(report(['Diwali0'], 'delivered'))
  expect(await lines(shop, 'usage')).toEqual([
    ['Campaign Diwali', -0.15],
    ['Campaign Diwali', -1.5],
    ['Campaign Holi', -1.5],
  ])
  for (const account of [shop, lower, upper]) {
    const { rows } = await server.database.ownerPool.query<{ posted: number }>(
      `select posted::float8 / 10000 as posted from ledger_accounts where account_id = $1 and kind = 'balance'`,
      [account.id],
    )
    expect((await statementOf(account)).closing).toBe(rows[0]?.posted)
  }
  expect(await asSystem(server.database, checkInvariants)).toEqual([])
})

/** Ten more messages of a second leg, at another price. */
async function addLeg(campaignId: string, { name, units }: { name: string; units: number }) {
  const { ownerPool } = server.database
  await ownerPool.query(
    `insert into campaign_legs (organization_id, campaign_id, leg, channel, sender_id, content, price, billable_on)
    select organization_id, campaign_id, 2, channel, sender_id, content, $2, billable_on from campaign_legs where campaign_id = $1 and leg = 1`,
    [campaignId, units],
  )
  await sendLeg(campaignId, { leg: 2, name, units })
}

test('an invoice counts the refunded messages of each leg, at the price of the leg', async () => {
  const month = monthBefore(new Date())
  await server.database.ownerPool.query(`update ledger_entries set at = $1::date - interval '1 year'`, [month])
  for (const account of [lower, upper]) await issueTo(server.database, { account, admin, units: 1_000_000 })
  const campaignId = await buildSent('Onam')
  await addLeg(campaignId, { name: 'Again', units: 700 })
  await apply([...report(['Onam0', 'Onam1', 'Onam2'], 'failed'), ...report(['Again0', 'Again1'], 'failed')])
  // Delivered after all: charged by campaign again.
  await apply([...report(['Onam0'], 'delivered'), ...report(['Again0'], 'delivered')])
  expect(await asSystem(server.database, checkInvariants)).toEqual([])
  await server.database.ownerPool.query(
    `update ledger_entries set at = $1::date + interval '9 days' where at > $1::date + interval '1 month'`,
    [month],
  )
  await issueInvoices(server.database, month)
  const lines = async ({ organizationId }: Account) => {
    const { rows } = await server.database.ownerPool.query<{ lines: InvoiceLine[] }>(
      'select lines from invoices where organization_id = $1 and month = $2',
      [organizationId, month],
    )
    return rows[0]?.lines.map(({ description, units, rate, amount }) => [description, units, rate, amount])
  }
  expect(await lines(shop)).toEqual([
    ['SMS IN', 10, 700, 7000],
    ['SMS IN', 10, 1500, 15_000],
    ['Refunded messages delivered later', undefined, undefined, 2200],
    ['SMS IN, not delivered', -2, 700, -1400],
    ['SMS IN, not delivered', -3, 1500, -4500],
  ])
  const of = ` · Name of ${shop.username}`
  const above = await lines(lower)
  expect(above).toContainEqual([`SMS IN${of}`, 20, 2000, 40_000])
  expect(above).toContainEqual([`SMS IN, not delivered${of}`, -5, 2000, -10_000])
})
