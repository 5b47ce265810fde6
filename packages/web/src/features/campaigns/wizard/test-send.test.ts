import { expect, test } from 'vitest'
import { asE164 } from './test-send.tsx'

test.each([
  ['99001 40016', '+919900140016'],
  ['09900140016', '+919900140016'],
  ['919900140016', '+919900140016'],
  ['+971 50 123 4567', '+971501234567'],
  ['12345', undefined],
  ['+0123', undefined],
  ['022 4123 9900', undefined],
])('%s is %s', (typed, phoneNumber) => {
  expect(asE164(typed)).toBe(phoneNumber)
})
