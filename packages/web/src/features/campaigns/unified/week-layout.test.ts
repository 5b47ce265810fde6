import type { PlannedCampaign } from '@carillon/contract/unified-campaigns'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { daysBetween } from '../../../lib/days.ts'
import { closedForAll, closedSpans, endsOfDays, laneOf, movedWeek, spanOfDays, weekOf } from './week-layout.ts'

const zone = 'Asia/Kolkata'
const range = weekOf('2026-11-25')
const span = spanOfDays(range, zone)
const campaign = (more: Partial<PlannedCampaign> = {}): PlannedCampaign => ({
  _id: '1',
  campaignName: 'Diwali',
  status: 'completed',
  channels: ['sms'],
  people: 3,
  beginsAt: '2026-11-24T18:30:00Z',
  endsAt: '2026-11-25T18:30:00Z',
  ...more,
})

test('a week is from Monday to Sunday of the zone', () => {
  expect(range).toEqual({ from: '2026-11-23', to: '2026-11-29' })
  expect(weekOf('2026-11-29')).toEqual(range)
  expect(movedWeek(range, -1)).toEqual({ from: '2026-11-16', to: '2026-11-22' })
  expect(new Date(span.from).toISOString()).toBe('2026-11-22T18:30:00.000Z')
})

const dayEnds = endsOfDays(daysBetween(range), zone)

test('a bar has the place of its time in the week, and at least the given width', () => {
  const week = { span, dayEnds, now: Date.parse('2026-11-26T00:00:00Z'), narrowest: 0.1 }
  const [day] = laneOf([campaign()], 'sms', week)
  expect(day?.left).toBeCloseTo(2 / 7)
  expect(day?.width).toBeCloseTo(1 / 7)
  const later = campaign({ status: 'scheduled', beginsAt: '2026-11-29T18:29:00Z', endsAt: null })
  expect(laneOf([later], 'sms', week)).toMatchObject([{ width: 0.1, sent: { width: 0 }, left: 0.9 }])
  expect(laneOf([campaign()], 'rcs', week)).toEqual([])
})

test('a widened bar stays in the day in which its campaign ends', () => {
  const at = (time: string) => `2026-11-25T${time}:00+05:30`
  const barOf = (beginsAt: string, endsAt: string, narrowest = 0.1) => {
    const [bar] = laneOf([campaign({ beginsAt, endsAt })], 'sms', { span, dayEnds, now: span.to, narrowest })
    return { left: (bar?.left ?? 0) * 7, right: ((bar?.left ?? 0) + (bar?.width ?? 0)) * 7 }
  }
  // Wednesday is from 2 to 3.
  expect(barOf(at('06:00'), at('06:30')).left).toBeCloseTo(2.25)
  for (const [begin, end] of [
    ['22:00', '23:30'],
    ['23:59', '23:59'],
  ] as const)
    expect(barOf(at(begin), at(end)).right).toBeCloseTo(3)
  expect(barOf(at('22:00'), '2026-11-26T00:00:00+05:30').right).toBeCloseTo(3)
  expect(barOf('2026-11-26T00:00:00+05:30', '2026-11-26T00:00:00+05:30').left).toBeCloseTo(3)
  // Where a day is too narrow for the text, the bar is as wide as the day.
  const wide = barOf(at('22:00'), at('23:30'), 0.2)
  expect([wide.left, wide.right]).toEqual([expect.closeTo(2), expect.closeTo(3)])
  // Over midnight it keeps its time.
  const night = barOf(at('20:00'), '2026-11-26T03:00:00+05:30')
  expect([night.left, night.right]).toEqual([expect.closeTo(2 + 20 / 24), expect.closeTo(2 + 20 / 24 + 0.7)])
})

test('bars of a row never overlap', () => {
  const instant = fc.integer({ min: span.from - 86_400_000, max: span.to })
  fc.assert(
    fc.property(fc.array(fc.tuple(instant, fc.integer({ min: 0, max: 3e8 })), { maxLength: 20 }), (times) => {
      const campaigns = times.map(([from, length]) =>
        campaign({ beginsAt: new Date(from).toISOString(), endsAt: new Date(from + length).toISOString() }),
      )
      const bars = laneOf(campaigns, 'sms', { span, dayEnds, now: span.to, narrowest: 0.08 })
      for (const row of Map.groupBy(bars, (bar) => bar.row).values())
        row.forEach((bar, index) => {
          const before = row[index - 1]
          if (before) expect(before.left + before.width).toBeLessThanOrEqual(bar.left)
          expect(bar.left + bar.width).toBeLessThanOrEqual(1 + 1e-9)
        })
    }),
  )
})

test('a lane is closed when none of its campaigns is sent', () => {
  const day = { from: Date.parse('2026-11-24T00:00Z'), to: Date.parse('2026-11-24T12:00Z') }
  const window = (start: string, end: string) => ({ start, end, timezone: 'Etc/UTC' })
  const closed = closedForAll([window('02:00', '04:00'), window('03:00', '08:00')], day)
  expect(closed.map(({ from, to }) => [(from - day.from) / 3_600_000, (to - day.from) / 3_600_000])).toEqual([
    [0, 2],
    [8, 12],
  ])
  expect(closedForAll([window('02:00', '04:00'), undefined], day)).toEqual([])
})

test('times outside the sending hours are found, also of hours over midnight', () => {
  const of = (window: { start: string; end: string }, from: string, to: string) =>
    closedSpans({ ...window, timezone: zone }, { from: Date.parse(from), to: Date.parse(to) }).map((closed) => [
      new Date(closed.from).toISOString().slice(0, 16),
      new Date(closed.to).toISOString().slice(0, 16),
    ])
  const hours = { start: '10:00', end: '20:00' }
  expect(of(hours, '2026-11-24T06:00:00Z', '2026-11-25T06:00:00Z')).toEqual([['2026-11-24T14:30', '2026-11-25T04:30']])
  expect(of(hours, '2026-11-24T06:00:00Z', '2026-11-24T07:00:00Z')).toEqual([])
  expect(of({ start: '20:00', end: '06:00' }, '2026-11-24T00:00:00Z', '2026-11-24T15:00:00Z')).toEqual([
    ['2026-11-24T00:30', '2026-11-24T14:30'],
  ])
})
