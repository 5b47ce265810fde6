import { expect, test } from 'vitest'
import { healthOfHours } from './account-hours.ts'

const hour = (at: string, submitted = 0, failed = 0) => ({
  at,
  submitted,
  sent: 0,
  delivered: submitted - failed,
  failed,
  unconfirmed: 0,
})

test('an hour is good, worth a look or bad by the share that failed, and a gap without traffic', () => {
  const health = healthOfHours([
    hour('2026-03-02T06:30:00Z', 100, 2),
    hour('2026-03-02T07:30:00Z'),
    hour('2026-03-02T08:30:00Z', 100, 12),
    hour('2026-03-02T09:30:00Z', 1000, 400),
  ])
  expect(health.bars.map(({ tone }) => tone)).toEqual(['good', 'none', 'care', 'bad'])
  expect(health.bars.map(({ title }) => title.replace(/^.*?m: /, ''))).toEqual([
    '100 accepted, 98 delivered, 2 failed',
    'no traffic',
    '100 accepted, 88 delivered, 12 failed',
    '1,000 accepted, 600 delivered, 400 failed',
  ])
  expect(health).toMatchObject({ accepted: 1200, delivered: 0.655, failed: 0.345 })
  expect(health.summary).toBe(
    '1,200 accepted in 24 hours, 65.5% delivered, 34.5% failed; 2 hours with more than 5.0% failed',
  )
})

test('an account without traffic has no shares', () => {
  expect(healthOfHours([hour('2026-03-02T06:30:00Z')])).toMatchObject({
    accepted: 0,
    delivered: undefined,
    summary: 'no traffic in 24 hours',
  })
})
