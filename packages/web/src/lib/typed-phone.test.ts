import { expect, test } from 'vitest'
import { typedPhone } from './typed-phone.ts'

test.each([
  ['98765 43210', '+919876543210'],
  ['098765-43210', '+919876543210'],
  ['+91 98765 43210', '+919876543210'],
  ['0044 20 7946 0958', '+442079460958'],
  ['12345', '12345'],
  ['  ', ''],
])('%s is kept as %s', (typed, kept) => {
  expect(typedPhone(typed)).toBe(kept)
})
