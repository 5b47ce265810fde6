import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addSendingTime, formatHours, isEverOpen, isOpen, isWithinHours, nextOpen, windowFor } from './send-window.ts'

const promotionalWindow = { start: '10:00', end: '21:00', timezone: 'Asia/Kolkata' }

const ist = (time: string, day = 5) => new Date(`2026-01-${String(day).padStart(2, '0')}T${time}:00+05:30`)

test.each([
  ['before the hours', ist('08:50'), ist('10:00')],
  ['when they begin', ist('10:00'), ist('10:00')],
  ['inside', ist('15:20'), ist('15:20')],
  ['when they end', ist('21:00'), ist('10:00', 6)],
  ['at night', ist('23:30'), ist('10:00', 6)],
])('promotional messages %s', (_, at, opens) => {
  expect(nextOpen(promotionalWindow, at)).toEqual(opens)
})

test.each([
  ['fits into the day', ist('10:00'), 3600, ist('11:00')],
  ['rests over night', ist('20:00'), 2 * 3600, ist('11:00', 6)],
  ['rests over two nights', ist('20:00'), 13 * 3600, ist('11:00', 7)],
  ['begins with the next day', ist('22:00'), 60, new Date(ist('10:01', 6))],
  ['ends to the minute', ist('20:00'), 3600, ist('21:00')],
])('a send that %s', (_, begin, seconds, ends) => {
  expect(addSendingTime(promotionalWindow, begin, seconds)).toEqual(ends)
})

test('without hours nothing waits', () => {
  expect(nextOpen(undefined, ist('03:00'))).toEqual(ist('03:00'))
  expect(addSendingTime(undefined, ist('03:00'), 60)).toEqual(ist('03:01'))
})

test('hours may span midnight', () => {
  const night = { start: '22:00', end: '06:00', timezone: 'Asia/Kolkata' }
  expect(isOpen(night, ist('23:00'))).toBe(true)
  expect(isOpen(night, ist('05:59'))).toBe(true)
  expect(nextOpen(night, ist('12:00'))).toEqual(ist('22:00'))
})

test("chosen hours replace the operators', and may be inside them or not", () => {
  expect(windowFor(promotionalWindow, undefined)).toEqual(promotionalWindow)
  expect(windowFor(undefined, undefined)).toBeUndefined()
  const chosen = { start: '12:00', end: '14:00', timezone: 'Asia/Kolkata' }
  expect(windowFor(promotionalWindow, chosen)).toEqual(chosen)
  expect(isWithinHours(chosen, promotionalWindow)).toBe(true)
  expect(isWithinHours({ ...chosen, end: '21:30' }, promotionalWindow)).toBe(false)
})

test('with several time zones the hours are open while they are in all of them', () => {
  const coasts = {
    start: '10:00',
    end: '18:00',
    timezone: 'UTC',
    timezones: ['America/New_York', 'America/Los_Angeles'],
  }
  const newYork = (time: string) => new Date(`2026-01-05T${time}:00-05:00`)
  expect(isOpen(coasts, newYork('11:00'))).toBe(false)
  expect(nextOpen(coasts, newYork('11:00'))).toEqual(newYork('13:00'))
  expect(nextOpen(coasts, newYork('18:30'))).toEqual(new Date('2026-01-06T13:00:00-05:00'))
  expect(addSendingTime(coasts, newYork('17:00'), 7200)).toEqual(new Date('2026-01-06T14:00:00-05:00'))
  expect(isEverOpen({ ...coasts, end: '13:00' }, newYork('11:00'))).toBe(false)
})

test('whatever the hours, a send begins inside them and never ends before it began', () => {
  const time = fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
    .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`)
  const zone = fc.constantFrom('Asia/Kolkata', 'UTC', 'Asia/Kathmandu', 'America/Sao_Paulo')
  const instant = fc.date({ min: new Date('2026-01-01'), max: new Date('2026-12-31'), noInvalidDate: true })
  fc.assert(
    fc.property(
      time,
      time,
      zone,
      instant,
      fc.integer({ min: 0, max: 200_000 }),
      (...[start, end, timezone, at, seconds]) => {
        const window = { start, end, timezone }
        const begins = nextOpen(window, at)
        expect(isOpen(window, begins)).toBe(true)
        expect(begins.getTime()).toBeGreaterThanOrEqual(at.getTime())
        expect(begins.getTime() - at.getTime()).toBeLessThanOrEqual(24 * 3_600_000)
        expect(addSendingTime(window, begins, seconds).getTime()).toBeGreaterThanOrEqual(
          begins.getTime() + seconds * 1000,
        )
      },
    ),
  )
})

test.each([
  { window: promotionalWindow, words: '10:00 am and 9:00 pm, India time' },
  {
    window: { start: '00:00', end: '12:30', timezone: 'America/New_York' },
    words: '12:00 am and 12:30 pm, time of America/New York',
  },
])('people read its hours as $words', ({ window, words }) => {
  expect(formatHours(window)).toBe(words)
})
