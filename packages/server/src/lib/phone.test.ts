import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countryOf, createPhoneReader } from './phone.ts'

const read = createPhoneReader('IN')

test.each([
  ['9876543210', 919876543210],
  ['98765 43210', 919876543210],
  ['098765-43210', 919876543210],
  ['+91 98765 43210', 919876543210],
  ['919876543210', 919876543210],
  ['0091 9876543210', 919876543210],
  ['091 98765 43210', 919876543210],
  ['(+91) 98765.43210', 919876543210],
  ['+1 (415) 555-2671', 14155552671],
  ['1 415 555 2671', 14155552671],
  ['+44 7911 123456', 447911123456],
  ['022 2345 6789', 912223456789],
])('reads %s', (text, phone) => {
  expect(read(text)).toMatchObject({ phone })
})

test.each([
  ['as a program that took it for a decimal wrote it', '9876543210.0'],
  ['as a text in a formula', '="9876543210"'],
  ['with the apostrophe that marks a text', "'9876543210"],
  ['as a link', 'tel:+919876543210'],
  ['copied from an address book', '\u202a+91 98765 43210\u202c'],
  ['with a non-breaking hyphen and space', '98765\u2011432\u00a010'],
  ['in Devanagari digits', '९८७६५४३२१०'],
  ['in full-width digits', '\uff0b９１９８７６５４３２１０'],
])('reads a number %s', (_, text) => {
  expect(read(text)).toEqual({ phone: 919876543210, country: 'IN' })
})

test.each([
  ['', 'empty'],
  ['   ', 'empty'],
  ['\u200b', 'empty'],
  ['hello', 'not_a_number'],
  ['9.19877E+11', 'scientific_notation'],
  ['9,19877E+11', 'scientific_notation'],
  ['9E11', 'scientific_notation'],
  ['12', 'too_short'],
  ['98765432101234567', 'too_long'],
  ['9876543210/9876543211', 'too_long'],
  ['+999 12345678', 'invalid_country'],
  ['Call: 9876543210 now', 'not_a_number'],
  ['98765+43210', 'not_a_number'],
  ['-', 'not_a_number'],
  ['21/11/2026', 'impossible'],
  ['5555555555', 'impossible'],
  ['9890123456/78', 'impossible'],
  ['+91 98765', 'too_short'],
  ['98765', 'too_short'],
])('rejects %j: %s', (text, problem) => {
  expect(read(text)).toEqual({ problem })
})

test.each([
  ['CN', '13812345678', 8613812345678],
  ['DE', '015123456789', 4915123456789],
  ['DE', '15123456789', 4915123456789],
  ['US', '4155552671', 14155552671],
  ['AE', '0501234567', 971501234567],
  ['AE', '919876543210', 919876543210],
])('in %s, %s is read as a number of that country first', (country, text, phone) => {
  expect(createPhoneReader(country)(text)).toMatchObject({ phone })
})

test('without a valid default country, a number needs a country code', () => {
  const nowhere = createPhoneReader('ZZ')
  expect([nowhere('+91 98765 43210'), nowhere('98765 43210')]).toEqual([
    { phone: 919876543210, country: 'IN' },
    { problem: 'invalid_country' },
  ])
})

test('the fast path agrees with libphonenumber', () => {
  const abroad = createPhoneReader('US')
  fc.assert(
    fc.property(fc.integer({ min: 6_000_000_000, max: 9_999_999_999 }), (national) => {
      // Parentheses bypass the fast path.
      expect(read(`+91 ${national}`)).toEqual(abroad(`(+91) ${national}`))
    }),
  )
})

test('any text is either parsed or rejected, and never throws', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...Array.from('+0123456789 ()-./E')) })),
      (text) => {
        const reading = read(text)
        if ('phone' in reading) expect(String(reading.phone)).toMatch(/^[1-9]\d{4,14}$/)
        else expect(reading.problem).toMatch(/^[a-z_]+$/)
      },
    ),
  )
})

test.each([
  ['+91 98765 43210', 'IN'],
  ['022 2345 6789', 'IN'],
  ['+1 415 555 2671', 'US'],
  ['+1 416 555 0123', 'CA'],
  ['+1 555 555 5555', 'US'],
  ['+7 999 888 77 66', 'RU'],
  ['+7 701 234 56 78', 'KZ'],
  ['+800 1234 5678', '001'],
  ['+882 9991 2345', '001'],
])('%s is a number of %s', (text, country) => {
  const reading = read(text)
  expect(reading).toMatchObject({ country })
  expect(countryOf('phone' in reading ? reading.phone : 0)).toBe(country)
})
