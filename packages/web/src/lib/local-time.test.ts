import { expect, test } from 'vitest'
import { instantIn, localIn } from './local-time.ts'

test('a local time is an instant in its zone, also on days on which clocks change', () => {
  expect(instantIn('2025-11-03T09:00', 'Asia/Kolkata').toISOString()).toBe('2025-11-03T03:30:00.000Z')
  expect(instantIn('2025-03-30T09:00', 'Europe/Berlin').toISOString()).toBe('2025-03-30T07:00:00.000Z')
  expect(localIn(Date.parse('2025-11-03T03:30:00Z'), 'Asia/Kolkata')).toBe('2025-11-03T09:00')
})
