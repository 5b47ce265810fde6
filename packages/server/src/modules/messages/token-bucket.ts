/**
 * The rate of one lane, in parts a second. Exact without a shared counter, because a lane has one owner. The operator's
 * word counts: a throttle halves the rate, which then creeps back.
 */
export type TokenBucket = {
  /**
   * Waits for at least `atLeast` parts (or half a slice of the rate) and takes up to `atMost`.
   * Urgent takers are served before the others. Resolves with 0 when the bucket is closed.
   */
  take(wish: { atLeast: number; atMost: number; urgent: boolean }): Promise<number>
  giveBack(parts: number): void
  /** Nothing has to wait now. */
  isUnlimited(): boolean
  slowDown(): void
  /** Nothing is given until then. */
  holdUntil(time: number): void
  allowedPerSecond(): number
  close(): void
}

type Taker = { atLeast: number; atMost: number; urgent: boolean; serve(parts: number): void }

const sliceMs = 50
/** A taker that could use more waits until this share of a second's parts is there: fewer, larger slices. */
const sliceShare = 0.2
/** A hundredth below what was agreed: operators count by clocks of their own, and refuse what comes early. */
const headroom = 0.99

export function createTokenBucket(ratePerSecond: number): TokenBucket {
  const unlimited = ratePerSecond === Number.POSITIVE_INFINITY
  const takers: Taker[] = []
  let rate = ratePerSecond
  let tokens = 0
  let refilledAt = performance.now()
  let slowedAt = Number.NEGATIVE_INFINITY
  let heldUntil = 0
  let timer: NodeJS.Timeout | undefined
  let closed = false

  function refill() {
    const now = performance.now()
    const seconds = (now - refilledAt) / 1000
    refilledAt = now
    if (now < heldUntil) return
    if (unlimited) {
      tokens = Number.POSITIVE_INFINITY
      return
    }
    if (rate < ratePerSecond) rate = Math.min(ratePerSecond, rate * 1.1 ** seconds)
    tokens = Math.min(tokens + rate * headroom * seconds, Math.max(1, rate * sliceShare))
  }

  /** A message of more parts than the burst holds is let through on credit. */
  function enough({ atLeast, atMost }: Taker): boolean {
    const burst = Math.max(1, rate * sliceShare)
    return tokens >= Math.min(atMost, Math.max(Math.min(atLeast, burst), burst))
  }

  function serve() {
    refill()
    while (takers.length > 0) {
      const index = Math.max(
        0,
        takers.findIndex(({ urgent }) => urgent),
      )
      const taker = takers[index]
      if (!taker || performance.now() < heldUntil || !enough(taker)) return schedule()
      takers.splice(index, 1)
      const given = Math.max(taker.atLeast, Math.min(taker.atMost, Math.floor(tokens)))
      tokens -= given
      taker.serve(given)
    }
  }

  function schedule() {
    if (timer || closed) return
    timer = setTimeout(() => {
      timer = undefined
      serve()
    }, sliceMs)
  }

  return {
    take(wish) {
      if (closed) return Promise.resolve(0)
      if (unlimited && performance.now() >= heldUntil) return Promise.resolve(wish.atMost)
      return new Promise((resolve) => {
        takers.push({ ...wish, serve: resolve })
        serve()
      })
    },
    giveBack(parts) {
      if (!unlimited) tokens += parts
    },
    isUnlimited: () => unlimited && performance.now() >= heldUntil,
    slowDown() {
      const now = performance.now()
      if (unlimited || now - slowedAt < 1000) return
      slowedAt = now
      rate = Math.max(1, rate / 2)
      tokens = Math.min(tokens, 0)
    },
    holdUntil(time) {
      heldUntil = Math.max(heldUntil, time)
    },
    allowedPerSecond: () => (performance.now() < heldUntil ? 0 : Math.round(rate * 10) / 10),
    close() {
      closed = true
      clearTimeout(timer)
      for (const taker of takers.splice(0)) taker.serve(0)
    },
  }
}
