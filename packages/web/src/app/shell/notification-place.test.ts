import { expect, test } from 'vitest'
import { placeOf } from './notification-place.ts'

const asked = { kind: 'topup_requested', link: { type: 'top_up', id: '0199aaaa' } } as const
const answered = { kind: 'topup_approved', link: { type: 'top_up', id: '0199aaaa' } } as const

test('a request for balance leads to where it is answered', () => {
  expect(placeOf(asked, 'reseller')).toEqual({ path: '', search: {} })
  expect(placeOf(asked, 'admin')).toEqual({ path: '', search: {} })
  expect(placeOf(asked, 'manager')).toEqual({ path: 'billing', search: { t: '2', b: '1' } })
})

test('an answer leads to one’s own requests', () => {
  expect(placeOf(answered, 'manager')).toEqual({ path: 'billing', search: { t: '2' } })
})
