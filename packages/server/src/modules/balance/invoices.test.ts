import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Invoice } from '@carillon/contract/billing'
import { roundRupees } from '@carillon/contract/money'
import { asSystem } from '../../db/pool.ts'
import { newId } from '../../lib/ids.ts'
import { buildAdmin, buildManager, buildReseller, type Account } from '../../testing/builders.ts'
import { setSmsPrice } from '../../testing/money.ts'
import { pdfTexts } from '../../testing/pdf-text.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { freezeShares, issue, issueInvoices, placeHold, toUnits } from './index.ts'
import { placeOfSupply, taxLines, type InvoiceLine } from './invoice-lines.ts'
import { monthBefore } from './issue-invoices.ts'

let server: TestServer
let admin: Account
let reseller: Account
let shops: Account[]
const month = monthBefore(new Date())

beforeAll(async () => {
  server = await testServer({ flags: ['--run=web'] })
  admin = await buildAdmin(server.database)
  reseller = await buildReseller(server.database, { parent: admin })
  shops = [
    await buildManager(server.database, { parent: reseller }),
    await buildManager(server.database, { parent: reseller }),
  ]
  await addRate(admin, 1000)
  for (const shop of shops) {
    await addRate(shop, 1500)
    await spend(shop, { parts: 400, refunded: 30 })
  }
  await server.database.ownerPool.query(
    `update ledger_entries set at = $1::date + interval '9 days' where kind <> 'transfer_in'`,
    [month],
  )
})

afterAll(() => server.close())

const addRate = (account: Account, units: number) => setSmsPrice(server.database, account, units)

/** A charged and partly refunded campaign, booked as the engine does. */
async function spend(
  { id: accountId, organizationId, path }: Account,
  { parts, refunded, price = 1500 }: Record<string, number>,
): Promise<string> {
  const issuer = { organizationId: admin.organizationId, accountId: admin.id }
  const [campaignId, senderId, providerId] = [newId(), newId(), newId()]
  const { systemPool } = server.database
  await systemPool.query(
    `insert into provider_accounts (organization_id, id, channel, provider, name, config, callback_key) values ($1, $2, 'sms', 'x', 'x', '{}', $3)`,
    [organizationId, providerId, newId()],
  )
  await systemPool.query(
    `insert into senders (organization_id, id, provider_account_id, channel, name, headers, created_by) values ($1, $2, $3, 'sms', 'Main', '{ACME}', $4)`,
    [organizationId, senderId, providerId, accountId],
  )
  await systemPool.query(
    `insert into campaigns (organization_id, id, path, name, channel, status, created_by) values ($1, $2, $3, 'Diwali', 'sms', 'completed', $4)`,
    [organizationId, campaignId, path, accountId],
  )
  await systemPool.query(
    `insert into campaign_legs (organization_id, campaign_id, leg, channel, sender_id, content, price) values ($1, $2, 0, 'sms', $3, '{"category": "promotional"}', $4)`,
    [organizationId, campaignId, senderId, price],
  )
  await asSystem(server.database, async (db) => {
    await issue(db, {
      issuer,
      organizationId,
      accountId: organizationId,
      amount: toUnits(1000),
      opKey: newId(),
      reference: 'x',
    })
    await freezeShares(db, {
      organizationId,
      campaignId,
      leg: 0,
      price,
      channel: 'sms',
      category: 'promotional',
      country: 'IN',
    })
  })
  const hold = await asSystem(server.database, (db) =>
    placeHold(db, { organizationId, accountId, amount: toUnits(1000), opKey: newId() }),
  )
  await systemPool.query(`select charge_messages($1, $2, $3, $4, $5, 0::smallint)`, [
    organizationId,
    hold.id,
    (parts ?? 0) * price,
    `capture:${campaignId}:0:0`,
    campaignId,
  ])
  await systemPool.query(`select refund_spent($1, paying_balance($1, $1), $2, 'refund:' || $3::uuid, 'x')`, [
    organizationId,
    (refunded ?? 0) * price,
    campaignId,
  ])
  await systemPool.query(
    `select pass_back($1, array[$2::uuid], array[0::smallint], array[$3::bigint], 'back:' || $2::uuid)`,
    [organizationId, campaignId, (refunded ?? 0) * price],
  )
  return campaignId
}

const list = async (as: Account, query = {}) => (await server.ask('invoices.list', { as, query })).invoices

async function linesOf(invoice: Invoice | undefined) {
  const { rows } = await server.database.ownerPool.query<{ lines: InvoiceLine[] }>(
    'select lines from invoices where id = $1',
    [invoice?._id],
  )
  return rows[0]?.lines.map(({ description, units, amount }) => [description, units, amount])
}

const details = (as: Account, body: object) => server.call('billingDetails.set', { as, body })

test('each organisation is billed once by the one above it, for what its balance paid, numbers without gaps', async () => {
  const [acme] = shops as [Account, Account]
  await details(reseller, {
    legalName: 'Deccan Messaging LLP',
    gstin: '27AAPFU0939F1ZV',
    stateCode: '27',
    invoicePrefix: 'DM',
  })
  await details(acme, { legalName: 'Acme Retail Pvt Ltd', stateCode: '27' })
  await Promise.all([1, 2, 3].map(() => issueInvoices(server.database, month)))
  await issueInvoices(server.database, month)

  const issued = await list(reseller, { box: 'issued' })
  const year = month.slice(0, 4)
  expect(issued.map(({ number }) => number).toSorted()).toEqual([`DM/${year}/0001`, `DM/${year}/0002`])
  const [received] = await list(acme)
  // 370 parts at ₹0.15, and two taxes of 9 % on top, each in whole paise.
  expect(received).toMatchObject({ month, billedTo: 'Acme Retail Pvt Ltd', subtotal: 55.5, tax: 10, total: 65.5 })
  expect(await linesOf(received)).toEqual([
    ['SMS promotional', 400, 600_000],
    ['Messages that were not delivered', undefined, -45_000],
    ['CGST 9 %', undefined, 50_000],
    ['SGST 9 %', undefined, 50_000],
  ])
  // The reseller itself pays ₹0.10 for each part of both; its admin has no tax number.
  expect(await list(reseller)).toMatchObject([{ number: `INV/${year}/0001`, subtotal: 74, tax: 0, total: 74 }])
})

test('the PDF has the fields of a tax invoice', async () => {
  const [acme] = shops as [Account, Account]
  const [invoice] = await list(acme)
  const { bytes } = await server.call('invoices.pdf', { as: acme, path: { id: invoice?._id ?? '' } })
  const texts = pdfTexts(bytes)
  const text = texts.join('|')
  const date = new Intl.DateTimeFormat('en-IN', { dateStyle: 'long', timeZone: 'UTC' })
  expect(texts).toContain('Tax invoice')
  expect(text).toContain(`Invoice date|${date.format(new Date(`${invoice?.issuedOn}T12:00:00Z`))}`)
  expect(text).toContain('Place of supply|Maharashtra (27)')
  expect(text).toContain('GSTIN 27AAPFU0939F1ZV')
  expect(text).toContain('SMS promotional|998599|400|0.15|60.00')
  expect(text).toContain('Taxable value|55.50|CGST 9 %|5.00|SGST 9 %|5.00|Total|Rs. 65.50')
})

test('is dated in the time zone of the billed organisation', async () => {
  const [acme] = shops as [Account, Account]
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Kolkata' }).format(new Date())
  expect((await list(acme))[0]?.issuedOn).toBe(today)
})

test('the statement names the tax that is added', async () => {
  const [acme] = shops as [Account, Account]
  const { body } = await server.call('statement.list', { as: acme, query: {} })
  const { number } = (await list(acme))[0] as Invoice
  expect(body).toMatchObject({ data: { taxes: [{ number, month, tax: 10 }] } })
  expect((await server.call('statement.csv', { as: acme, query: {} })).text).toMatch(
    new RegExp(`,"?Tax on invoice ${number} for .*, not taken from the balance"?,10.00,`),
  )
  const filtered = await server.call('statement.list', { as: acme, query: { kind: 'usage' } })
  expect(filtered.body).toMatchObject({ data: { taxes: [] } })
})

test("fractions of a paisa: the invoice equals the month's statement, and its lines add up", async () => {
  const shop = await buildManager(server.database, { parent: reseller })
  const campaignId = await spend(shop, { parts: 3, refunded: 0, price: 1105 })
  await server.database.systemPool.query(
    `select refund_spent($1, paying_balance($1, $1), 1105, 'refund:' || gen_random_uuid() || ':' || $2::uuid, $2::uuid::text)`,
    [shop.organizationId, campaignId],
  )
  await server.database.ownerPool.query(
    `update ledger_entries set at = $1::date + interval '9 days' where organization_id = $2 and kind <> 'transfer_in'`,
    [month, shop.organizationId],
  )
  await issueInvoices(server.database, month)
  const [invoice] = await list(shop)
  const last = new Date(Date.parse(month) + 27 * 86_400_000).toISOString().slice(0, 10)
  const { moneyIn, moneyOut } = await server.ask('statement.list', { as: shop, query: { from: month, to: last } })
  expect(invoice?.subtotal).toBe(roundRupees(moneyOut - moneyIn))
  const lines = (await linesOf(invoice))?.slice(0, 2)
  expect(lines?.map(([description, units]) => [description, units])).toEqual([
    ['SMS promotional', 3],
    ['SMS promotional, not delivered', -1],
  ])
  expect(lines?.reduce((sum, [, , amount]) => sum + Number(amount), 0)).toBe(toUnits(invoice?.subtotal ?? 0))
})

test('the PDF of an invoice can be read by both parties only', async () => {
  const [acme, other] = shops as [Account, Account]
  const id = (await list(acme))[0]?._id ?? ''
  for (const reader of [acme, reseller, admin]) {
    const answer = await server.call('invoices.pdf', { as: reader, path: { id } })
    expect(answer.text.startsWith('%PDF-')).toBe(true)
  }
  expect(await server.call('invoices.pdf', { as: other, path: { id } })).toMatchObject({ status: 404 })
})

describe('the statement of the same month', () => {
  const read = async (as: Account, query = {}) => {
    const { entries } = await server.ask('statement.list', { as, query: { limit: 100, ...query } })
    return entries
      .map(({ description, kind, amount }) => [kind, description, amount])
      .toSorted((one, other) => String(one).localeCompare(String(other)))
  }

  test('names the campaign that was charged', async () => {
    const [acme] = shops as [Account, Account]
    expect(await read(acme)).toEqual([
      ['refund', 'Messages that were not delivered', 4.5],
      ['transfer_in', 'x', 1000],
      ['usage', 'Campaign Diwali', -60],
    ])
    expect(await read(acme, { kind: 'usage' })).toEqual([['usage', 'Campaign Diwali', -60]])
  })

  test('of a reseller names the cost and the earnings of each customer', async () => {
    const name = `Name of ${shops[0]?.username}`
    const lines = await read(reseller)
    expect(lines.filter(([, description]) => String(description).includes(name))).toEqual([
      ['margin', `Paid for messages of ${name}`, 55.5],
      ['refund', `Refund for messages of ${name}, campaign Diwali`, 3],
      ['usage', `Messages of ${name}`, -40],
    ])
  })
})

describe('tax', () => {
  const billed = { stateCode: '27', gstin: '' }
  test.each([
    ['in one state goes half to each', { gstin: 'x', stateCode: '27', taxPercent: 18 }, ['CGST 9 %', 'SGST 9 %'], 1800],
    ['between states is one', { gstin: 'x', stateCode: '29', taxPercent: 18 }, ['IGST 18 %'], 1800],
    ['is none without a tax number', { gstin: '', stateCode: '27', taxPercent: 18 }, [], 0],
    ['is none at zero percent', { gstin: 'x', stateCode: '27', taxPercent: 0 }, [], 0],
  ])('%s', (_, issuer, names, total) => {
    const lines = taxLines(10_000, { issuer, billed })
    expect(lines.map(({ description }) => description)).toEqual(names)
    expect(lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(total)
  })

  test.each([
    ['of a union territory is UTGST', { stateCode: '04', gstin: '' }, '04', ['CGST 9 %', 'UTGST 9 %']],
    ['goes by the GSTIN where no state is given', { stateCode: '', gstin: '29AAPFU0939F1ZV' }, '29', ['IGST 18 %']],
    ['is that of the issuer where nothing is known', { stateCode: '', gstin: '' }, '04', ['CGST 9 %', 'UTGST 9 %']],
  ])('%s', (_, to, place, names) => {
    const issuer = { gstin: '04AAPFU0939F1ZV', stateCode: '', taxPercent: 18 }
    expect(placeOfSupply({ issuer, billed: to })).toBe(place)
    expect(taxLines(10_000, { issuer, billed: to }).map(({ description }) => description)).toEqual(names)
  })
})
