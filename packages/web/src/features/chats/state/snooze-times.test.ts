import { expect, test } from 'vitest'
import { instantIn, localIn, timePresets } from './snooze-times.ts'

test('a local time is an instant in its zone, also on days on which clocks change', () => {
  expect(instantIn('2025-11-03T09:00', 'Asia/Kolkata').toISOString()).toBe('2025-11-03T03:30:00.000Z')
  expect(instantIn('2025-03-30T09:00', 'Europe/Berlin').toISOString()).toBe('2025-03-30T07:00:00.000Z')
  expect(localIn(Date.parse('2025-11-03T03:30:00Z'), 'Asia/Kolkata')).toBe('2025-11-03T09:00')
})

test('times that have passed are not offered', () => {
  const labels = (at: string) => timePresets(Date.parse(at), 'Asia/Kolkata').map(({ label }) => label)
  expect(labels('2025-11-05T06:00:00Z')).toEqual([
    'In 1 hour',
    'In 3 hours',
    'This evening, 6:00 pm',
    'Tomorrow, 9:00 am',
    'Monday, 9:00 am',
  ])
  expect(labels('2025-11-05T14:00:00Z')).not.toContain('This evening, 6:00 pm')
  // On a Sunday, tomorrow is Monday.
  expect(labels('2025-11-09T06:00:00Z')).not.toContain('Monday, 9:00 am')
})
