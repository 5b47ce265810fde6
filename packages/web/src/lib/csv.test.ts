import { expect, test } from 'vitest'
import { csvBlob, csvLine } from './csv.ts'

test.each([
  ['plain', 'Acme', 'Acme'],
  ['a number, also below zero', -1.5, '-1.5'],
  ['commas and quotes', 'Acme, "the best"', '"Acme, ""the best"""'],
  ['lines', 'a\nb', '"a\nb"'],
  ['a formula', '=HYPERLINK("x")', `"'=HYPERLINK(""x"")"`],
  ['another formula', '@SUM(A1)', "'@SUM(A1)"],
])('%s', (_, cell, written) => {
  expect(csvLine([cell])).toBe(`${written}\r\n`)
})

test('begins as spreadsheets want it', async () => {
  const bytes = new Uint8Array(await csvBlob([['₹', 1]]).arrayBuffer())
  expect(bytes.slice(0, 3)).toEqual(Uint8Array.of(0xef, 0xbb, 0xbf))
  expect(new TextDecoder().decode(bytes)).toBe('₹,1\r\n')
})
