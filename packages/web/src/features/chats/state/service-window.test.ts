import { expect, test } from 'vitest'
import { formatLeft, formatLeftInProse, windowOf } from './service-window.ts'

const now = Date.parse('2025-11-03T08:00:00Z')
const minutes = (count: number) => new Date(now + count * 60_000).toISOString()

test.each([
  ['whatsapp', minutes(24 * 60), 'open'],
  ['whatsapp', minutes(120), 'open'],
  ['whatsapp', minutes(119), 'soon'],
  ['whatsapp', minutes(15), 'soon'],
  ['whatsapp', minutes(14), 'urgent'],
  ['whatsapp', minutes(0), 'closed'],
  ['whatsapp', minutes(-5), 'closed'],
  ['whatsapp', undefined, 'closed'],
  ['sms', undefined, 'none'],
  ['rcs', minutes(60), 'none'],
] as const)('the window of %s that ends at %s is %s', (...[channel, end, level]) => {
  expect(windowOf({ channel, ...(end ? { windowExpiresAt: end } : {}) }, now).level).toBe(level)
})

test('the share is of 24 hours, at most all of them', () => {
  const shareOf = (count: number) => windowOf({ channel: 'whatsapp', windowExpiresAt: minutes(count) }, now).share
  expect([shareOf(12 * 60), shareOf(30 * 60), shareOf(-1)]).toEqual([0.5, 1, 0])
})

test.each([
  [0.5, '< 1 m', 'less than a minute'],
  [41, '41 m', '41 min'],
  [68, '1 h 08 m', '1 h 8 min'],
  [120, '2 h 00 m', '2 h'],
])('%s minutes are %s', (...[count, short, long]) => {
  expect([formatLeft(count * 60_000), formatLeftInProse(count * 60_000)]).toEqual([short, long])
})
