import { expect, test } from 'vitest'
import { formatSheetNumber, readNumberStyles } from './sheet-numbers.ts'

test.each([
  [46347, 'dd-mm-yyyy', '21-11-2026'],
  [46347, 'd/m/yy', '21/11/26'],
  [46347, 'dddd, d mmmm yyyy', 'Saturday, 21 November 2026'],
  [46347, 'ddd d-mmm', 'Sat 21-Nov'],
  [46347.25, 'yyyy-mm-dd hh:mm:ss', '2026-11-21 06:00:00'],
  [46347.999999999, 'dd-mm-yyyy h:mm', '22-11-2026 0:00'],
  [0.5, 'h:mm AM/PM', '12:00 PM'],
  [0.0006944444, 'mm:ss', '01:00'],
  [1, 'dd-mm-yyyy', '01-01-1900'],
  [59, 'dd-mm-yyyy', '28-02-1900'],
  [61, 'dd-mm-yyyy', '01-03-1900'],
  [46347, 'd "of" mmmm', '21 of November'],
])('%s shown as %s is %s', (serial, format, shown) => {
  expect(formatSheetNumber(serial, format, false)).toBe(shown)
})

test.each([
  [0.15, '0%', '15%'],
  [0.125, '0.0%', '12.5%'],
  [1.2, '#,##0.00%', '120.00%'],
  [0.07, '0%', '7%'],
])('%s shown as %s is %s', (value, format, shown) => {
  expect(formatSheetNumber(value, format, false)).toBe(shown)
})

test('a sheet with the 1904 date system', () => {
  expect(formatSheetNumber(44885, 'dd-mm-yyyy', true)).toBe('21-11-2026')
})

test.each([-1, Number.NaN, 3_000_000])('%s is not a date', (serial) => {
  expect(formatSheetNumber(serial, 'dd-mm-yyyy', false)).toBeUndefined()
})

test.each([
  ['d-mmm-yyyy', 'd-mmm-yyyy'],
  ['[$-4009]dd\\/mm\\/yyyy;@', 'dd"/"mm"/"yyyy'],
  ['[Red]yyyy', 'yyyy'],
  ['[h]:mm:ss', undefined],
  ['General', undefined],
  ['#,##0.00', undefined],
  ['0.00E+00', undefined],
  ['0 &quot;days&quot;', undefined],
  ['@', undefined],
])('a style with the format %s', (code, format) => {
  const xml = `<numFmts><numFmt numFmtId="164" formatCode="${code}"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164" xfId="0"><alignment/></xf></cellXfs>`
  expect(readNumberStyles(xml)).toEqual([undefined, format])
})
