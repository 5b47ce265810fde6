import { expect, test } from 'vitest'
import { barsOf, channelsOf, explain, rowsOf, usageCsv, type Counts, type Usage } from './usage.ts'

const counts = (submitted: number, more: Partial<Counts> = {}): Counts => ({
  submitted,
  sent: 0,
  delivered: 0,
  read: 0,
  failed: 0,
  unconfirmed: 0,
  pending: 0,
  replied: 0,
  optedOut: 0,
  cost: 0,
  ...more,
})
const day = (date: string, channel: 'sms' | 'rcs', submitted: number, more: Partial<Counts> = {}) => ({
  day: date,
  channel,
  submitted,
  sent: 0,
  delivered: 0,
  failed: 0,
  unconfirmed: 0,
  cost: 0,
  ...more,
})

const usage: Usage = {
  accounts: [
    {
      userId: '1',
      name: 'Ravi, Retail',
      username: 'ravi',
      type: 'user',
      channels: { sms: counts(30, { delivered: 20, read: 5, failed: 5, cost: 3.75 }), rcs: counts(10) },
      total: counts(40),
      share: 0.8,
      daily: [
        { day: '2026-01-01', submitted: 30, cost: 3.75 },
        { day: '2026-01-03', submitted: 10, cost: 0 },
      ],
    },
    {
      userId: '2',
      name: 'Asha',
      username: 'asha',
      type: 'user',
      channels: { sms: counts(10) },
      total: counts(10),
      share: 0.2,
      daily: [],
    },
  ],
  total: counts(50),
  previous: counts(0),
  daily: [
    day('2026-01-01', 'sms', 30, { delivered: 25, failed: 5, cost: 3.75 }),
    day('2026-01-03', 'sms', 10),
    day('2026-01-03', 'rcs', 10),
  ],
}

test('a row for each account, a cell for each channel, shares of what is shown', () => {
  expect(channelsOf(usage, 'any')).toEqual(['sms', 'rcs'])
  expect(rowsOf(usage, ['rcs'])).toMatchObject({
    rows: [
      { name: 'Ravi, Retail', total: { submitted: 10 }, share: 1 },
      { name: 'Asha', total: { submitted: 0 }, share: 0 },
    ],
    sum: { total: { submitted: 10 } },
  })
})

test('days without messages have a bar as well', () => {
  expect(barsOf(usage, { range: { from: '2026-01-01', to: '2026-01-03' }, channels: ['sms', 'rcs'] })).toMatchObject([
    { from: '2026-01-01', label: '1 Jan', values: [30, 0] },
    { from: '2026-01-02', values: [0, 0] },
    { from: '2026-01-03', values: [10, 10] },
  ])
})

test('a year has bars of several days that leave nothing out', () => {
  const bars = barsOf(usage, { range: { from: '2025-03-01', to: '2026-02-28' }, channels: ['sms'] })
  expect(bars.length).toBeLessThanOrEqual(62)
  expect(bars.reduce((sum, { values }) => sum + (values[0] ?? 0), 0)).toBe(40)
  expect(bars.at(-1)?.to).toBe('2026-02-28')
})

test('the table for a spreadsheet has the same numbers and their sum', () => {
  expect(usageCsv(usage, { channels: ['sms'], who: 'Person' })).toEqual([
    ['Person', 'Username', 'SMS messages', 'SMS delivered', 'SMS failed', 'Messages', 'Spend (₹)', 'Share (%)'],
    ['Ravi, Retail', 'ravi', 30, 25, 5, 30, { value: 3.75, decimals: 2 }, 75],
    ['Asha', 'asha', 10, 0, 0, 10, { value: 0, decimals: 2 }, 25],
    ['All', '', 40, 25, 5, 40, { value: 3.75, decimals: 2 }, 100],
  ])
})

test('a row in a sentence', () => {
  const { rows, sum } = rowsOf(usage, ['sms'])
  expect(rows.map((row) => explain(row, sum.total))).toEqual([
    'Ravi, Retail sent 75.0%: 30 for ₹3.75, mostly on 1 Jan. 16.7% failed.',
    'Asha sent 25.0%: 10 for ₹0.00.',
  ])
})

test('what the accounts spent adds up to the total, in paise', () => {
  const costs = [857.925, 636.125, 0.1105]
  const account = (cost: number, index: number) => ({
    ...(usage.accounts[0] as Usage['accounts'][number]),
    userId: String(index),
    channels: { sms: counts(10 - index, { cost }) },
  })
  const spent = rowsOf(
    {
      ...usage,
      accounts: costs.map(account),
      daily: costs.map((cost, index) => day(`2026-01-0${index + 1}`, 'sms', 10, { cost })),
    },
    ['sms'],
  )
  expect(spent.rows.map(({ total }) => total.cost)).toEqual([857.93, 636.12, 0.11])
  expect(spent.sum.total.cost).toBe(1494.16)
})
