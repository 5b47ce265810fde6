import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkVariable, compileSmsTemplate, diffCharacters, matchDltTemplate, parseSmsTemplate, worstCase } from './sms-variables.ts'

test('cuts a body at its tags and numbers them', () => {
  expect(parseSmsTemplate('Dear {#var#}, pay {#numeric#}.')).toEqual(['Dear ', { kind: 'var', index: 0 }, ', pay ', { kind: 'numeric', index: 1 }, '.'])
})

test('leaves what only looks like a tag alone', () => {
  expect(parseSmsTemplate('{#name#} {var}')).toEqual(['{#name#} {var}'])
})

test.each([
  ['numeric', '12a', 'only digits fit here'],
  ['alphanumeric', 'A-1', 'only letters and digits fit here'],
  ['var', 'x'.repeat(31), 'at most 30 characters fit here'],
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

test('every rendering of a template matches it', () => {
  const value = fc.string({ unit: fc.constantFrom(...'abcXYZ 0189'), maxLength: 30 })
  fc.assert(
    fc.property(value, value, (first, second) => {
      const body = 'Hi {#var#}; your code: {#var#}. -Acme'
      expect(matchDltTemplate(body, compileSmsTemplate(body)([first, second]))).toEqual({ matches: true })
    }),
  )
})

test('the worst case counts every variable at its longest', () => {
  expect(worstCase(`${'a'.repeat(120)}{#var#}{#var#}`)).toMatchObject({ units: 180, parts: 2 })
})

test('a difference can be read back into both texts', () => {
  const text = fc.string({ unit: fc.constantFrom(...'ab c'), maxLength: 40 })
  fc.assert(
    fc.property(text, text, (approved, given) => {
      const pieces = diffCharacters(approved, given)
      const joined = (...kinds: string[]) => pieces.filter(({ kind }) => kinds.includes(kind)).map((piece) => piece.text).join('')
      expect(joined('same', 'missing')).toBe(approved)
      expect(joined('same', 'extra')).toBe(given)
    }),
  )
})
