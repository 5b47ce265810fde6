import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextAt, soonLabel, toInstant, toWallTime } from './zoned-time.ts'

test.each([
  ['2026-11-04T10:00', 'Asia/Kolkata', '2026-11-04T04:30:00.000Z'],
  ['2026-07-01T09:15', 'America/New_York', '2026-07-01T13:15:00.000Z'],
  ['2026-12-01T09:15', 'America/New_York', '2026-12-01T14:15:00.000Z'],
])('%s in %s is %s', (wall, zone, instant) => {
  expect(toInstant(wall, zone)).toBe(instant)
})

test.each([[''], ['tomorrow'], ['2026-13-40T99:99']])('%j is no time', (wall) => {
  expect(toInstant(wall, 'Asia/Kolkata')).toBeUndefined()
})

test('an instant shown on a clock leads back to itself, in any zone without a doubled hour there', () => {
  const zones = fc.constantFrom('Asia/Kolkata', 'UTC', 'Asia/Kathmandu', 'Asia/Tokyo')
  const minutes = fc.integer({ min: 29_000_000, max: 31_000_000 })
  fc.assert(
    fc.property(zones, minutes, (zone, minute) => {
      const at = new Date(minute * 60_000).toISOString()
      expect(toInstant(toWallTime(at, zone), zone)).toBe(at)
    }),
  )
})

test('the next 10 am is today’s at 5 am and tomorrow’s at 11 am, on the zone’s own calendar', () => {
  const next = (now: string) => nextAt('10:00', 'Asia/Kolkata', new Date(now))
  expect(next('2026-11-03T23:30:00Z')).toBe('2026-11-04T04:30:00.000Z')
  expect(next('2026-11-04T05:30:00Z')).toBe('2026-11-05T04:30:00.000Z')
  expect(next('2026-11-03T20:00:00Z')).toBe('2026-11-04T04:30:00.000Z')
})

test('a time that is soon is told by its day', () => {
  const tell = (at: string) => soonLabel(at, 'Asia/Kolkata', new Date('2026-11-03T23:30:00Z'))
  expect(tell('2026-11-04T04:30:00Z')).toBe('today 10:00 am')
  expect(tell('2026-11-05T04:30:00Z')).toBe('tomorrow 10:00 am')
  expect(tell('2026-11-06T04:30:00Z')).toBe('6 Nov, 10:00 am')
})
