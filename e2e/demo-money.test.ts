import type { Invoice, StatementEntry } from '@carillon/contract/billing'
import { figuresOf } from '@carillon/contract/figures'
import type { CustomerMargin, MarginTotals } from '@carillon/contract/margin'
import { formatAmount, plainAmount, roundRupees } from '@carillon/contract/money'
import type { AccountUsage, StatusCounts } from '@carillon/contract/reports'
import type { Role } from '@carillon/contract/roles'
import { createClient, type Client } from '@carillon/server/demo/client'
import { demoPassword } from '@carillon/server/demo/cast'
import { playStory } from '@carillon/server/demo/story'
import { pdfTexts } from '@carillon/server/testing/pdf-text'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { becomeQuiet, cellsOf } from './support/quiet-demo.ts'
import { startStack, type Stack } from './support/stack.ts'

type Place = 'reseller' | 'manager' | 'manager2'
type Reader = { client: Client; token: string; organizationId: string; path: string; role: Role }

let stack: Stack
let readers: Record<Place | 'admin', Reader>
/** Today, and the first days of this month and the previous one, in the time zone of the demo's accounts. */
let days: { today: string; thisMonth: string; lastMonth: string; lastMonthEnd: string }

beforeAll(async () => {
  stack = await startStack({ graph: { readShare: 0.6, gapMs: [10, 200] } }, {}, { hasPast: true })
  await playStory({ url: stack.url, simulator: stack.simulator })
  const { admin, reseller, manager, manager2 } = stack.cast
  readers = {
    admin: await signIn('admin', admin),
    reseller: await signIn('reseller', reseller),
    manager: await signIn('manager', manager),
    manager2: await signIn('manager2', manager2),
  }
  const campaigns = await select<{ id: string }>('select id from campaigns where started_at is not null')
  await becomeQuiet(stack, { manager: readers.manager.client, campaigns: campaigns.map(({ id }) => id) })
  const [found] = await select<typeof days>(`
    select today::text, to_char(today, 'YYYY-MM-01') as "thisMonth", to_char(today - interval '1 month', 'YYYY-MM-01') as "lastMonth",
      (date_trunc('month', today) - interval '1 day')::date::text as "lastMonthEnd"
    from (select (now() at time zone 'Asia/Kolkata')::date as today) clock`)
  if (!found) throw new Error('The query has one row')
  days = found
}, 240_000)
afterAll(() => stack.close())

async function select<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  return (await stack.database.ownerPool.query<Row>(text, values)).rows
}

async function signIn(username: string, account: Omit<Reader, 'client' | 'token'>): Promise<Reader> {
  const answer = await fetch(`${stack.url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: demoPassword }),
  })
  const { token } = (await answer.json()) as { token: string }
  return { ...account, token, client: await createClient(stack.url, { username, password: demoPassword }) }
}

async function file({ token }: Reader, path: string): Promise<Uint8Array> {
  const answer = await fetch(`${stack.url}${path}`, { headers: { authorization: `Bearer ${token}` } })
  expect(answer.status).toBe(200)
  return new Uint8Array(await answer.arrayBuffer())
}

const csvRows = (bytes: Uint8Array) =>
  new TextDecoder().decode(bytes).replace('\ufeff', '').trim().split('\r\n').map(cellsOf)

/** All ledger entries of an organisation's balance in rupees, credits positive, with their day in the account's time zone. */
type Entry = { day: string; kind: string; op: string; amount: number; running: number }

const entriesOf = ({ organizationId }: Reader) =>
  select<Entry>(
    `select (entry.at at time zone accounts.timezone)::date::text as day, entry.kind, op_key as op,
      ((case when credit_account = ledger.id then amount else -amount end) / 10000.0)::float8 as amount,
      (sum(case when credit_account = ledger.id then amount else -amount end) over (order by entry.at, entry.id) / 10000.0)::float8 as running
     from ledger_accounts ledger
     join accounts on accounts.id = ledger.organization_id
     join ledger_entries entry on entry.organization_id = ledger.organization_id and ledger.id in (debit_account, credit_account)
     where ledger.organization_id = $1 and ledger.account_id = $1 and ledger.kind = 'balance'
     order by entry.at, entry.id`,
    [organizationId],
  )

const dayOf = (at: string) => new Date(at).toLocaleDateString('en-CA', { timeZone: 'Asia/Kolkata' })
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
const paise = (rupees: number) => Math.round(roundRupees(rupees) * 100)

type Statement = Record<'opening' | 'closing' | 'moneyIn' | 'moneyOut' | 'totalPages', number> & {
  entries: StatementEntry[]
  held?: number
  available?: number
}

/** All pages, oldest first. */
async function statementOf({ client }: Reader, query: Record<string, string> = {}): Promise<Statement> {
  const page = (number: number) =>
    client.call<Statement>('statement.list', { query: { ...query, limit: '100', page: String(number) } })
  const first = await page(1)
  const entries = [...first.entries]
  for (let number = 2; number <= first.totalPages; number += 1) entries.push(...(await page(number)).entries)
  return { ...first, entries: entries.toReversed() }
}

describe.each<Place>(['reseller', 'manager', 'manager2'])('the statement of %s', (place) => {
  test('matches the ledger: its balances, its opening and closing, and the balance in the header', async () => {
    const reader = readers[place]
    const { lastMonth: from } = days
    const statement = await statementOf(reader, { from })
    const entries = await entriesOf(reader)
    expect(paise(statement.opening)).toBe(paise(entries.findLast(({ day }) => day < from)?.running ?? 0))
    expect(paise(statement.closing)).toBe(paise(entries.at(-1)?.running ?? 0))
    let before = paise(statement.opening)
    for (const { amount, balance } of statement.entries) {
      before += paise(amount)
      expect(paise(balance)).toBe(before)
    }
    expect(before).toBe(paise(statement.closing))
    // Campaigns that ran at the same time have one line after the other; balances are compared at the end of each day.
    const closings = new Map(statement.entries.map(({ at, balance }) => [dayOf(at), paise(balance)]))
    for (const [day, balance] of closings)
      expect(balance).toBe(paise(entries.findLast((entry) => entry.day === day)?.running ?? Number.NaN))
    const { balance, held } = await reader.client.call<{ balance: number; held: number }>('balance.get')
    expect(paise(statement.available ?? statement.closing)).toBe(paise(balance))
    expect(paise(statement.closing)).toBe(paise(balance) + paise(held))
  })

  test("adds up by kind to the ledger's sum of that kind", async () => {
    const reader = readers[place]
    const { lastMonth: from } = days
    const kinds: Record<string, string[]> = {
      usage: ['capture', 'recharge'],
      refund: ['refund'],
      margin: ['margin', 'margin_back'],
    }
    const entries = (await entriesOf(reader)).filter(({ day }) => day >= from)
    const moved = Object.values(kinds).flat()
    const rest = entries.filter(({ kind }) => !moved.includes(kind))
    const { entries: lines } = await statementOf(reader, { from })
    for (const [kind, booked] of Object.entries(kinds)) {
      const shown = lines.filter((line) => line.kind === kind)
      const exact = sum(entries.filter((entry) => booked.includes(entry.kind)).map(({ amount }) => amount))
      // Each line is the difference of two rounded balances.
      expect(Math.abs(sum(shown.map(({ amount }) => amount)) - exact)).toBeLessThanOrEqual(0.01 * shown.length)
    }
    const others = lines.filter(({ kind }) => !(kind in kinds))
    expect(others.map(({ amount }) => paise(amount))).toEqual(rest.map(({ amount }) => paise(amount)))
  })

  test('is the same on screen, in the CSV file and in the PDF file', async () => {
    const reader = readers[place]
    const { lastMonth: from } = days
    const { entries, opening, closing } = await statementOf(reader, { from })
    const rows = csvRows(await file(reader, `/api/balance/statement/csv?from=${from}`))
    const lines = rows.filter(([at]) => at && !at.startsWith('Date'))
    expect(lines.map((cells) => cells.slice(3))).toEqual(
      entries.map(({ amount, balance }) => [plainAmount(amount), plainAmount(balance)]),
    )
    const named = (name: string) => rows.find((cells) => cells[2] === name)?.[4]
    expect([named('Opening balance'), named('Closing balance')]).toEqual([plainAmount(opening), plainAmount(closing)])

    const texts = pdfTexts(await file(reader, `/api/balance/statement/pdf?from=${from}`))
    const amounts = entries.flatMap(({ amount, balance }) => [formatAmount(amount), formatAmount(balance)])
    // The amounts of the table in order; other text is skipped.
    let found = 0
    for (const text of texts) if (text === amounts[found]) found += 1
    expect(amounts.slice(found)).toEqual([])
    for (const amount of [opening, closing]) expect(texts).toContain(`Rs. ${formatAmount(amount)}`)
  })
})

test('the statement counts conversations with the bot that is billed by them', async () => {
  const { entries } = await statementOf(readers.manager, { kind: 'usage' })
  const conversations = entries.filter(({ description }) => description.endsWith('with Acme Retail'))
  for (const { description } of conversations)
    expect(description).toMatch(/^(?:One conversation|\d+ conversations) with /)
  // Three people write; some phones of the simulator answer by themselves.
  const [{ count } = { count: 0 }] = await select<{ count: number }>(
    'select count(*)::int as count from charged_conversations',
  )
  expect(count).toBeGreaterThanOrEqual(3)
  expect(sum(conversations.map(({ amount }) => amount))).toBeCloseTo(-0.65 * count, 9)
})

describe.each<Place>(['reseller', 'manager', 'manager2'])('the invoices to %s', (place) => {
  const invoicesOf = async ({ client }: Reader) =>
    (await client.call<{ invoices: Invoice[] }>('invoices.list', { query: { limit: '100' } })).invoices
  type Line = { kind: 'item' | 'tax'; description: string; units?: number; rate?: number; amount: number }
  const linesOf = async ({ _id }: Invoice) =>
    (await select<{ lines: Line[] }>('select lines from invoices where id = $1', [_id]))[0]?.lines ?? []

  test('bill what the balance paid for messages in their month, plus tax', async () => {
    const reader = readers[place]
    const invoices = await invoicesOf(reader)
    expect(invoices.map(({ month }) => month)).toContain(days.lastMonth)
    const entries = await entriesOf(reader)
    for (const invoice of invoices) {
      const paid = entries.filter(
        ({ day, kind }) =>
          day.slice(0, 7) === invoice.month.slice(0, 7) && ['capture', 'recharge', 'refund'].includes(kind),
      )
      expect(Math.abs(invoice.subtotal + sum(paid.map(({ amount }) => amount)))).toBeLessThanOrEqual(0.01 * paid.length)
      const lines = await linesOf(invoice)
      const of = (kind: Line['kind']) => sum(lines.filter((line) => line.kind === kind).map(({ amount }) => amount))
      expect(of('item') / 10_000).toBeCloseTo(invoice.subtotal, 9)
      expect(of('tax') / 10_000).toBeCloseTo(invoice.tax, 9)
      expect(invoice.subtotal + invoice.tax).toBeCloseTo(invoice.total, 9)
      for (const { rate, units, amount, kind } of lines) {
        if (kind === 'item' && rate && units) expect(Math.abs(rate * units - amount)).toBeLessThanOrEqual(100)
        if (kind === 'tax') expect(Math.abs(amount / 10_000 - invoice.subtotal * 0.09)).toBeLessThan(0.01)
      }
    }
  })

  test('match the statement of their month', async () => {
    const reader = readers[place]
    const { lastMonth: from, lastMonthEnd: to } = days
    const invoice = (await invoicesOf(reader)).find(({ month }) => month === from)
    const { entries } = await statementOf(reader, { from, to })
    const paid = entries.filter(({ kind }) => kind === 'usage' || kind === 'refund')
    expect(-sum(paid.map(({ amount }) => amount))).toBeCloseTo(invoice?.subtotal ?? 0, 9)
  })

  test('are the same in the PDF file', async () => {
    const reader = readers[place]
    for (const invoice of await invoicesOf(reader)) {
      const texts = pdfTexts(await file(reader, `/api/balance/invoices/${invoice._id}/pdf`))
      expect(texts).toContain(invoice.number)
      expect(texts).toContain(formatAmount(invoice.subtotal))
      expect(texts).toContain(`Rs. ${formatAmount(invoice.total)}`)
      for (const { amount } of await linesOf(invoice)) expect(texts).toContain(formatAmount(amount / 10_000))
    }
  })
})

test("the reseller's margin matches the ledger, the invoices of the month, and its CSV file", async () => {
  const { reseller } = readers
  const { lastMonth: from, lastMonthEnd: to } = days
  const { totals, customers } = await reseller.client.call<{ totals: MarginTotals; customers: CustomerMargin[] }>(
    'margin.list',
    { query: { from, to, limit: '100' } },
  )
  const entries = (await entriesOf(reseller)).filter(({ day }) => day >= from && day <= to)
  const exact = (op: RegExp, kinds: string[]) =>
    sum(entries.filter((entry) => op.test(entry.op) && kinds.includes(entry.kind)).map(({ amount }) => amount))
  const tolerance = 0.01 * entries.length
  expect(Math.abs(totals.charged - exact(/:margin$/, ['margin', 'margin_back']))).toBeLessThan(tolerance)
  expect(Math.abs(totals.cost + exact(/:(usage|refund)$/, ['capture', 'refund']))).toBeLessThan(tolerance)
  for (const part of ['charged', 'cost', 'margin'] as const)
    expect(sum(customers.map((customer) => customer[part]))).toBeCloseTo(totals[part], 9)
  const { opening, received, given, margin, ownUse, adjustments, closing } = totals
  expect(opening + received - given + margin - ownUse + adjustments).toBeCloseTo(closing, 9)

  // Received invoices for what it paid, issued invoices for what it charged.
  const of = async (box: string) =>
    (await reseller.client.call<{ invoices: Invoice[] }>('invoices.list', { query: { box, limit: '100' } })).invoices
      .filter(({ month }) => month === from)
      .map(({ subtotal }) => subtotal)
  expect(sum(await of('received'))).toBeCloseTo(totals.cost + ownUse, 9)
  expect(Math.abs(sum(await of('issued')) - totals.charged)).toBeLessThan(tolerance)

  const rows = csvRows(await file(reseller, `/api/balance/margin/csv?from=${from}&to=${to}`))
  const cells = ({ charged, cost, margin: earned }: Pick<CustomerMargin, 'charged' | 'cost' | 'margin'>) =>
    [charged, cost, earned].map(plainAmount)
  expect(rows.slice(1).map(([, ...amounts]) => amounts)).toEqual([...customers, totals].map(cells))
})

type Counts = z.infer<typeof StatusCounts>
type Usage = { accounts: AccountUsage[]; total: Counts; daily: (Counts & { day: string; channel: string })[] }
type Counted = Pick<Counts, 'submitted' | 'delivered' | 'failed' | 'cost'>

describe('quota reports and team usage', () => {
  /** Counter sums in a period: of an account with or without its descendants, of one channel or all. */
  const countPlainly = async (path: string, { alone = false, channel = '%', day = '%' } = {}): Promise<Counted> => {
    const [row] = await select<Counted>(
      `select coalesce(sum(submitted), 0)::int as submitted, coalesce(sum(delivered + read), 0)::int as delivered,
        coalesce(sum(failed), 0)::int as failed, (coalesce(sum(cost - refunded), 0) / 10000.0)::float8 as cost
       from daily_counters daily join accounts on accounts.id = daily.account_id
       where (case when $2 then accounts.path = $1::ltree else accounts.path <@ $1::ltree end)
         and daily.channel::text like $3 and daily.day::text like $4 and daily.day between $5 and $6`,
      [path, alone, channel, day, days.lastMonth, days.today],
    )
    if (!row) throw new Error('The query has one row')
    return row
  }
  const shown = (counts: Counts): Counted => {
    const { sent, delivered, failed } = figuresOf(counts)
    return { submitted: sent, delivered, failed, cost: Math.round(counts.cost * 10_000) / 10_000 }
  }
  const span = () => ({ startDate: days.lastMonth, endDate: days.today })

  test('of customers, by account, by channel and by day', async () => {
    const customers = await select<{ id: string; path: string }>(
      `select id, path::text as path from accounts where parent_id = $1 and id = organization_id`,
      [stack.cast.reseller.id],
    )
    const usage = await readers.admin.client.call<Usage>('dashboard.storedStatusCounts', {
      query: { ...span(), userIds: customers.map(({ id }) => id).join(',') },
    })
    expect(usage.accounts).toHaveLength(customers.length)
    for (const { userId, total, channels } of usage.accounts) {
      const path = customers.find(({ id }) => id === userId)?.path ?? ''
      expect(shown(total)).toEqual(await countPlainly(path))
      for (const [channel, counts] of Object.entries(channels))
        expect(shown(counts)).toEqual(await countPlainly(path, { channel }))
    }
    const { path } = stack.cast.reseller
    expect(shown(usage.total)).toEqual(await countPlainly(path))
    expect(sum(usage.accounts.map(({ total }) => total.submitted))).toBe(usage.total.submitted)
    for (const { day, channel, submitted, cost } of usage.daily) {
      const plain = await countPlainly(path, { day: `${day.slice(0, 10)}%`, channel })
      expect({ submitted, cost: Math.round(cost * 10_000) }).toEqual({
        submitted: plain.submitted,
        cost: Math.round(plain.cost * 10_000),
      })
    }
  })

  test('of the people of an organisation, each for themselves', async () => {
    const usage = await readers.manager.client.call<Usage>('reports.teamUsage', { query: span() })
    const people = await select<{ id: string; path: string }>('select id, path::text as path from accounts')
    expect(usage.accounts.length).toBeGreaterThan(3)
    for (const { userId, total } of usage.accounts) {
      const path = people.find(({ id }) => id === userId)?.path ?? ''
      expect(shown(total)).toEqual(await countPlainly(path, { alone: true }))
    }
    expect(shown(usage.total)).toEqual(await countPlainly(stack.cast.manager.path))
    expect(sum(usage.accounts.map(({ total }) => total.submitted))).toBe(usage.total.submitted)
  })

  test('of today, when nothing but campaigns was sent, they are the messages themselves and the replies to them', async () => {
    const [plain] = await select<Counted>(
      `select coalesce(sum((status in ('sent', 'delivered', 'read') or (status = 'failed' and previous_status is not null))::int), 0)::int as submitted,
        count(*) filter (where status in ('delivered', 'read'))::int as delivered, count(*) filter (where status = 'failed')::int as failed,
        ((coalesce(sum(charge_of(status, price, billable_on)), 0)
          + (select coalesce(sum(price * conversations), 0) from conversation_charges where organization_id = $1)) / 10000.0)::float8 as cost
       from messages where organization_id = $1`,
      [readers.manager.organizationId],
    )
    // The demo may have been created just before midnight.
    const usage = await readers.manager.client.call<Usage>('reports.teamUsage', {
      query: { startDate: days.today, endDate: days.today },
    })
    expect(shown(usage.total)).toEqual(plain)
  })
})
