import { createRateFinder, type Answered, type RateFinder } from './rate-finder.ts'

/** The rate of one lane in parts per second. It needs no shared counter, because a lane has one owner. */
export type TokenBucket = {
  /**
   * Waits for at least `atLeast` parts (or a slice of the rate) and takes up to `atMost`. Urgent callers are served first.
   * Resolves to 0 when the bucket is closed.
   */
  take(request: { atLeast: number; atMost: number; urgent: boolean }): Promise<number>
  returnUnused(parts: number): void
  /** No one has to wait now. */
  isUnlimited(): boolean
  /** Adjusts the rate by the provider's response. */
  record(answered: Answered): void
  /** Grants nothing before then. */
  holdUntil(time: number): void
  allowedPerSecond(): number
  /** The provider's actual limit, once it was reached. */
  operatorLimit(): number | undefined
  close(): void
}

type Waiter = { atLeast: number; atMost: number; urgent: boolean; serve(parts: number): void }

/**
 * The clock and timer of a bucket; tests provide their own. In milliseconds, monotonic. Returns a function that cancels the
 * timer.
 */
export type Time = { now(): number; /** Answers how to call it off. */ after(ms: number, work: () => void): () => void }

const realTime: Time = {
  now: () => performance.now(),
  after(ms, work) {
    const timer = setTimeout(work, ms)
    return () => clearTimeout(timer)
  },
}

/** A caller that can use more waits for this share of a second's parts: fewer, larger slices. */
const sliceShare = 0.2
/** After recent throttling parts are granted evenly, since the provider may reject bursts. */
const evenSliceShare = 0.05
const evenForMs = 600_000
/** A hundredth below the agreed rate: operators count by their own clocks, and reject what arrives early. */
const headroom = 0.99
const latenessSeconds = 0.05
const longestWaitMs = 1000

export function createTokenBucket(ratePerSecond: number, time: Time = realTime): TokenBucket {
  const finder = createRateFinder(ratePerSecond, time.now)
  const level = createLevel(finder, time)
  const isFinite = Number.isFinite(ratePerSecond)
  const waiters: Waiter[] = []
  let cancel: (() => void) | undefined
  let closed = false

  function serve() {
    for (let waiter = next(waiters); waiter; waiter = next(waiters)) {
      const waitMs = level.waitMs(waiter)
      if (waitMs > 0) return wait(waitMs)
      waiters.splice(waiters.indexOf(waiter), 1)
      waiter.serve(level.take(waiter))
    }
  }

  function wait(ms: number) {
    if (closed) return
    // Recomputed each time, since returned tokens may shorten the wait.
    cancel?.()
    cancel = time.after(ms, serve)
  }

  return {
    take(request) {
      if (closed) return Promise.resolve(0)
      if (!isFinite && !level.isHeld()) return Promise.resolve(request.atMost)
      return new Promise((resolve) => {
        waiters.push({ ...request, serve: resolve })
        serve()
      })
    },
    returnUnused(parts) {
      if (parts === 0) return
      level.give(parts)
      serve()
    },
    isUnlimited: () => !isFinite && !level.isHeld(),
    record(answered) {
      if (answered.pauseMs > 0) level.holdUntil(time.now() + answered.pauseMs)
      if (answered.throttled > 0) level.smoothBursts()
      if (isFinite) finder.record(answered)
    },
    holdUntil: level.holdUntil,
    allowedPerSecond: () => (level.isHeld() ? 0 : Math.round(finder.rate() * 10) / 10),
    operatorLimit: finder.limit,
    close() {
      closed = true
      cancel?.()
      for (const waiter of waiters.splice(0)) waiter.serve(0)
    },
  }
}

function next(waiters: readonly Waiter[]): Waiter | undefined {
  return waiters.find(({ urgent }) => urgent) ?? waiters[0]
}

type TakeRequest = Pick<Waiter, 'atLeast' | 'atMost'>

/** How many parts may be sent now. */
function createLevel(finder: RateFinder, time: Time) {
  let tokens = 0
  let refilledAt = time.now()
  let heldUntil = 0
  let evenUntil = 0

  const isHeld = () => time.now() < heldUntil
  const slice = () => Math.max(1, finder.rate() * (time.now() < evenUntil ? evenSliceShare : sliceShare))
  /** A message of more parts than a slice is sent on credit. */
  const wanted = ({ atLeast, atMost }: TakeRequest) => Math.min(atMost, Math.max(Math.min(atLeast, slice()), slice()))

  function refill() {
    const now = time.now()
    const seconds = Math.max(0, now - Math.max(refilledAt, Math.min(heldUntil, now))) / 1000
    refilledAt = now
    // More than a slice, so that a late timer loses nothing.
    const full = slice() + finder.rate() * latenessSeconds
    if (full === Number.POSITIVE_INFINITY) tokens = full
    else if (tokens < full) tokens = Math.min(full, tokens + finder.rate() * headroom * seconds)
  }

  return {
    isHeld,
    waitMs(request: TakeRequest): number {
      refill()
      const missing = Math.max(0, wanted(request) - tokens)
      if (missing === 0 && !isHeld()) return 0
      const ms = Math.max(0, heldUntil - time.now()) + (missing / (finder.rate() * headroom)) * 1000
      return Math.min(longestWaitMs, Math.max(1, Math.ceil(ms)))
    },
    take({ atLeast, atMost }: TakeRequest): number {
      const taken = Math.max(atLeast, Math.min(atMost, Math.floor(tokens)))
      tokens -= taken
      return taken
    },
    give(parts: number) {
      tokens += parts
    },
    smoothBursts() {
      evenUntil = time.now() + evenForMs
    },
    holdUntil(until: number) {
      heldUntil = Math.max(heldUntil, until)
    },
  }
}
