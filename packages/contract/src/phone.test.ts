import { expect, test } from 'vitest'
import { formatPhone, isE164 } from './phone.ts'

test.each([
  [919876543210, '+91 98765 43210'],
  ['+919876543210', '+91 98765 43210'],
  [14155552671, '+1 415 555 2671'],
  [447911123456, '+44 791 112 3456'],
  [971501234567, '+971 501 234 567'],
  [8801712345678, '+880 171 234 5678'],
])('%s is shown as %s', (phone, shown) => {
  expect(formatPhone(phone)).toBe(shown)
})

test.each([
  ['+919876543210', true],
  ['919876543210', false],
  ['+0919876543', false],
  ['+91 98765 43210', false],
  ['+1234567890123456', false],
  ['+91987654321\n', false],
])('%j is E.164: %s', (text, expected) => {
  expect(isE164(text)).toBe(expected)
})
