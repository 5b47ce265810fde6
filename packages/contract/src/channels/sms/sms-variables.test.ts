import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  checkVariable,
  compileSmsTemplate,
  diffCharacters,
  matchDltTemplate,
  parseSmsTemplate,
  worstCase,
} from './sms-variables.ts'

test('splits a body at its tags and numbers them', () => {
  expect(parseSmsTemplate('Dear {#var#}, pay {#numeric#}.')).toEqual([
    'Dear ',
    { kind: 'var', index: 0 },
    ', pay ',
    { kind: 'numeric', index: 1 },
    '.',
  ])
})

test('ignores text that resembles a tag', () => {
  expect(parseSmsTemplate('{#name#} {var}')).toEqual(['{#name#} {var}'])
})

test.each([
  ['numeric', '12a', 'only digits are allowed'],
  ['alphanumeric', 'A-1', 'only letters and digits are allowed'],
  ['var', 'x'.repeat(31), 'at most 30 characters are allowed'],
  ['url', 'acme.in/d/k7Qp', undefined],
  ['email', 'asha@acme.in', undefined],
] as const)('a value for %s: %s', (kind, value, says) => {
  expect(checkVariable(kind, value)).toBe(says)
})

test.each([
  ['filled in', 'Dear Asha, order A-17 ships today. -Acme', { matches: true }],
  ['with a changed word', 'Dear Asha, order A-17 went today. -Acme', { matches: false }],
  ['with a space more', 'Dear Asha,  order A-17 ships today. -Acme', { matches: false }],
  ['with a value too long', `Dear ${'x'.repeat(31)}, order A-17 ships today. -Acme`, { matches: false, at: 5 }],
])('a text %s', (_, text, expected) => {
  expect(matchDltTemplate('Dear {#var#}, order {#var#} ships today. -Acme', text)).toMatchObject(expected)
})

test.each([
  [
    'a value with the following words in it',
    'Order {#var#} ships {#var#}.',
    'Order of ships ships today.',
    { matches: true },
  ],
  ['neighbouring tags', 'Note: {#var#}{#var#}.', `Note: ${'x'.repeat(55)}.`, { matches: true }],
  ['neighbouring tags with too much', 'Note: {#var#}{#var#}.', `Note: ${'x'.repeat(61)}.`, { matches: false }],
  [
    'letters where digits belong',
    'Code {#numeric#} expires.',
    'Code 12a4 expires.',
    { matches: false, expected: ' expires.', found: '12a4 expires.' },
  ],
  [
    'words after the end',
    'Code {#numeric#}.',
    'Code 12. Thanks',
    { matches: false, at: 8, expected: '', found: ' Thanks' },
  ],
  ['a line end that differs', 'Hi {#var#}\r\nAcme', 'Hi Asha\nAcme', { matches: false }],
  [
    'a capital that differs',
    'Dear {#var#}, Your code',
    'Dear Asha, your code',
    { matches: false, at: 11, expected: 'Your code', found: 'your code' },
  ],
  ['a link', 'See {#url#} now', 'See acme.in/d/k7Qp now', { matches: true }],
  ['no variable at all', 'Office closed.', 'Office closed.', { matches: true }],
] as const)('matching: %s', (...[, approved, text, expected]) => {
  expect(matchDltTemplate(approved, text)).toMatchObject(expected)
})

test('matches a template of many adjacent tags quickly', () => {
  expect(matchDltTemplate(`${'{#var#}'.repeat(60)}!`, 'a'.repeat(1800))).toMatchObject({ matches: false })
})

test('every rendering of a template matches it', () => {
  const value = fc.string({ unit: fc.constantFrom(...Array.from('abcXYZ 0189')), maxLength: 30 })
  fc.assert(
    fc.property(value, value, (first, second) => {
      const body = 'Hi {#var#}; your code: {#var#}. -Acme'
      expect(matchDltTemplate(body, compileSmsTemplate(body)([first, second]))).toEqual({ matches: true })
    }),
  )
})

test('the worst case counts every variable at its maximum length', () => {
  expect(worstCase(`${'a'.repeat(120)}{#var#}{#var#}`)).toMatchObject({ units: 180, parts: 2 })
})

test('both texts can be rebuilt from a difference', () => {
  const text = fc.string({ unit: fc.constantFrom(...Array.from('ab c')), maxLength: 40 })
  fc.assert(
    fc.property(text, text, (approved, given) => {
      const pieces = diffCharacters(approved, given)
      const joined = (...kinds: string[]) =>
        pieces
          .filter(({ kind }) => kinds.includes(kind))
          .map((piece) => piece.text)
          .join('')
      expect(joined('same', 'missing')).toBe(approved)
      expect(joined('same', 'extra')).toBe(given)
    }),
  )
})

test('a difference within an emoji includes the whole emoji', () => {
  expect(matchDltTemplate('Hello 😀 there', 'Hello 😁 there')).toMatchObject({
    matches: false,
    at: 6,
    expected: '😀 there',
    found: '😁 there',
  })
})
