import { expect, test } from 'vitest'
import { daysOf, endsToday, findingOf, summaryOf } from './report-days.ts'

const daily = [
  { day: '2026-11-19', submitted: 100, delivered: 90, failed: 10 },
  { day: '2026-11-21', submitted: 300, delivered: 270, failed: 3 },
]
const days = daysOf({ from: '2026-11-18', to: '2026-11-21', daily })

test('days without messages are zeros', () => {
  expect(days.map(({ day, submitted }) => [day, submitted])).toEqual([
    ['2026-11-18', 0],
    ['2026-11-19', 100],
    ['2026-11-20', 0],
    ['2026-11-21', 300],
  ])
})

test('the title states the peak', () => {
  expect(findingOf(days)).toBe('Peak: 300 on 21 Nov')
  expect(findingOf(daysOf({ from: '2026-11-18', to: '2026-11-18', daily: [] }))).toBe('No messages')
})

test('the chart in a sentence', () => {
  expect(summaryOf(days)).toBe(
    '400 messages, 18 Nov – 21 Nov 2026: 90.0% delivered, 3.3% failed. The peak was 300 on 21 Nov.',
  )
  expect(summaryOf(daysOf({ from: '2026-11-18', to: '2026-11-18', daily: [] }))).toBe('No messages, 18 Nov 2026')
})

test('a report until today is not complete, by its own time zone', () => {
  const now = Date.parse('2026-11-20T20:00:00Z')
  expect(endsToday({ to: '2026-11-21', timezone: 'Asia/Kolkata' }, now)).toBe(true)
  expect(endsToday({ to: '2026-11-20', timezone: 'Asia/Kolkata' }, now)).toBe(false)
  expect(endsToday({ to: '2026-11-20', timezone: 'UTC' }, now)).toBe(true)
})
