import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createScanner, type Delimiter } from './csv-scanner.ts'

function scan(text: string, delimiter: Delimiter = ','): string[][] {
  return createScanner(delimiter).push(text, true).rows
}

test.each([
  [
    'line breaks inside quotes',
    'a,"two\r\nlines",c\n1,2,3\n',
    [
      ['a', 'two\r\nlines', 'c'],
      ['1', '2', '3'],
    ],
  ],
  ['doubled quotes', '1,"say ""hi""",3', [['1', 'say "hi"', '3']]],
  ['a quote inside a plain cell', '5" pipe,12', [['5" pipe', '12']]],
  ['text behind a closing quote', '"Big" Bazaar,12\n"x"y', [['Big Bazaar', '12'], ['xy']]],
  ['delimiters inside quotes', '"a,b",c', [['a,b', 'c']]],
  ['empty quoted cells', '"",""\n', [['', '']]],
  [
    'empty cells',
    ',a,\n,,',
    [
      ['', 'a', ''],
      ['', '', ''],
    ],
  ],
  [
    'carriage returns alone',
    'a,b\rc,d\r',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['all three line ends in one file', 'a\nb\r\nc\rd', [['a'], ['b'], ['c'], ['d']]],
  ['an empty last cell in quotes', 'a,""', [['a', '']]],
])('reads %s', (_, text, rows) => {
  expect(scan(text)).toEqual(rows)
})

test('blank lines are counted but not returned', () => {
  expect(createScanner(',').push('\n\na\r\n\r\nb', true)).toEqual({ rows: [['a'], ['b']], numbers: [3, 5] })
})

test.each([
  ['a quote that is never closed', 'a,b\nc,"d\ne,f\n', 'unclosed_quote', 'Row 2:'],
  ['more columns than 256', `a\n${'x,'.repeat(300)}`, 'too_many_columns', 'Row 2:'],
  ['more quoted columns than 256', '"x",'.repeat(300), 'too_many_columns', 'Row 1:'],
  ['a million columns without an end', 'x,'.repeat(1_000_000), 'too_many_columns', 'Row 1:'],
])('rejects %s', (...[, text, code, place]) => {
  const attempt = () => scan(text)
  expect(attempt).toThrow(expect.objectContaining({ name: 'UnreadableFile', code }))
  expect(attempt).toThrow(place)
})

test('rejects an endless row before it has read the whole file', () => {
  const scanner = createScanner(',')
  expect(() => {
    for (let piece = 0; piece < 20; piece += 1) scanner.push('x'.repeat(100_000), false)
  }).toThrow(expect.objectContaining({ code: 'row_too_long' }))
})

const cell = fc.string({ unit: fc.constantFrom(...Array.from('ab,;"\n\r 1é')), maxLength: 8 })
const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 8 })
const cuts = fc.array(fc.nat(40), { maxLength: 12 })
const lineEnd = fc.constantFrom('\n', '\r\n', '\r')

/** The rows of a text scanned in pieces. */
function scanInPieces(text: string, lengths: readonly number[]): string[][] {
  const scanner = createScanner(',')
  const rows: string[][] = []
  let at = 0
  for (const length of lengths) {
    rows.push(...scanner.push(text.slice(at, at + length), false).rows)
    at += length
  }
  return [...rows, ...scanner.push(text.slice(at), true).rows]
}

test('anything written with quotes can be read back, however it is split', () => {
  fc.assert(
    fc.property(
      table,
      cuts,
      fc.tuple(lineEnd, fc.boolean(), fc.boolean()),
      (written, lengths, [ending, always, endsLast]) => {
        const write = (value: string) => (always || /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)
        const text = written.map((row) => row.map(write).join(',')).join(ending) + (endsLast ? ending : '')
        expect(scanInPieces(text, lengths)).toEqual(written)
      },
    ),
    { numRuns: 500 },
  )
})

test('any text yields the same rows, or the same rejection, however it is split', () => {
  const attempt = (text: string, lengths: readonly number[]) => {
    try {
      return scanInPieces(text, lengths)
    } catch (error) {
      return String(error)
    }
  }
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...Array.from('a,"\n\r')), maxLength: 60 }),
      cuts,
      (text, lengths) => {
        expect(attempt(text, lengths)).toEqual(attempt(text, []))
      },
    ),
    { numRuns: 1000 },
  )
})
