import { expect, test } from 'vitest'
import { healthDays, healthOf } from './channel-health.ts'

const day = (on: string, failed: number, channel: 'sms' | 'whatsapp' = 'sms') => ({
  day: on,
  channel,
  submitted: 100,
  sent: 0,
  delivered: 100 - failed,
  failed,
  unconfirmed: 0,
  read: 0,
  cost: 12.5,
})
const now = new Date('2025-11-04T08:00:00Z')

test('a day is good, worth a look or bad by the share that failed, and empty without messages', () => {
  const daily = [day('2025-11-01', 2), day('2025-11-02', 12), day('2025-11-03', 40), day('2025-11-04', 90, 'whatsapp')]
  const health = healthOf(daily, { channel: 'sms', now })
  expect(health.days).toHaveLength(healthDays)
  expect(health.days.slice(-4).map(({ tone }) => tone)).toEqual(['good', 'care', 'bad', 'none'])
  expect(health.days.at(-3)?.title).toBe('2 Nov: 100 sent, 12.0% failed')
  expect(health).toMatchObject({ sent: 300, delivered: 0.82, failed: 0.18 })
  expect(health.summary).toBe('300 sent in 30 days; 2 days with more than 5.0% failed')
})

test('a channel that sent nothing has no shares', () => {
  expect(healthOf([], { channel: 'whatsapp', now })).toMatchObject({
    sent: 0,
    delivered: undefined,
    failed: undefined,
    summary: '0 sent in 30 days; no day with more than 5.0% failed',
  })
})
