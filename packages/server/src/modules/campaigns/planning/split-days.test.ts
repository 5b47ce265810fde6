import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mostDays, splitOverDays, type DailyLimit, type SplitPlan } from './split-days.ts'

const at = (text: string) => new Date(`${text}:00+05:30`)
type Given = SplitPlan & DailyLimit
const plan: Given = {
  people: 12_480,
  left: 7900,
  limit: 10_000,
  ratePerSecond: 80,
  window: undefined,
  beginsAt: at('2026-11-20T12:00'),
}
const hours = { start: '10:00', end: '21:00', timezone: 'Asia/Kolkata' }
const split = ({ left, limit, ...rest }: Given) => splitOverDays({ left, limit }, rest)
const shown = (more: Partial<Given>) => split({ ...plan, ...more }).map(({ lo, hi, beginsAt }) => [lo, hi, beginsAt])

test.each<[string, Partial<Given>, [number, number, Date][]]>([
  [
    'who is left for today first, the others a day later',
    {},
    [
      [0, 7900, at('2026-11-20T12:00')],
      [7900, 12_480, at('2026-11-21T12:00')],
    ],
  ],
  ['no wait where the limit suffices', { left: 20_000 }, []],
  ['no wait for a limit of zero', { left: 0, limit: 0 }, []],
  [
    'nobody before the limit is free again',
    { left: 0, people: 15_000 },
    [
      [0, 10_000, at('2026-11-21T12:00')],
      [10_000, 15_000, at('2026-11-22T12:00')],
    ],
  ],
  [
    'a part that closed hours hold up holds up the next',
    { window: hours, beginsAt: at('2026-11-20T20:59'), people: 20_000, left: 10_000 },
    [
      [0, 10_000, at('2026-11-20T20:59')],
      [10_000, 20_000, at('2026-11-22T10:00')],
    ],
  ],
])('%s', (_, more, expected) => {
  expect(shown(more)).toEqual(expected)
})

test('no recipient is skipped or messaged twice, and a limit holds in every 24 hours', () => {
  fc.assert(
    fc.property(
      fc.record({
        people: fc.integer({ min: 401, max: 3000 }),
        left: fc.integer({ min: -5, max: 400 }),
        limit: fc.integer({ min: 250, max: 400 }),
        ratePerSecond: fc.constantFrom(0.005, 0.02, 80),
        window: fc.constantFrom(undefined, hours),
        beginsAt: fc.integer({ min: 0, max: 1440 }).map((minute) => new Date(Date.UTC(2026, 10, 20, 0, minute))),
      }),
      (input) => {
        const days = split(input)
        expect(days[0]?.lo).toBe(0)
        expect(days.at(-1)?.hi).toBe(input.people)
        expect(days.length).toBeLessThanOrEqual(mostDays)
        for (const [index, day] of days.entries()) {
          const before = days[index - 1]
          if (!before) continue
          expect(day.lo).toBe(before.hi)
          const held = before.endsAt.getTime() - ((before.hi - before.lo) / input.ratePerSecond) * 1000
          const from = Math.max(before.beginsAt.getTime(), held)
          expect(day.beginsAt.getTime()).toBeGreaterThanOrEqual(Math.floor(from) + 24 * 3_600_000)
          expect(day.hi - day.lo).toBeLessThanOrEqual(input.limit)
        }
      },
    ),
  )
})

test('an audience far beyond the limit ends in one part that is too large', () => {
  const days = split({ ...plan, people: 1_000_000, left: 250, limit: 250 })
  expect(days).toHaveLength(mostDays + 1)
  expect(days.at(-1)?.hi).toBe(1_000_000)
})
