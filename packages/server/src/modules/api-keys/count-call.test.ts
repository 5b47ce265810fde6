import { KeyConfigPayload } from '@carillon/contract/key-config-records'
import { expect, test } from 'vitest'
import type { Bucket } from './api-keys.ts'
import { rateOf, takeCall, type CallRate } from './count-call.ts'

/** Makes calls at these times, in milliseconds; returns which of them were allowed. */
function callAt(times: readonly number[], rate: CallRate) {
  let bucket: Bucket = { level: rate.burst, at: 0 }
  return times.map((at) => {
    const taken = takeCall(bucket, rate, at)
    bucket = taken.bucket
    return taken.allowance
  })
}

test('a burst is allowed at once, then as many calls as the rate has', () => {
  const times = [0, 0, 0, 0, 400, 500, 900, 1000, 10_000, 10_000, 10_000, 10_000]
  const allowed = callAt(times, { perSecond: 2, burst: 3 }).map(({ retryAfter }) => retryAfter === undefined)
  expect(allowed).toEqual([true, true, true, false, false, true, false, true, true, true, true, false])
})

test('the quota, its window and what is left are reported', () => {
  const [first, second, third] = callAt([0, 0, 0], { perSecond: 2, burst: 2 })
  expect(first).toEqual({ quota: 2, windowSeconds: 1, remaining: 1, resetSeconds: 1, retryAfter: undefined })
  expect(second).toMatchObject({ remaining: 0, resetSeconds: 1, retryAfter: undefined })
  expect(third).toMatchObject({ remaining: 0, retryAfter: 1 })
})

test('a slow key is told to wait for the next call', () => {
  expect(callAt([0, 100], { perSecond: 1, burst: 1 })[1]).toMatchObject({ retryAfter: 1, windowSeconds: 1 })
})

test('a clock that runs backwards gives nothing away', () => {
  const { bucket } = takeCall({ level: 0, at: 1000 }, { perSecond: 10, burst: 10 }, 0)
  expect(bucket.level).toBe(0)
})

test.each([
  [{}, { perSecond: 1000, burst: 1000 }],
  [{ requestsPerSecond: 5 }, { perSecond: 5, burst: 5 }],
  [
    { requestsPerSecond: 5, burst: 50 },
    { perSecond: 5, burst: 50 },
  ],
  [
    { requestsPerSecond: 5000, burst: 9000 },
    { perSecond: 1000, burst: 1000 },
  ],
])('a config with %j allows %j within the installation’s limit', (rate, expected) => {
  const config = KeyConfigPayload.parse({ binding: { name: 'Rules' }, rate })
  expect(rateOf({ config }, 1000)).toEqual(expected)
  expect(rateOf({ config: undefined }, 1000)).toEqual({ perSecond: 1000, burst: 1000 })
})
