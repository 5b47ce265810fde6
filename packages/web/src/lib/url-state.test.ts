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
  optionalChoiceParam,
  rangeParam,
  readView,
  textParam,
  writeView,
} from './url-state.ts'
import { pageParam } from './list-view.ts'
import { parseSearch, stringifySearch } from './search.ts'

const statuses = ['draft', 'running', 'deleted', 'updated', 'selected'] as const
const kinds = ['first', 'second'] as const
const view = defineView({
  page: pageParam(),
  size: numberParam('l', { fallback: 10, minimum: 10, maximum: 100 }),
  sort: choiceParam('s', ['createdAt', 'updatedAt', 'name'], 'createdAt'),
  status: choicesParam('f', statuses),
  search: textParam('q'),
  openId: idParam('c'),
  range: rangeParam('r'),
  isOpen: flagParam('x'),
  accountIds: idsParam('a'),
  kind: optionalChoiceParam('ki', kinds),
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
  page: fc.integer({ min: 1, max: 100_000 }),
  size: fc.integer({ min: 10, max: 100 }),
  sort: fc.constantFrom('createdAt' as const, 'updatedAt' as const, 'name' as const),
  status: fc.uniqueArray(fc.constantFrom(...statuses)),
  search: freeText,
  openId: fc.option(
    fc.oneof(
      fc.uuid(),
      freeText.filter((text) => text !== ''),
      fc.stringMatching(/^[0-9a-z_-]{1,40}$/),
    ),
    { nil: undefined },
  ),
  range: fc.option(
    fc.tuple(day, day).map(([a, b]) => (a <= b ? { from: a, to: b } : { from: b, to: a })),
    { nil: undefined },
  ),
  isOpen: fc.boolean(),
  accountIds: fc.uniqueArray(fc.uuid(), { maxLength: 50 }),
  kind: fc.option(fc.constantFrom(...kinds), { nil: undefined }),
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

test('the URL has the letters of the params, in the order in which they are declared', () => {
  const given = {
    kind: 'second',
    accountIds: ['0190c5b7-8f6e-7b1a-9c3d-2e4f5a6b7c8d'],
    isOpen: true,
    range: { from: '2025-11-01', to: '2025-11-07' },
    openId: '0190c5b7-8f6e-7b1a-9c3d-2e4f5a6b7c8d',
    search: 'drop',
    status: ['running', 'selected'],
    sort: 'name',
    size: 50,
    page: 2,
  } as const
  expect(stringifySearch(writeView(view, given))).toBe(
    '?p=2&l=50&s=2&f=1-4&q=64726f70&c=0190c5b7-8f6e-7b1a-9c3d-2e4f5a6b7c8d&r=20251101-20251107&x=1' +
      '&a=0190c5b78f6e7b1a9c3d2e4f5a6b7c8d&ki=1',
  )
})

test('a name is not a key of the URL', () => {
  expect(readView(view, { page: '3', search: '6f6e65' })).toMatchObject({ page: 1, search: '' })
})

test.each(['', 'P', '1', 'pag', 'p-', '__proto__'])('the letter %j is refused', (letter) => {
  expect(() => defineView({ search: textParam(letter) })).toThrow('is not a query parameter')
})

test('two names with one letter are refused', () => {
  expect(() => defineView({ page: pageParam(), phone: textParam('p') })).toThrow(
    'Two params of a view have the letter p',
  )
})

test('invalid values are dropped', () => {
  const query = '?p=0&l=7&s=9&f=a&q=6z&c=a--b&r=20251301-20251401&x=2&a=12&ki=9&filters={"a":1}&S=1'
  expect(readView(view, parseSearch(query))).toEqual({
    page: 1,
    size: 10,
    sort: 'createdAt',
    status: [],
    search: '',
    openId: undefined,
    range: undefined,
    isOpen: false,
    accountIds: [],
    kind: undefined,
  })
})

test('a default state leaves nothing in the URL', () => {
  expect(stringifySearch(writeView(view, readView(view, {})))).toBe('')
})
