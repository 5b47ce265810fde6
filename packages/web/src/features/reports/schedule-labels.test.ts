import { expect, test } from 'vitest'
import { destinationInWords, whenInWords } from './schedule-labels.ts'

const daily = { frequency: 'daily', weekday: null, dayOfMonth: null, time: '09:00', timezone: 'Asia/Kolkata' } as const

test.each([
  [daily, 'Every day at 9:00 am, Asia/Kolkata'],
  [{ ...daily, time: '00:05' }, 'Every day at 12:05 am, Asia/Kolkata'],
  [
    { ...daily, frequency: 'weekly', weekday: 1, time: '18:30', timezone: 'America/New_York' },
    'Every Monday at 6:30 pm, America/New York',
  ],
  [{ ...daily, frequency: 'monthly', dayOfMonth: 5, time: '12:00' }, 'Day 5 of every month at 12:00 pm, Asia/Kolkata'],
  [{ ...daily, frequency: 'monthly', dayOfMonth: 31 }, 'Last day of every month at 9:00 am, Asia/Kolkata'],
] as const)('%j is %s', (rule, words) => {
  expect(whenInWords(rule)).toBe(words)
})

test('a destination is named shortly', () => {
  expect(destinationInWords({ type: 'email', addresses: ['a@x.test'] })).toBe('a@x.test')
  expect(destinationInWords({ type: 'email', addresses: ['a@x.test', 'b@x.test', 'c@x.test'] })).toBe(
    'a@x.test and 2 others',
  )
  expect(destinationInWords({ type: 'webhook', url: 'https://shop.test/hooks/1' })).toBe('shop.test')
})
