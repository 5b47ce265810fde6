import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSafeAddress } from './route-safety.ts'
import {
  choiceParam,
  choicesParam,
  defineView,
  flagParam,
  idParam,
  idsParam,
  numberParam,
  pageParam,
  rangeParam,
  readView,
  textParam,
  writeView,
} from './url-state.ts'
import { parseSearch, stringifySearch } from './search.ts'

const statuses = ['draft', 'running', 'deleted', 'updated', 'selected'] as const
const view = defineView({
  p: pageParam(),
  l: numberParam({ fallback: 10, minimum: 10, maximum: 100 }),
  s: choiceParam(['createdAt', 'updatedAt', 'name'], 'createdAt'),
  f: choicesParam(statuses),
  q: textParam(),
  c: idParam(),
  r: rangeParam(),
  x: flagParam(),
  a: idsParam(),
})

const banned = [
  '<script>alert(1)</script>',
  'javascript:',
  'onerror=',
  'onload=',
  'select',
  'drop',
  'union',
  'insert',
  'update',
  'delete',
  'truncate',
  "'",
  '"',
  '--',
  ';',
  '/*',
  '*/',
  '<!--',
  '../',
  '%27',
  '%3Cscript%3E',
  'a -- b',
  'DROP TABLE x;',
]
const freeText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(...banned),
  fc.array(fc.constantFrom(...banned)).map((words) => words.join(' ')),
)
const day = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const state = fc.record({
  p: fc.integer({ min: 1, max: 100_000 }),
  l: fc.integer({ min: 10, max: 100 }),
  s: fc.constantFrom('createdAt' as const, 'updatedAt' as const, 'name' as const),
  f: fc.uniqueArray(fc.constantFrom(...statuses)),
  q: freeText,
  c: fc.option(
    fc.oneof(
      fc.uuid(),
      freeText.filter((text) => text !== ''),
      fc.stringMatching(/^[0-9a-z_-]{1,40}$/),
    ),
    { nil: undefined },
  ),
  r: fc.option(
    fc.tuple(day, day).map(([a, b]) => (a <= b ? { from: a, to: b } : { from: b, to: a })),
    { nil: undefined },
  ),
  x: fc.boolean(),
  a: fc.uniqueArray(fc.uuid(), { maxLength: 50 }),
})

test('every state survives its URL, and no URL violates route safety', () => {
  fc.assert(
    fc.property(state, (given) => {
      const query = stringifySearch(writeView(view, given))
      expect(isSafeAddress(`/organization/campaigns${query}`)).toBe(true)
      expect(readView(view, parseSearch(query))).toEqual(given)
    }),
    { numRuns: 10_000 },
  )
})

test('invalid values are dropped', () => {
  const query = '?p=0&l=7&s=9&f=a&q=6z&c=a--b&r=20251301-20251401&x=2&a=12&filters={"a":1}&S=1'
  expect(readView(view, parseSearch(query))).toEqual({
    p: 1,
    l: 10,
    s: 'createdAt',
    f: [],
    q: '',
    c: undefined,
    r: undefined,
    x: false,
    a: [],
  })
})

test('a default state leaves nothing in the URL', () => {
  expect(stringifySearch(writeView(view, readView(view, {})))).toBe('')
})
