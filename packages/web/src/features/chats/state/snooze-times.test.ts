import { expect, test } from 'vitest'
import { timePresets } from './snooze-times.ts'

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
