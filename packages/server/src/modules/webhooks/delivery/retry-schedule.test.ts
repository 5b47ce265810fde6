import { expect, test } from 'vitest'
import { nextWaitMs } from './retry-schedule.ts'

const waits = (random: number) =>
  Array.from({ length: 10 }, (_, index) => nextWaitMs(index + 1, { random })).map((ms) => ms && Math.round(ms / 1000))

test('ten attempts at the times of the standard, with a tenth of jitter', () => {
  expect(waits(0.5)).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400, undefined])
  expect(waits(0)[2]).toBe(1620)
  expect(waits(1)[2]).toBe(1980)
})

test('a longer wait that the endpoint asks for is obeyed, but adds no attempt', () => {
  expect(nextWaitMs(1, { random: 0.5, leastMs: 60_000 })).toBe(60_000)
  expect(nextWaitMs(3, { random: 0.5, leastMs: 60_000 })).toBe(1_800_000)
  expect(nextWaitMs(10, { random: 0.5, leastMs: 60_000 })).toBeUndefined()
})
