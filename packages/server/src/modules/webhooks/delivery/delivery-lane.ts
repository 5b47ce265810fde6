import type { DeliveryAttempt } from '@carillon/contract/webhook-records'
import type { Egress } from '../../../egress/egress.ts'
import { inBackground } from '../../../lib/background.ts'
import type { Clock } from '../../../lib/clock.ts'
import { failPoint } from '../../../lib/fail-points.ts'
import type { Logger } from '../../../lib/logger.ts'
import { createDeliveryBuffer, type DeliveryBuffer } from './delivery-buffer.ts'
import { judgeError, judgeResponse, type Verdict } from './judge-response.ts'
import type { LaneKey, QueuedDelivery } from './lanes.queries.ts'
import { createPace, type LaneState, type Pace } from './pace.ts'
import type { DeliveryResult } from './results.queries.ts'
import { nextWaitMs } from './retry-schedule.ts'
import { signedHeaders, type Signer } from './sign.ts'

/** What an endpoint's owner decided, as of the last check. */
export type LaneTerms = { url: string; signer: Signer }

export type LaneDependencies = {
  logger: Logger
  clock: Clock
  egress: Egress
  /** The process stops: what is in flight then is sent again by the next owner. */
  isEnding(): boolean
  /** For the whole response. */
  timeoutMs: number
  record(result: DeliveryResult): void
  /** More deliveries can be read. */
  onRoom(): void
  /** The endpoint answered 410, or all attempts have failed for days. */
  onDisabled(key: LaneKey, reason: 'gone' | 'failing'): void
}

/** The deliveries of one endpoint, while this process owns them. */
export type DeliveryLane = Pick<DeliveryBuffer, 'wake' | 'beginRead'> &
  Pick<Pace, 'isHeld' | 'state' | 'takeChange'> & {
    key: LaneKey
    /** Whether to read due deliveries. */
    wantsMore(): boolean
    /** Adds due deliveries that were read, and sends. */
    offer(rows: readonly QueuedDelivery[]): void
    /** The results of these deliveries are stored. */
    settle(ids: readonly string[]): void
    renew(leasedUntil: number): void
    /** The lease has run out, and another process may own the endpoint. */
    isLost(): boolean
    terms(): LaneTerms
    follow(terms: LaneTerms): void
    send(): void
    /** Starts no further request. */
    close(): void
    isClosed(): boolean
    inFlight(): number
    /** Since when no delivery was in memory; undefined if there are some. */
    idleSince(): number | undefined
  }

type Opening = { key: LaneKey; terms: LaneTerms; state: LaneState; leasedUntil: number }

/** A longer response is cut off, and its connection closed. */
const keepBytes = 64 * 1024
const mostFailingMs = 5 * 24 * 3_600_000

export function openDeliveryLane(dependencies: LaneDependencies, opening: Opening): DeliveryLane {
  const { clock } = dependencies
  const { key } = opening
  const pace = createPace(opening.state, clock)
  const buffer = createDeliveryBuffer()
  let { terms, leasedUntil } = opening
  let inFlight = 0
  let isClosed = false
  let idleSince = performance.now()

  async function deliver(row: QueuedDelivery) {
    inFlight += 1
    const sentAt = performance.now()
    const at = clock.now()
    const verdict = await attempt(dependencies, terms, { row, at })
    inFlight -= 1
    if (dependencies.isEnding()) return
    failPoint('webhook-after-wire')
    const { isReplay } = row
    pace.note({ verdict, sentAt, isReplay })
    const durationMs = Math.round(performance.now() - sentAt)
    const made = { at: at.toISOString(), durationMs, ...verdict.attempt, ...(isReplay && { isReplay }) }
    dependencies.record(resultOf(row, { key, verdict, made, now: clock.now() }))
    const reason = disablingReason(verdict, { isReplay, failingSince: pace.state().failingSince, now: clock.now() })
    if (reason) dependencies.onDisabled(key, reason)
    send()
  }

  function send() {
    while (!isClosed && performance.now() < leasedUntil && pace.mayStart(inFlight)) {
      const row = buffer.take()
      if (!row) break
      inBackground(deliver(row), { name: 'delivering a webhook', logger: dependencies.logger })
    }
    if (wantsMore()) dependencies.onRoom()
  }

  const wantsMore = () => !isClosed && !pace.isHeld() && buffer.wantsMore()

  return {
    key,
    isHeld: pace.isHeld,
    state: pace.state,
    takeChange: pace.takeChange,
    wake: buffer.wake,
    beginRead: buffer.beginRead,
    wantsMore,
    offer(rows) {
      buffer.offer(rows)
      send()
    },
    settle(ids) {
      buffer.settle(ids)
      if (buffer.isEmpty()) idleSince = performance.now()
    },
    renew(until) {
      leasedUntil = until
    },
    isLost: () => performance.now() >= leasedUntil,
    terms: () => terms,
    follow(next) {
      if (next.url !== terms.url) pace.reset()
      terms = next
    },
    send() {
      if (pace.isHeld()) buffer.drop()
      send()
    },
    close() {
      isClosed = true
      buffer.drop()
    },
    isClosed: () => isClosed,
    inFlight: () => inFlight,
    idleSince: () => (buffer.isEmpty() ? idleSince : undefined),
  }
}

async function attempt(
  { egress, clock, timeoutMs }: LaneDependencies,
  { url, signer }: LaneTerms,
  { row: { id, body }, at }: { row: QueuedDelivery; at: Date },
): Promise<Verdict> {
  const signed = signedHeaders(signer, { deliveryId: id, at, body })
  try {
    const answer = await egress.request({
      method: 'POST',
      url,
      headers: { ...signed, 'content-type': 'application/json', 'user-agent': 'Carillon-Webhooks/1.0' },
      body,
      timeoutMs,
      wholeMs: timeoutMs,
      keepBytes,
    })
    return judgeResponse(answer, clock.now())
  } catch (error) {
    return judgeError(error)
  }
}

type Health = { isReplay: boolean; failingSince: Date | null; now: Date }

/** Whether the endpoint gets no more events: it said so, or all attempts besides replays have failed for days. */
function disablingReason(
  { isGone, isSuccess }: Verdict,
  { isReplay, failingSince, now }: Health,
): 'gone' | 'failing' | undefined {
  if (isGone) return 'gone'
  if (isSuccess || isReplay || failingSince === null) return undefined
  return now.getTime() - failingSince.getTime() >= mostFailingMs ? 'failing' : undefined
}

type Made = { key: LaneKey; verdict: Verdict; made: DeliveryAttempt; now: Date }

function resultOf({ id, tries }: QueuedDelivery, { key, verdict, made, now }: Made): DeliveryResult {
  const result = { key, id, attempt: made, at: now }
  if (verdict.isSuccess) return { ...result, status: 'delivered' }
  const waitMs = nextWaitMs(tries + 1, { random: Math.random(), leastMs: verdict.retryAfterMs })
  if (waitMs === undefined) return { ...result, status: 'dead' }
  return { ...result, status: 'failed', dueAt: new Date(now.getTime() + waitMs) }
}
