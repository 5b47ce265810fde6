import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPhoneReader } from '../../../lib/phone.ts'
import { suggestNumber } from './suggest-number.ts'

const readers = { IN: createPhoneReader('IN'), US: createPhoneReader('US') }
const suggest = (cell: string, defaultCountry: keyof typeof readers = 'IN') =>
  suggestNumber(cell, { readPhone: readers[defaultCountry], defaultCountry })

test.each([
  ['99O0417722', '+919900417722', 'letter_for_digit'],
  ['o9900417722', '+919900417722', 'letter_for_digit'],
  ['+9l 99004 I7722', '+919900417722', 'letter_for_digit'],
  ['98765432lO', '+919876543210', 'letter_for_digit'],
  ['tel: 98765 43210 (home)', '+919876543210', 'text_around'],
  ['Mobile: +91-98765-43210', '+919876543210', 'text_around'],
  ['98765 43210 WhatsApp only', '+919876543210', 'text_around'],
  ['Asha (98765 43210)', '+919876543210', 'text_around'],
  ['home (+91) 98765 43210', '+919876543210', 'text_around'],
  ['मोबाइल: ९८७६५ ४३२१०', '+919876543210', 'text_around'],
  ['office: +44 7911 123456', '+447911123456', 'text_around'],
  ['9876543210/9876543211', '+919876543210', 'several_numbers'],
  ['98765 43210, 98765 43211', '+919876543210', 'several_numbers'],
  ['9876543210 or 022 2345 6789', '+919876543210', 'several_numbers'],
  ['9876543210\n9876543211', '+919876543210', 'several_numbers'],
  ['home 98765O3210 / 9876543211', '+919876503210', 'several_numbers'],
  ['98765\u000743210', '+919876543210', 'invisible_character'],
  ['\u31649876543210\u2800', '+919876543210', 'invisible_character'],
])('%j means %s', (cell, phoneNumber, flaw) => {
  expect('problem' in readers.IN(cell)).toBe(true)
  expect(suggest(cell)).toEqual({ phoneNumber, flaw })
})

test.each([
  ['nothing', ''],
  ['no digit', 'Oil lIll'],
  ['lost digits', '9.87654E+09'],
  ['lost digits, with text', '9.87654E+09 (home)'],
  ['a digit too few', '98450 1120'],
  ['a digit too many', 'tel: 98765432101'],
  ['a letter too many', '9876543210I'],
  ['a code of letters and digits', '9OOlO2O3l4'],
  ['a letter apart from the digits', 'l 987654321'],
  ['hidden digits', '98765xxxxx'],
  ['a part of an identifier', 'ORD9876543210'],
  ['an address for payments', '9876543210@upi'],
  ['an amount', '₹9876543210'],
  ['a landline', 'office: 020 2567 1234'],
  ['a landline first', '022 2345 6789 / 9876543210'],
  ['an extension', 'call 9876543210 ext 5'],
  ['a short second number', '9876543210, 11'],
  ['a house number first', 'House 12, 9876543210'],
  ['thousands separated', '9,876,543,210'],
  ['a number broken by a comma', '98765,43210'],
  ['a date', 'on 21/11/2026'],
  ['another country without a plus sign', 'tel: 447911123456'],
  ['a number that is only possible', 'office: +1 555 555 5555'],
  ['a long text', `${'note '.repeat(30)}9876543210`],
])('nothing is suggested for %s', (_, cell) => {
  expect(suggest(cell)).toBeUndefined()
})

test("the audience's country applies to numbers without a country code", () => {
  expect(suggest('cell: (415) 555-2671', 'US')).toEqual({ phoneNumber: '+14155552671', flaw: 'text_around' })
  expect(suggest('tel: 98765 43210', 'US')).toBeUndefined()
})

test('a suggestion has exactly the digits of the cell', () => {
  const piece = fc.constantFrom(
    '98765',
    '43210',
    '+91',
    ' ',
    '-',
    '/',
    ', ',
    'O',
    'l',
    'tel: ',
    '(home)',
    '.',
    '0',
    '7',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const cell = pieces.join('')
      const found = suggest(cell)
      if (!found) return
      const digits = cell.replaceAll(/O/g, '0').replaceAll(/l/g, '1').replaceAll(/\D/g, '')
      expect(digits).toContain(found.phoneNumber.slice(3))
      expect(readers.IN(found.phoneNumber)).toMatchObject({ phone: Number(found.phoneNumber.slice(1)) })
    }),
  )
})
