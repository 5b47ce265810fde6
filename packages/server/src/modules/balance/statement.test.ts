import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { StatementEntry } from '@carillon/contract/billing'
import { formatAmount, plainAmount } from '@carillon/contract/money'
import { asSystem } from '../../db/pool.ts'
import { newId } from '../../lib/ids.ts'
import { buildAdmin, buildManager, buildReseller, type Account } from '../../testing/builders.ts'
import { pdfTexts } from '../../testing/pdf-text.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { issue, placeHold, toUnits } from './index.ts'

let server: TestServer
let admin: Account
let reseller: Account

beforeAll(async () => {
  server = await testServer({ flags: ['--run=web'] })
  admin = await buildAdmin(server.database)
  reseller = await buildReseller(server.database, { parent: admin })
})

afterAll(() => server.close())

type Statement = Record<'opening' | 'closing' | 'moneyIn' | 'moneyOut' | 'total', number> & {
  entries: StatementEntry[]
  held?: number | undefined
  available?: number | undefined
}

async function read(as: Account, query: Record<string, string> = {}): Promise<Statement> {
  return server.ask('statement.list', { as, query: { limit: 100, ...query } })
}

/** An account with ₹1,000.00 and a hold of ₹900.00 from which its messages are charged. */
async function openAccount(timezone = 'Asia/Kolkata') {
  const account = await buildManager(server.database, { parent: reseller })
  const { organizationId, id: accountId } = account
  await server.database.ownerPool.query('update accounts set timezone = $2 where id = $1', [accountId, timezone])
  await fund(account, 1000)
  const hold = await asSystem(server.database, (db) =>
    placeHold(db, { organizationId, accountId, amount: toUnits(900), opKey: newId() }),
  )
  const charge = (units: number, key: string, of: string) =>
    server.database.systemPool.query('select charge_messages($1, $2, $3, $4, $5, 0::smallint)', [
      organizationId,
      hold.id,
      units,
      key,
      of,
    ])
  return {
    account,
    chargeCampaign: (campaignId: string, units: number) =>
      charge(units, `capture:${campaignId}:0:${newId()}`, campaignId),
    chargeSingle: (units: number) => {
      const id = newId()
      return charge(units, `capture:${id}`, id)
    },
  }
}

function fund({ organizationId }: Account, rupees: number) {
  return asSystem(server.database, (db) =>
    issue(db, {
      issuer: { organizationId: admin.organizationId, accountId: admin.id },
      organizationId,
      accountId: organizationId,
      amount: toUnits(rupees),
      opKey: newId(),
      reference: 'From Carillon',
    }),
  )
}

async function buildCampaign({ organizationId, id, path }: Account, name: string): Promise<string> {
  const campaignId = newId()
  await server.database.systemPool.query(
    `insert into campaigns (organization_id, id, path, name, channel, status, created_by) values ($1, $2, $3, $4, 'sms', 'running', $5)`,
    [organizationId, campaignId, path, name, id],
  )
  return campaignId
}

const setTime = (account: Account, at: string, kind = 'capture') =>
  server.database.ownerPool.query(
    `update ledger_entries set at = $2 where organization_id = $1 and kind = $3 and at > now() - interval '1 hour'`,
    [account.organizationId, at, kind],
  )

describe('a further charge', () => {
  test('changes only the last line, and moves none', async () => {
    const { account, chargeCampaign, chargeSingle } = await openAccount()
    const first = await buildCampaign(account, 'Diwali')
    const second = await buildCampaign(account, 'Sale')
    const steps: (() => Promise<unknown>)[] = [
      () => chargeCampaign(first, 2500),
      () => chargeCampaign(first, 2500),
      () => chargeSingle(1250),
      () => chargeSingle(1250),
      () => chargeCampaign(first, 2500),
      () => fund(account, 5),
      () => chargeCampaign(first, 2500),
      () => chargeSingle(1250),
      () => chargeCampaign(second, 2500),
      () => chargeSingle(1250),
    ]
    let before = (await read(account)).entries.toReversed()
    for (const step of steps) {
      await step()
      const after = (await read(account)).entries.toReversed()
      expect(after.slice(0, before.length - 1)).toEqual(before.slice(0, -1))
      const { _id, at, kind } = before.at(-1) as StatementEntry
      expect(after[before.length - 1]).toMatchObject({ _id, at, kind })
      before = after
    }
    expect(before.map(({ description, amount }) => [description, amount])).toEqual([
      ['From Carillon', 1000],
      ['Campaign Diwali', -0.5],
      ['Single messages', -0.25],
      ['Campaign Diwali', -0.25],
      ['From Carillon', 5],
      ['Campaign Diwali', -0.25],
      ['Single messages', -0.12],
      ['Campaign Sale', -0.25],
      ['Single messages', -0.13],
    ])
  })

  test('of concurrent campaigns adds no lines', async () => {
    const { account, chargeCampaign } = await openAccount()
    const campaigns = [await buildCampaign(account, 'Diwali'), await buildCampaign(account, 'Sale')]
    for (let turn = 0; turn < 5; turn += 1) for (const id of campaigns) await chargeCampaign(id, 1250)
    const lines = (await read(account)).entries.toReversed()
    expect(lines.map(({ description }) => description)).toEqual([
      'From Carillon',
      'Campaign Diwali',
      'Campaign Sale',
      'Campaign Diwali',
    ])
  })

  test('leaves closed days unchanged', async () => {
    const { account, chargeCampaign } = await openAccount()
    const campaign = await buildCampaign(account, 'Diwali')
    await setTime(account, '2026-01-05T10:00:00Z', 'transfer_in')
    await chargeCampaign(campaign, 2500)
    await setTime(account, '2026-01-06T10:00:00Z')
    const before = await read(account, { to: '2026-01-06' })
    await chargeCampaign(campaign, 7777)
    expect((await read(account, { to: '2026-01-06' })).entries).toEqual(before.entries)
    expect(await read(account)).toMatchObject({ total: 3 })
  })
})

describe('fractions of a paisa', () => {
  test('are equal on screen, in the CSV file and in the PDF file, and add up', async () => {
    const { account, chargeCampaign, chargeSingle } = await openAccount()
    const campaign = await buildCampaign(account, 'Diwali')
    for (let turn = 0; turn < 7; turn += 1) {
      await chargeCampaign(campaign, 1105)
      await chargeSingle(1349)
    }
    const { entries, opening, closing, moneyIn, moneyOut, held, available } = await read(account)
    const lines = entries.toReversed()
    const paise = (rupees = 0) => Math.round(rupees * 100)
    let running = paise(opening)
    for (const { amount, balance } of lines) {
      running += paise(amount)
      expect(plainAmount(amount)).toBe(String(amount.toFixed(2)))
      expect(paise(balance)).toBe(running)
    }
    expect(running).toBe(paise(closing))
    expect(paise(opening) + paise(moneyIn) - paise(moneyOut)).toBe(paise(closing))
    // What the header shows: the balance, and the held amount.
    const header = (await server.call('balance.get', { as: account })).data()
    expect(paise(closing) - paise(held)).toBe(paise(available))
    expect([paise(available), held]).toEqual([paise(header.balance), header.held])

    const csv = (await server.call('statement.csv', { as: account })).text.trim().split('\r\n').slice(1)
    expect(csv).toEqual([
      `,,Opening balance,,${plainAmount(opening)}`,
      ...lines.map(({ amount, balance }) =>
        expect.stringMatching(new RegExp(`,${plainAmount(amount)},${plainAmount(balance)}$`)),
      ),
      `,,Closing balance,,${plainAmount(closing)}`,
      `,,Reserved for campaigns,,${plainAmount(held ?? 0)}`,
      `,,Available,,${plainAmount(available ?? 0)}`,
    ])
    const pdf = pdfTexts((await server.call('statement.pdf', { as: account })).bytes)
    for (const { amount, balance } of lines) {
      expect(pdf.join('|')).toContain(`|${formatAmount(amount)}|${formatAmount(balance)}`)
    }
    expect(pdf.join('\n')).toContain(formatAmount(closing))
    expect(pdf.join('\n')).toContain(formatAmount(available ?? 0))
  })
})

test('grouped lines have a sum instead of balances, in the CSV file and in the PDF file', async () => {
  const { account, chargeSingle } = await openAccount()
  await chargeSingle(20_000)
  await setTime(account, '2026-01-05T06:00:00Z', 'transfer_in')
  const query = { kind: 'usage' } as const
  const csv = (await server.call('statement.csv', { as: account, query })).text.trim().split('\r\n').slice(1)
  expect(csv).toEqual([expect.stringMatching(/,-2\.00,/), ',,Total,-2.00,'])
  const pdf = pdfTexts((await server.call('statement.pdf', { as: account, query })).bytes)
  expect(pdf).toContain('Kind')
  expect(pdf).not.toContain('Closing')
})

/** Half an hour before and after midnight, in UTC and in India. */
describe.each([
  ['Asia/Kolkata', '2026-01-06T17:59:00Z', '2026-01-06T18:31:00Z'],
  ['Asia/Kolkata', '2026-01-05T23:30:00Z', '2026-01-07T00:30:00Z'],
  ['UTC', '2026-01-06T23:30:00Z', '2026-01-07T00:30:00Z'],
])('a day of %s', (timezone, last, next) => {
  test(`includes a charge at ${last}, and not one at ${next}`, async () => {
    const { account, chargeCampaign } = await openAccount(timezone)
    const campaign = await buildCampaign(account, 'Diwali')
    await setTime(account, '2026-01-05T06:00:00Z', 'transfer_in')
    await chargeCampaign(campaign, 20_000)
    await setTime(account, last)
    await chargeCampaign(campaign, 30_000)
    await setTime(account, next)
    const day = await read(account, { from: '2026-01-06', to: '2026-01-06' })
    expect(day.entries.map(({ amount, at }) => [amount, at])).toEqual([[-2, last.replace('Z', '.000Z')]])
    expect(day).toMatchObject({ opening: 1000, closing: 998 })
    expect(day).not.toHaveProperty('held')
    expect(await read(account, { from: '2026-01-07', to: '2026-01-07' })).toMatchObject({ opening: 998, closing: 995 })
    const csv = (await server.call('statement.csv', { as: account, query: { to: '2026-01-06' } })).text
    expect(csv).toContain(`Date (${timezone})`)
    const local = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'short' })
    expect(csv).toContain(`\n${local.format(new Date(last))},Messages,Campaign Diwali,-2.00,998.00\r\n`)
  })
})
