import { expect, test } from 'vitest'
import { createTokenBucket, type Time, type TokenBucket } from './token-bucket.ts'

/** How a provider counts: per second of its clock, over the last second, or evenly with a small burst. */
type Counting = 'clock-second' | 'sliding-second' | 'evenly'

type Scenario = {
  /** Parts per second that the provider accepts at that second of the run. */
  limit: number | ((second: number) => number)
  agreed: number
  counting?: Counting
  answerMs?: number
  /** Rejects this share of the messages whatever the rate. */
  refusesAtRandom?: number
  retryAfterMs?: number
  seconds?: number
}

const sliceSize = 200

/** A lane with unlimited work, in virtual time: the accepted messages, second by second. */
async function run({ seconds = 90, ...scenario }: Scenario): Promise<{ accepted: number[]; bucket: TokenBucket }> {
  const time = createVirtualTime()
  const bucket = createTokenBucket(scenario.agreed, time)
  const provider = createProvider(scenario, time)
  const retries: number[] = []

  function submit(parts: number) {
    const { accepted, throttled } = provider.take(parts)
    time.after(scenario.answerMs ?? 50, () => {
      bucket.record({ accepted, throttled, pauseMs: throttled > 0 ? (scenario.retryAfterMs ?? 0) : 0 })
      if (throttled > 0) time.after(1000, () => retries.push(throttled))
    })
  }

  async function sendQueue() {
    for (;;) submit(await bucket.take({ atLeast: 1, atMost: sliceSize, urgent: false }))
  }

  /** Like the lane: takes tokens, claims due messages, returns the rest. */
  async function sendRetries() {
    const due = retries.splice(0).reduce((sum, parts) => sum + parts, 0)
    for (let left = due; left > 0;) {
      const taken = await bucket.take({ atLeast: 1, atMost: 100, urgent: true })
      bucket.returnUnused(Math.max(0, taken - left))
      submit(Math.min(taken, left))
      left -= taken
    }
    time.after(500, () => void sendRetries().catch(fail))
  }

  sendQueue().catch(fail)
  sendRetries().catch(fail)
  await time.runUntil(seconds * 1000)
  return { accepted: Array.from({ length: seconds }, (_, second) => provider.accepted[second] ?? 0), bucket }
}

function fail(error: unknown) {
  throw error
}

function createProvider(
  { limit, counting = 'clock-second', refusesAtRandom = 0 }: Omit<Scenario, 'seconds'>,
  time: Time,
) {
  const accepted: number[] = []
  const lastSecond: number[] = []
  const random = createRandom()
  /** Its seconds start at another offset than ours. */
  const phaseMs = 370
  let second = -1
  let inSecond = 0
  let tokens = 0
  let refilledAt = 0

  /** A burst of a tenth of a second's messages is accepted, and at least two messages. */
  function takeEvenly(now: number, most: number): boolean {
    tokens = Math.min(Math.max(2, most / 10), tokens + (most * (now - refilledAt)) / 1000)
    refilledAt = now
    if (tokens < 1) return false
    tokens -= 1
    return true
  }

  function takeOne(now: number): boolean {
    if (random() < refusesAtRandom) return false
    const most = typeof limit === 'number' ? limit : limit(now / 1000)
    if (counting === 'evenly' && !takeEvenly(now, most)) return false
    if (Math.floor((now + phaseMs) / 1000) !== second) {
      second = Math.floor((now + phaseMs) / 1000)
      inSecond = 0
    }
    while (lastSecond[0] !== undefined && lastSecond[0] <= now - 1000) lastSecond.shift()
    const counted = counting === 'clock-second' ? inSecond : lastSecond.length
    if (counting !== 'evenly' && counted >= most) return false
    inSecond += 1
    lastSecond.push(now)
    accepted[Math.floor(now / 1000)] = (accepted[Math.floor(now / 1000)] ?? 0) + 1
    return true
  }

  return {
    accepted,
    take(parts: number) {
      const taken = Array.from({ length: parts }, () => takeOne(time.now())).filter(Boolean).length
      return { accepted: taken, throttled: parts - taken }
    },
  }
}

/** The same numbers in every run. */
function createRandom(): () => number {
  let seed = 7
  return () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed / 2_147_483_648
  }
}

function createVirtualTime(): Time & { runUntil(ms: number): Promise<void> } {
  let now = 0
  let timers: { at: number; work(): void }[] = []
  return {
    now: () => now,
    after(ms, work) {
      const timer = { at: now + ms, work }
      timers.push(timer)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
    async runUntil(end) {
      while (timers.length > 0) {
        const next = timers.reduce((first, timer) => (timer.at < first.at ? timer : first))
        if (next.at > end) return
        timers.splice(timers.indexOf(next), 1)
        now = Math.max(now, next.at)
        next.work()
        // Callbacks of the bucket continue in promises.
        for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
      }
    },
  }
}

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const limits = [5, 20, 50, 200, 1000]
const countings: Counting[] = ['clock-second', 'sliding-second', 'evenly']

/** The used share of the limit from the thirtieth second on. */
const shareUsed = async (scenario: Scenario & { limit: number }) =>
  mean((await run(scenario)).accepted.slice(30)) / scenario.limit

for (const factor of [1, 1.1, 2, 4, 10]) {
  test(`with ${factor} times the operator's limit agreed, at least 0.9 of the limit is used`, async () => {
    const used: Record<string, number> = {}
    for (const limit of limits)
      for (const counting of countings)
        for (const answerMs of [5, 50, 500])
          used[`${limit}/s, ${counting}, answers after ${answerMs} ms`] = await shareUsed({
            limit,
            agreed: limit * factor,
            counting,
            answerMs,
          })
    expect(Object.entries(used).filter(([, share]) => share < 0.9)).toEqual([])
  })

  test(`with ${factor} times the limit agreed and Retry-After of a second, at least 0.8 is used`, async () => {
    const used: Record<string, number> = {}
    for (const limit of limits)
      for (const counting of countings)
        for (const answerMs of [5, 50])
          used[`${limit}/s, ${counting}, answers after ${answerMs} ms`] = await shareUsed({
            limit,
            agreed: limit * factor,
            counting,
            answerMs,
            retryAfterMs: 1000,
          })
    expect(Object.entries(used).filter(([, share]) => share < 0.8)).toEqual([])
  })
}

test.each([5, 50, 200, 1000])('rare throttling does not lower a rate of %d a second', async (agreed) => {
  for (const share of [0.005, 0.01, 0.02]) {
    const { accepted } = await run({ limit: Number.POSITIVE_INFINITY, agreed, refusesAtRandom: share, seconds: 180 })
    expect(mean(accepted.slice(30)) / agreed).toBeGreaterThan(0.93)
  }
})

test.each([50, 200, 1000])('throttling unrelated to the rate does not lower %d per second', async (agreed) => {
  for (const share of [0.05, 0.1]) {
    const { accepted } = await run({ limit: Number.POSITIVE_INFINITY, agreed, refusesAtRandom: share, seconds: 300 })
    expect(mean(accepted.slice(30)) / (agreed * (1 - share))).toBeGreaterThan(0.8)
  }
})

test.each([
  [50, 200],
  [200, 50],
  [20, 200],
  [200, 20],
  [100, 1000],
  [1000, 100],
])('a limit that changes from %d to %d a second is found within half a minute', async (before, after) => {
  for (const counting of countings) {
    const limit = (second: number) => (second < 60 ? before : after)
    const { accepted } = await run({ limit, agreed: 1.5 * Math.max(before, after), counting, seconds: 150 })
    expect(mean(accepted.slice(30, 60)) / before).toBeGreaterThan(0.9)
    expect(mean(accepted.slice(90)) / after).toBeGreaterThan(0.9)
  }
})

test('the detected limit is reported, and cleared when the rate is back at the agreed one', async () => {
  const { bucket } = await run({ limit: 50, agreed: 200 })
  expect(bucket.operatorLimit()).toBeGreaterThan(45)
  expect(bucket.operatorLimit()).toBeLessThan(55)
  const lifted = await run({ limit: (second) => (second < 20 ? 50 : 500), agreed: 200 })
  expect(lifted.bucket.operatorLimit()).toBeUndefined()
  expect(lifted.bucket.allowedPerSecond()).toBe(200)
})

test('a lane that sends little is not limited to its recent rate', async () => {
  const time = createVirtualTime()
  const bucket = createTokenBucket(100, time)
  for (let second = 1; second <= 60; second += 1) {
    await time.runUntil(second * 1000)
    time.after(0, () =>
      bucket.record({ accepted: second === 30 ? 3 : 4, throttled: second === 30 ? 1 : 0, pauseMs: 0 }),
    )
  }
  expect(bucket.allowedPerSecond()).toBe(100)
})
