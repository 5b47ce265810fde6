import { performance } from 'node:perf_hooks'
import { type Account, type AccountSettings, type Accounts, createAccounts } from './accounts.ts'
import { calmPlan, type FaultPlan } from './faults.ts'
import { decideResult, type Result } from './results.ts'
import { createHandset, type Handset } from './handset.ts'
import { createScheduler, type Scheduler } from './scheduler.ts'

export type Counts = {
  submits: number
  accepted: number
  refused: number
  reportsSent: number
  reportsAnswered: number
  reportsGivenUp: number
  inboundSent: number
  duplicateParts: number
}

/** State shared by the SMSC, the HTTP gateways and the control API. */
export type Simulation = {
  accounts: Accounts
  handset: Handset
  scheduler: Scheduler
  counts: Counts
  plan: () => FaultPlan
  setPlan: (plan: FaultPlan) => void
  /** Counts a submit; returns the count for this number. */
  begin: (to: string) => number
  /** Counts the submit and decides its outcome. */
  decideOutcome: (account: Account, to: string) => Result
  /** The final report of an accepted message was sent. */
  settle: (account: Account) => void
  nextMessageNumber: () => number
  submitsStartedAfter: (instantMs: number) => number
  reset: () => void
}

export type SimulationOptions = {
  accounts?: AccountSettings[] | undefined
  plan?: FaultPlan | undefined
  handsetFile?: string | undefined
}

export function createSimulation(options: SimulationOptions): Simulation {
  let plan = options.plan ?? calmPlan
  const attempts = new Map<string, number>()
  const pending = new Map<Account, number>()
  const started = createStartLog()
  const buckets = new Map<Account, Bucket>()
  // Unique across restarts and exact as a number: microseconds since 1970 stay below 2^53 until 2255.
  let messageNumber = Date.now() * 1000

  const simulation: Simulation = {
    accounts: createAccounts(options.accounts ?? []),
    handset: createHandset({ file: options.handsetFile }),
    scheduler: createScheduler(),
    counts: emptyCounts(),
    plan: () => plan,
    setPlan(next) {
      plan = next
    },
    begin(to) {
      started.add()
      simulation.counts.submits += 1
      return countAttempt(to)
    },
    decideOutcome(account, to) {
      started.add()
      simulation.counts.submits += 1
      const refusal = limitReached(account)
      const result = refusal ?? decideResult(plan, { to, attempt: countAttempt(to) })
      simulation.counts[result.isAccepted ? 'accepted' : 'refused'] += 1
      if (result.isAccepted && result.reports.length > 0) pending.set(account, (pending.get(account) ?? 0) + 1)
      return result
    },
    settle(account) {
      pending.set(account, Math.max(0, (pending.get(account) ?? 0) - 1))
    },
    nextMessageNumber: () => ++messageNumber,
    submitsStartedAfter: (instantMs) => started.countAfter(instantMs),
    reset() {
      attempts.clear()
      pending.clear()
      buckets.clear()
      started.clear()
      Object.assign(simulation.counts, emptyCounts())
      simulation.scheduler.clear()
      simulation.handset.clear()
    },
  }

  function countAttempt(to: string): number {
    const attempt = (attempts.get(to) ?? 0) + 1
    attempts.set(to, attempt)
    return attempt
  }

  function limitReached(account: Account): Result | undefined {
    if (account.queueLimit > 0 && (pending.get(account) ?? 0) >= account.queueLimit) return refused('queue-full')
    if (account.ratePerSecond > 0 && !consumeToken(buckets, account)) return refused('throttled')
    return undefined
  }

  return simulation
}

function refused(answer: 'queue-full' | 'throttled'): Result {
  return { answer, isAccepted: false, isReceived: false, reports: [], reportsFirst: false }
}

type Bucket = { tokens: number; at: number }

function consumeToken(buckets: Map<Account, Bucket>, account: Account): boolean {
  const now = performance.now()
  const bucket = buckets.get(account) ?? { tokens: account.ratePerSecond, at: now }
  bucket.tokens = Math.min(account.ratePerSecond, bucket.tokens + ((now - bucket.at) / 1000) * account.ratePerSecond)
  bucket.at = now
  buckets.set(account, bucket)
  if (bucket.tokens < 1) return false
  bucket.tokens -= 1
  return true
}

function emptyCounts(): Counts {
  return {
    submits: 0,
    accepted: 0,
    refused: 0,
    reportsSent: 0,
    reportsAnswered: 0,
    reportsGivenUp: 0,
    inboundSent: 0,
    duplicateParts: 0,
  }
}

const loggedStarts = 1_000_000

/** Times of the last million submits, to check that nothing is sent after a campaign stopped. */
function createStartLog() {
  const instants = new Float64Array(loggedStarts)
  let total = 0
  return {
    add() {
      instants[total % loggedStarts] = performance.timeOrigin + performance.now()
      total += 1
    },
    countAfter(this: void, instantMs: number): number {
      let count = 0
      while (count < Math.min(total, loggedStarts) && (instants[(total - 1 - count) % loggedStarts] ?? 0) > instantMs)
        count += 1
      return count
    },
    clear() {
      total = 0
    },
  }
}
