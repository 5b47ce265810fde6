/** Responses of a provider: how many parts it accepted, and how many it rejected because of the rate. */
export type Answered = {
  accepted: number
  throttled: number
  /** How long the provider asked us to pause, as in Retry-After; 0 if it did not. */
  pauseMs: number
}

/**
 * Finds how many parts per second a provider accepts, up to the agreed rate. Providers rarely state their limit, so it is
 * derived from their responses: what they accept while throttling is the limit.
 */
export type RateFinder = {
  /** Parts per second that may be sent now. */
  rate(): number
  /** The provider's actual limit, once it was reached. */
  limit(): number | undefined
  record(answered: Answered): void
}

type Tally = { since: number; accepted: number; throttled: number }

/** A rate reduction whose effect is being measured. */
type Trial = { rateBefore: number; limitBefore: number | undefined; share: number; tally: Tally; isSettled: boolean }

type Finder = {
  agreed: number
  now: () => number
  rate: number
  limit: number | undefined
  /** The rate does not increase before then. */
  noGrowthUntil: number
  noGrowthMs: number
  cutAt: number
  pausedUntil: number
  tally: Tally | undefined
  /** Accepted per second in the previous tally. */
  previous: number | undefined
  /** Accepted per second in the last complete tally without throttling, since the last cut. */
  best: number
  background: { share: number; until: number }
  trial: Trial | undefined
  lastSecond: { at: number; accepted: number }[]
}

/** Long enough for a provider that counts per second, and for a share of a few percent to be significant. */
const shortestTallyMs = 1000
const longestTallyMs = 4000
const minimumResponses = 40
/** How long a share may stay between insignificant and certain. */
const longestDoubtMs = 15_000

/** Above this share the rate is cut; a smaller one only stops its growth. */
const toleratedShare = 0.03
/** The same while a cut takes effect: responses to messages sent before it still arrive. */
const toleratedOnTrial = 0.1
const clearShare = 0.01
/** A larger share of errors is never caused by the rate alone. */
const largestBackground = 0.3

const noGrowthMs = { throttled: 5000, paused: 10_000, longest: 60_000 }
/** A learned limit is tested again after this time. */
const memoryMs = 60_000

export function createRateFinder(agreed: number, now: () => number = () => performance.now()): RateFinder {
  const finder: Finder = {
    agreed,
    now,
    rate: agreed,
    limit: undefined,
    noGrowthUntil: Number.NEGATIVE_INFINITY,
    noGrowthMs: 0,
    cutAt: Number.NEGATIVE_INFINITY,
    pausedUntil: Number.NEGATIVE_INFINITY,
    tally: undefined,
    previous: undefined,
    best: 0,
    background: { share: 0, until: Number.NEGATIVE_INFINITY },
    trial: undefined,
    lastSecond: [],
  }
  return {
    rate: () => finder.rate,
    limit: () => finder.limit,
    record: (answered) => record(finder, answered),
  }
}

function record(finder: Finder, { accepted, throttled, pauseMs }: Answered) {
  const now = finder.now()
  remember(finder, accepted)
  if (throttled > 0 && pauseMs > 0) pause(finder, pauseMs)
  // Responses to messages sent before the pause are ignored.
  if (now < finder.pausedUntil) return
  finder.tally ??= { since: now, accepted: 0, throttled: 0 }
  const { tally } = finder
  tally.accepted += accepted
  tally.throttled += throttled
  if (!isComplete(finder, tally)) return
  evaluate(finder, tally)
  finder.previous = tally.accepted / secondsOf(finder, tally)
  finder.tally = { since: now, accepted: 0, throttled: 0 }
}

function isComplete(finder: Finder, tally: Tally): boolean {
  const ageMs = finder.now() - tally.since
  if (ageMs < shortestTallyMs || (count(tally) < minimumResponses && ageMs < longestTallyMs)) return false
  const share = shareOf(tally)
  const isDoubtful = share > tolerated(finder) && share <= significant(finder, tally)
  return !isDoubtful || ageMs >= longestDoubtMs
}

function evaluate(finder: Finder, tally: Tally) {
  if (finder.trial) watch(finder, finder.trial, tally)
  const share = shareOf(tally)
  if (share > significant(finder, tally)) {
    cut(finder, tally)
    return
  }
  if (share > background(finder) + clearShare) return
  const seconds = secondsOf(finder, tally)
  const isUsed = count(tally) >= finder.rate * seconds * 0.7
  if (isUsed) finder.best = tally.accepted / seconds
  if (isUsed || finder.now() - finder.cutAt > memoryMs) grow(finder, seconds)
}

/** Counts what was accepted in the last second, in steps of 20 ms. */
function remember({ lastSecond, now }: Finder, accepted: number) {
  const last = lastSecond.at(-1)
  if (last && last.at > now() - 20) last.accepted += accepted
  else lastSecond.push({ at: now(), accepted })
  while (lastSecond[0] && lastSecond[0].at <= now() - 1000) lastSecond.shift()
}

/** What is accepted while throttling is the limit; measured over two tallies, since providers count by seconds of their own. */
function cut(finder: Finder, tally: Tally) {
  const share = shareOf(tally)
  const accepted = tally.accepted / secondsOf(finder, tally)
  const measured = Math.max((accepted + (finder.previous ?? accepted)) / 2, finder.rate * (1 - share))
  const { rate, limit } = finder
  lower(finder, measured / (1 - background(finder)), { margin: 0.98, firstNoGrowthMs: noGrowthMs.throttled })
  const after = { since: finder.now(), accepted: 0, throttled: 0 }
  finder.trial = { rateBefore: rate, limitBefore: limit, share, tally: after, isSettled: false }
}

/** Each pause costs a second or more, so the rate stays further below the limit, and tests it less often. */
function pause(finder: Finder, pauseMs: number) {
  const isFirst = finder.now() >= finder.pausedUntil
  finder.pausedUntil = Math.max(finder.pausedUntil, finder.now() + pauseMs)
  if (!isFirst) return
  const accepted = finder.lastSecond.reduce((sum, entry) => sum + entry.accepted, 0)
  // Two pauses without a good second in between: the rate is far too high.
  const margin = finder.best > 0 ? 0.97 : 0.9
  lower(finder, Math.max(accepted, finder.rate / 2), { margin, firstNoGrowthMs: noGrowthMs.paused })
  finder.noGrowthUntil = finder.pausedUntil + finder.noGrowthMs
  finder.trial = undefined
  finder.tally = undefined
  finder.previous = undefined
}

function lower(
  finder: Finder,
  measured: number,
  { margin, firstNoGrowthMs }: { margin: number; firstNoGrowthMs: number },
) {
  const { rate, limit, best } = finder
  const next = Math.max(1, Math.min(rate, Math.max(measured, best, rate / 5)))
  const isKnown = limit !== undefined && Math.abs(next - limit) < limit * 0.1
  finder.noGrowthMs = isKnown ? Math.min(noGrowthMs.longest, finder.noGrowthMs * 2) : firstNoGrowthMs
  finder.best = 0
  finder.limit = next
  finder.rate = Math.max(1, next * margin)
  finder.cutAt = finder.now()
  finder.noGrowthUntil = finder.now() + finder.noGrowthMs
}

/**
 * A share that is the same at a lower rate is not caused by the rate: the cut is undone and the share tolerated. The first
 * tally after the cut still contains responses to earlier messages.
 */
function watch(finder: Finder, trial: Trial, tally: Tally) {
  if (trial.isSettled) {
    trial.tally.accepted += tally.accepted
    trial.tally.throttled += tally.throttled
  }
  trial.isSettled = true
  if (finder.now() < finder.noGrowthUntil || count(trial.tally) < minimumResponses) return
  finder.trial = undefined
  const share = shareOf(trial.tally)
  const isSignificant = finder.rate <= trial.rateBefore * (1 - trial.share / 2)
  if (!isSignificant || trial.share >= largestBackground || share <= trial.share / 2) return
  finder.background = { share, until: finder.now() + memoryMs }
  finder.rate = trial.rateBefore
  finder.limit = trial.limitBefore
}

/** Slow near the last limit found, fast below and above it. */
function grow(finder: Finder, seconds: number) {
  const { agreed, rate } = finder
  if (finder.now() < finder.noGrowthUntil) return
  const limit = finder.limit ?? agreed
  const far = Math.min(Math.max(agreed / 20, rate / 10) * seconds, rate * 0.3)
  if (rate < limit * 0.9) finder.rate = Math.min(limit * 0.9, rate + far)
  else finder.rate = Math.min(agreed, rate + (rate < limit * 1.03 ? limit * 0.01 * seconds : far))
  if (finder.rate === agreed) finder.limit = undefined
}

function tolerated(finder: Finder): number {
  return background(finder) + (finder.trial ? toleratedOnTrial : toleratedShare)
}

/** Twice the standard deviation above the tolerated share: a few responses can contain many rejections by chance. */
function significant(finder: Finder, tally: Tally): number {
  const share = tolerated(finder)
  return share + 2 * Math.sqrt((share * (1 - share)) / Math.max(1, count(tally)))
}

function background({ background: { share, until }, now }: Finder): number {
  return now() < until ? share : 0
}

function secondsOf({ now }: Finder, { since }: Tally): number {
  return (now() - since) / 1000
}

function count({ accepted, throttled }: Tally): number {
  return accepted + throttled
}

function shareOf(tally: Tally): number {
  return tally.throttled / Math.max(1, count(tally))
}
