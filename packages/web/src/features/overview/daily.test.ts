import { expect, test } from 'vitest'
import { daysOf, findingOf, readable, readByDay, runwayDays, sumsOf } from './daily.ts'

const entry = (day: string, submitted: number, channel: 'sms' | 'rcs' = 'sms') => ({
  day,
  channel,
  submitted,
  sent: 0,
  delivered: submitted,
  failed: 0,
  unconfirmed: 0,
  read: 0,
  cost: submitted / 8,
})
const daily = [entry('2025-11-01', 100), entry('2025-11-03', 40), entry('2025-11-03', 5, 'rcs')]

test('days without messages stand between the others with nothing', () => {
  const days = daysOf(daily, { days: 4, now: new Date('2025-11-04T08:00:00Z') })
  expect(days.map(({ day, byChannel }) => [day, byChannel.get('sms') ?? 0, byChannel.get('rcs') ?? 0])).toEqual([
    ['2025-11-01', 100, 0],
    ['2025-11-02', 0, 0],
    ['2025-11-03', 40, 5],
    ['2025-11-04', 0, 0],
  ])
})

test('shortly after midnight in India it is the new day, whatever it is in Greenwich', () => {
  const days = daysOf(daily, { days: 2, now: new Date('2025-11-02T19:00:00Z') })
  expect(days.map(({ day, byChannel }) => [day, byChannel.get('sms') ?? 0])).toEqual([
    ['2025-11-02', 0],
    ['2025-11-03', 40],
  ])
})

test('channels of a day are added up, days stand in order', () => {
  expect(sumsOf(daily.toReversed(), 'submitted')).toEqual([100, 45])
})

test('the finding is the busiest day, and none when nothing was sent', () => {
  const days = daysOf(daily, { days: 4, now: new Date('2025-11-04T08:00:00Z') })
  expect(findingOf(days)).toEqual({ day: '2025-11-01', count: 100 })
  expect(findingOf(daysOf([], { days: 4 }))).toBeUndefined()
})

test('the runway counts whole days at the pace of the range', () => {
  expect(runwayDays({ balance: 1000, spent: 700, days: 7 })).toBe(10)
  expect(runwayDays({ balance: 1000, spent: 0, days: 7 })).toBeUndefined()
})

test('SMS, which has no read receipts, does not count in the share that was read', () => {
  const counts = { submitted: 10, sent: 0, delivered: 4, read: 6, failed: 0, unconfirmed: 0 }
  const whole = { ...counts, pending: 0, replied: 0, optedOut: 0, cost: 1 }
  expect(readable({ sms: whole })).toBeUndefined()
  expect(readable({ sms: whole, whatsapp: whole, rcs: { ...whole, submitted: 0 } })).toEqual(counts)
  const read = { ...entry('2025-11-02', 10, 'rcs'), read: 6 }
  expect(readByDay([...daily, read])).toEqual([0.6, 0])
})
