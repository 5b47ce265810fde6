import { describe, expect, test } from 'vitest'
import { CellFormat, exampleOf, formatCell } from './cell-formats.ts'
import { isUnreadable, valueOf } from './variable-values.ts'

describe('a date', () => {
  test.each([
    '2026-11-12',
    '2026-11-12T18:30:00Z',
    '2026-11-12 18:30',
    '2026/11/12',
    '12/11/2026',
    '12-11-2026',
    '12.11.26',
    '12/11/2026 10:30',
    '12 Nov 2026',
    '12-Nov-26',
    '12th November 2026',
    'Thu, 12 Nov 2026',
    'Nov 12, 2026',
    'November 12 2026',
    '46338',
    '46338.75',
    ' 12/11/2026 ',
  ])('is recognised in %s', (cell) => {
    expect(formatCell('date_short', cell)).toBe('12 Nov 2026')
  })

  test.each([
    ['date_numeric', '12/11/2026'],
    ['date_weekday', 'Thu 12 Nov'],
    ['date_long', '12 November 2026'],
  ] as const)('as %s is %s', (format, written) => {
    expect(formatCell(format, '2026-11-12')).toBe(written)
  })

  test.each(['', 'tomorrow', '31/02/2026', '12/13/2026', '2026-13-01', '0', '123', '12', '12 Foo 2026', '9876543210'])(
    'is none in %j',
    (cell) => {
      expect(formatCell('date_short', cell)).toBeUndefined()
    },
  )

  test('accepts 29 February in leap years only', () => {
    expect(formatCell('date_numeric', '29-2-2028')).toBe('29/02/2028')
    expect(formatCell('date_numeric', '29-2-2026')).toBeUndefined()
  })
})

describe('an amount', () => {
  test.each([
    ['123456', '₹1,23,456.00'],
    ['₹1,23,456.5', '₹1,23,456.50'],
    ['Rs. 500/-', '₹500.00'],
    ['INR 99.999', '₹100.00'],
    ['1,234,567', '₹12,34,567.00'],
    ['-250', '-₹250.00'],
    ['(250)', '-₹250.00'],
    ['0', '₹0.00'],
    ['100000000', '₹10,00,00,000.00'],
  ])('%s is %s', (cell, written) => {
    expect(formatCell('amount', cell)).toBe(written)
  })

  test('is formatted without paise and without a currency sign', () => {
    expect(formatCell('amount_whole', '123456.4')).toBe('₹1,23,456')
    expect(formatCell('amount_plain', '123456')).toBe('1,23,456')
  })

  test.each(['', 'free', '12 apples', '1.2.3', '1,2', '2026-11-12'])('is none in %j', (cell) => {
    expect(formatCell('amount', cell)).toBeUndefined()
  })
})

test('names are upper-cased or capitalised', () => {
  expect(formatCell('title', "PRIYA o'neil-rao")).toBe("Priya O'neil-Rao")
  expect(formatCell('upper', 'diya500')).toBe('DIYA500')
})

test('every format has an example', () => {
  expect(CellFormat.options.map(exampleOf)).toEqual([
    '12 Nov 2026',
    '12/11/2026',
    'Thu 12 Nov',
    '12 November 2026',
    '₹1,23,456.00',
    '₹1,23,456',
    'Rs.1,23,456.00',
    '1,23,456',
    'ASHA RAO',
    'Asha Rao',
  ])
})

describe('the value of a variable', () => {
  const source = { column: 0, fallback: 'soon', format: 'date_short' as const }

  test('is the formatted cell, truncated after formatting', () => {
    expect(valueOf(source, ['2026-11-12'])).toBe('12 Nov 2026')
    expect(valueOf({ ...source, trimTo: 6 }, ['2026-11-12'])).toBe('12 Nov')
    expect(valueOf({ column: 0, fallback: '' }, ['2026-11-12'])).toBe('2026-11-12')
  })

  test('is the fallback if the cell is empty or not a date', () => {
    expect(valueOf(source, [''])).toBe('soon')
    expect(valueOf(source, ['next week'])).toBe('soon')
    expect(valueOf({ ...source, fallback: '' }, ['next week'])).toBe('')
  })

  test('an empty cell is not unreadable', () => {
    expect(isUnreadable(source, ['next week'])).toBe(true)
    expect(isUnreadable(source, [''])).toBe(false)
    expect(isUnreadable(source, ['2026-11-12'])).toBe(false)
    expect(isUnreadable({ column: 0, fallback: '' }, ['next week'])).toBe(false)
  })
})
