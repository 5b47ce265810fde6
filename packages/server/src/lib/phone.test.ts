import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPhoneReader } from './phone.ts'

const read = createPhoneReader('IN')

test.each([
  ['9876543210', 919876543210],
  ['98765 43210', 919876543210],
  ['098765-43210', 919876543210],
  ['+91 98765 43210', 919876543210],
  ['919876543210', 919876543210],
  ['0091 9876543210', 919876543210],
  ['(+91) 98765.43210', 919876543210],
  ['+1 (415) 555-2671', 14155552671],
  ['+44 7911 123456', 447911123456],
  ['022 2345 6789', 912223456789],
])('reads %s', (text, phone) => {
  expect(read(text)).toEqual({ phone })
})

test.each([
  ['', 'empty'],
  ['   ', 'empty'],
  ['hello', 'not_a_number'],
  ['9.19877E+11', 'scientific_notation'],
  ['9,19877E+11', 'scientific_notation'],
  ['12', 'too_short'],
  ['98765432101234567', 'too_long'],
  ['+999 12345678', 'invalid_country'],
  ['Call: 9876543210 now', 'not_a_number'],
])('refuses %j: %s', (text, problem) => {
  expect(read(text)).toEqual({ problem })
})

test('the quick path agrees with the thorough one', () => {
  const abroad = createPhoneReader('US')
  fc.assert(
    fc.property(fc.integer({ min: 6_000_000_000, max: 9_999_999_999 }), (national) => {
      // A plus sign and parentheses lead past the quick path.
      expect(read(`+91 ${national}`)).toEqual(abroad(`(+91) ${national}`))
    }),
  )
})
