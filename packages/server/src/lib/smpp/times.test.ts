import { expect, test } from 'vitest'
import { formatReceiptTime, readSmppTime } from './times.ts'

const now = new Date('2026-01-31T12:00:00Z')

test.each([
  ['000000003000000R', '2026-01-31T12:30:00.000Z'],
  ['000002000000000R', '2026-02-02T12:00:00.000Z'],
  ['010000000000000R', '2027-01-31T12:00:00.000Z'],
  ['260201093000000+', '2026-02-01T09:30:00.000Z'],
  ['260201150000522+', '2026-02-01T09:30:00.500Z'],
  ['260201040000022-', '2026-02-01T09:30:00.000Z'],
])('%s', (text, at) => {
  expect(readSmppTime(text, now)?.toISOString()).toBe(at)
})

test.each([
  '',
  'soon',
  '000000003000000',
  '261301093000000+',
  '260200093000000+',
  '260201243000000+',
  '260201093000049+',
])('%j is no time', (text) => {
  expect(readSmppTime(text, now)).toBeUndefined()
})

test('dates of receipts', () => {
  expect(formatReceiptTime(new Date('2026-11-26T21:05:59Z'))).toBe('2611262105')
})
