import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lastRun, nextRun, nextRuns, type RunRule } from './run-times.ts'

const daily = (time: string, timezone: string): RunRule => ({
  frequency: 'daily',
  weekday: null,
  dayOfMonth: null,
  time,
  timezone,
})
const monthly = (dayOfMonth: number, timezone: string): RunRule => ({
  ...daily('09:00', timezone),
  frequency: 'monthly',
  dayOfMonth,
})
const weekly = (weekday: number, timezone: string): RunRule => ({
  ...daily('09:00', timezone),
  frequency: 'weekly',
  weekday,
})
const runsOf = (rule: RunRule, after: string, count = 3) =>
  nextRuns(rule, new Date(after), count).map((at) => at.toISOString().slice(0, 16))

test.each([
  // Clocks go from 02:00 to 03:00 on 29 March.
  ['Europe/Berlin', '02:30', '2026-03-27T12:00Z', ['2026-03-28T01:30', '2026-03-29T01:00', '2026-03-30T00:30']],
  // 02:30 occurs twice on 25 October.
  ['Europe/Berlin', '02:30', '2026-10-23T12:00Z', ['2026-10-24T00:30', '2026-10-25T00:30', '2026-10-26T01:30']],
  ['America/New_York', '02:30', '2026-03-06T12:00Z', ['2026-03-07T07:30', '2026-03-08T07:00', '2026-03-09T06:30']],
  ['America/New_York', '01:30', '2026-10-30T12:00Z', ['2026-10-31T05:30', '2026-11-01T05:30', '2026-11-02T06:30']],
  ['Asia/Kolkata', '09:00', '2026-11-27T03:30Z', ['2026-11-28T03:30', '2026-11-29T03:30', '2026-11-30T03:30']],
  // Midnight does not exist on 6 September.
  ['America/Santiago', '00:00', '2026-09-05T12:00Z', ['2026-09-06T04:00', '2026-09-07T03:00', '2026-09-08T03:00']],
])('in %s, a daily run at %s follows daylight saving', (timezone, time, after, runs) => {
  expect(runsOf(daily(time, timezone), after)).toEqual(runs)
})

test('a monthly run on the 31st runs on the last day of shorter months', () => {
  expect(runsOf(monthly(31, 'Asia/Kolkata'), '2027-12-31T12:00Z', 4)).toEqual([
    '2028-01-31T03:30',
    '2028-02-29T03:30',
    '2028-03-31T03:30',
    '2028-04-30T03:30',
  ])
})

test('a weekly run is on its day in the time zone of the rule', () => {
  // 09:00 on Monday in Auckland is Sunday in UTC.
  expect(runsOf(weekly(1, 'Pacific/Auckland'), '2026-11-27T00:00Z', 2)).toEqual([
    '2026-11-29T20:00',
    '2026-12-06T20:00',
  ])
})

test('the last run at an instant is that instant, if it is one', () => {
  const rule = daily('09:00', 'Asia/Kolkata')
  expect(lastRun(rule, new Date('2026-11-27T03:30Z'))).toEqual(new Date('2026-11-27T03:30Z'))
  expect(lastRun(rule, new Date('2026-11-27T03:29:59Z'))).toEqual(new Date('2026-11-26T03:30Z'))
})

test('runs have a time of their own: the last one before the next run is the one that it follows', () => {
  const rule = fc.record<RunRule>({
    frequency: fc.constantFrom('daily', 'weekly', 'monthly'),
    weekday: fc.integer({ min: 1, max: 7 }),
    dayOfMonth: fc.integer({ min: 1, max: 31 }),
    time: fc.tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 })).map(([hour, minute]) => {
      const pad = (value: number) => String(value).padStart(2, '0')
      return `${pad(hour)}:${pad(minute)}`
    }),
    timezone: fc.constantFrom(
      'UTC',
      'Asia/Kolkata',
      'Europe/Berlin',
      'America/New_York',
      'Australia/Lord_Howe',
      'America/Santiago',
    ),
  })
  const at = fc.integer({ min: 29_000_000, max: 31_000_000 }).map((minute) => new Date(minute * 60_000))
  fc.assert(
    fc.property(rule, at, (one, after) => {
      const next = nextRun(one, after)
      expect(next.getTime()).toBeGreaterThan(after.getTime())
      expect(lastRun(one, next)).toEqual(next)
      expect(lastRun(one, after).getTime()).toBeLessThanOrEqual(after.getTime())
      expect(nextRun(one, lastRun(one, after))).toEqual(next)
    }),
    { seed: 14, numRuns: 300 },
  )
})
