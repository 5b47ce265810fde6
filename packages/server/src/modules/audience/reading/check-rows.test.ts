import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRowChecker } from './check-rows.ts'
import { createPhoneSet } from './phone-set.ts'

test('every row gets exactly one of three results', () => {
  const check = createRowChecker({
    phoneColumn: 0,
    defaultCountry: 'IN',
    acceptsLandlines: false,
    width: 2,
  })
  const rows = [['9876543210', ' Asha '], ['+91 98765 43210', 'Again'], ['x', ''], ['9876543212', ''], []]
  expect(rows.map((row, index) => check(row, index + 2))).toEqual([
    { kind: 'accepted', phone: 919876543210, country: 'IN', values: ['9876543210', 'Asha'] },
    { kind: 'duplicate', phone: 919876543210, firstRow: 2, value: '+91 98765 43210' },
    { kind: 'invalid', reason: 'not_a_number', value: 'x' },
    { kind: 'accepted', phone: 919876543212, country: 'IN', values: ['9876543212', ''] },
    { kind: 'invalid', reason: 'empty', value: '' },
  ])
})

test("values are truncated and padded to the header's width", () => {
  const check = createRowChecker({
    phoneColumn: 0,
    defaultCountry: 'IN',
    acceptsLandlines: false,
    width: 3,
  })
  expect(check(['9876543210', 'x'.repeat(5000)], 2)).toMatchObject({ values: ['9876543210', 'x'.repeat(200), ''] })
  expect(check(['9876543212', `${'x'.repeat(199)}😀`], 2)).toMatchObject({
    values: ['9876543212', 'x'.repeat(199), ''],
  })
  expect(check(['9876543211', 'a', 'b', 'beyond'], 3)).toMatchObject({ values: ['9876543211', 'a', 'b'] })
})

test('the apostrophe of disarmed formulas is removed', () => {
  const check = createRowChecker({
    phoneColumn: 0,
    defaultCountry: 'IN',
    acceptsLandlines: false,
    width: 2,
  })
  expect(check(["'+919876543210", "'=1+1"], 1)).toEqual({
    kind: 'accepted',
    phone: 919876543210,
    country: 'IN',
    values: ['+919876543210', '=1+1'],
  })
})

test('the set behaves like a map, also while it grows and on hash collisions', () => {
  const phone = fc.oneof(
    fc.integer({ min: 1, max: 40 }),
    fc.integer({ min: 1, max: 2 ** 49 }).map((value) => value * 4),
  )
  fc.assert(
    fc.property(fc.array(phone, { maxLength: 400 }), (phones) => {
      const set = createPhoneSet(1)
      const map = new Map<number, number>()
      for (const [index, value] of phones.entries()) {
        expect(set.remember(value, index + 1)).toBe(map.get(value) ?? 0)
        if (!map.has(value)) map.set(value, index + 1)
      }
      expect(set.size()).toBe(map.size)
    }),
  )
})

test.each([
  ['020 2567 1234', 'landline'],
  ['1800 123 4567', 'service_number'],
  ['+44 20 7946 0958', 'landline'],
])('%s cannot receive SMS: %s; over WhatsApp it is accepted', (text, reason) => {
  const options = { phoneColumn: 0, defaultCountry: 'IN', width: 1 }
  expect(createRowChecker({ ...options, acceptsLandlines: false })([text], 1)).toEqual({
    kind: 'invalid',
    reason,
    value: text,
  })
  expect(createRowChecker({ ...options, acceptsLandlines: true })([text], 1)).toMatchObject({ kind: 'accepted' })
})
