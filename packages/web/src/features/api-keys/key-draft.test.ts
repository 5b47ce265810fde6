import { expect, test } from 'vitest'
import { endOfDay, inputOf, linesOf, listError, newDraft } from './key-draft.ts'

test.each([
  ['Asia/Kolkata', '2026-11-30T18:29:59.000Z'],
  ['UTC', '2026-11-30T23:59:59.000Z'],
  ['Asia/Kathmandu', '2026-11-30T18:14:59.000Z'],
  ['Pacific/Kiritimati', '2026-11-30T09:59:59.000Z'],
  ['Pacific/Pago_Pago', '2026-12-01T10:59:59.000Z'],
])('a key expires at the end of the day in %s', (zone, instant) => {
  expect(endOfDay('2026-11-30', zone)).toBe(instant)
})

test('addresses are separated by lines, spaces and commas', () => {
  expect(linesOf(' 203.0.113.7,\n2001:db8::/48  198.51.100.0/24\n')).toEqual([
    '203.0.113.7',
    '2001:db8::/48',
    '198.51.100.0/24',
  ])
})

test('the body of a key has the days until its expiry, or nothing if that stays', () => {
  const draft = { ...newDraft(['balance:read']), name: ' Shop ' }
  expect(inputOf(draft)).toEqual({
    name: 'Shop',
    scopes: ['balance:read'],
    keyConfigId: null,
    ipAllowlist: [],
    expiresAt: null,
  })
  const now = Date.parse('2026-11-01T00:00:00Z')
  expect(inputOf({ ...draft, expiry: '30' }, now).expiresAt).toBe('2026-12-01T00:00:00.000Z')
  expect(inputOf({ ...draft, expiry: 'kept' }, now)).not.toHaveProperty('expiresAt')
})

test('an error of a list names the entry', () => {
  expect(listError({ 'ipAllowlist.1': 'Enter an address' }, 'ipAllowlist', ['203.0.113.7', 'home'])).toBe(
    'home: Enter an address',
  )
  expect(listError({ name: 'Enter a name' }, 'ipAllowlist', [])).toBeUndefined()
})
