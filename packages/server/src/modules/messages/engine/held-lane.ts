import { inBackground } from '../../../lib/background.ts'
import type { Logger } from '../../../lib/logger.ts'
import type { LaneKey } from './chunks.queries.ts'
import type { Lane, LaneMeasure } from './lane.ts'
import type { LaneWork } from './lanes.queries.ts'

/** In milliseconds. */
export type LaneTiming = {
  /** Duration of a lane's lease. */
  lease: number
  poll: number
  /** Maximum time to open a lane. */
  open: number
  /** Maximum time for messages in flight when a lane closes. */
  grace: number
  /** How long this process does not claim a lane again after it failed on it. */
  rest: number
}

export type HeldLaneOptions = {
  open(key: LaneKey): Promise<Lane>
  /** The lane could not be opened. */
  onUnopened(key: LaneKey, error: unknown): Promise<void>
  /** This process failed on the lane and does not claim it for a moment. */
  onRest(key: LaneKey): void
  /** The lane is closed. */
  onEnd(key: LaneKey): void
  logger: Logger
  timing: LaneTiming
}

/** A lane of this process, from its claim until its connection is closed. */
export type HeldLane = {
  key: LaneKey
  /** Undefined while it is open. */
  closing(): Closing | undefined
  renew(leasedUntil: number): void
  /** Updates the lane from the database; undefined if this process does not own it any more. */
  follow(work: LaneWork | undefined): void
  /** When the lane ran out of work; undefined while there is some, or while that is unknown. */
  idleSince(): number | undefined
  /** Closes when the lease expires; released when there is no work left. */
  inspect(): void
  writeState(): void
  /** Undefined until it is open. */
  measure(): LaneMeasure | undefined
  /** Resolves when the outcomes known now are written, or cannot be. */
  caughtUp(): Promise<void>
  release(): Promise<void>
}

/** A lost lane releases nothing: another process may own it. */
type Closing = 'released' | 'lost'

/** All waits here have limits, since a lane that waits forever could not be claimed by others. */
export function holdLane(options: HeldLaneOptions, key: LaneKey, claimedUntil: number): HeldLane {
  const { logger, timing } = options
  const sender = key.senderId
  const opening = openInTime(options, key)
  /** On the monotonic clock. The lease in the database lasts at least as long. */
  let leasedUntil = claimedUntil
  let opened: Lane | undefined
  let version: string | undefined
  let hasWork = false
  let idleSince: number | undefined
  let closing: { why: Closing; done: Promise<void> } | undefined
  inBackground(
    opening.then((lane) => {
      opened = lane
    }, endUnopened),
    { name: 'opening a lane', logger },
  )

  async function endUnopened(error: unknown) {
    logger.error({ sender, err: error }, 'a lane could not be opened')
    options.onRest(key)
    await options.onUnopened(key, error)
    options.onEnd(key)
  }

  function close(why: Closing, graceMs = timing.grace): Promise<void> {
    if (closing) return closing.done
    const closed = opening.then(
      (lane) => lane.close(why, graceMs),
      () => undefined,
    )
    const done = within(2 * graceMs + timing.lease, closed, 'The lane did not close in time')
      .catch((error: unknown) => logger.warn({ sender, err: error }, 'a lane closed badly'))
      .finally(() => options.onEnd(key))
    closing = { why, done }
    return done
  }

  function closeSoon(why: Closing, graceMs?: number) {
    inBackground(close(why, graceMs), { name: 'closing a lane', logger })
  }

  return {
    key,
    closing: () => closing?.why,
    idleSince: () => (closing ? undefined : idleSince),
    renew: (until) => (leasedUntil = until),
    follow(work) {
      if (closing) return
      if (!work) return closeSoon('lost')
      version ??= work.version
      hasWork = work.hasPriority || work.hasRetries || work.hasChunks || work.hasRevocations
      idleSince = hasWork ? undefined : (idleSince ?? performance.now())
      if (!work.isActive || version !== work.version) return closeSoon('released')
      opening.then((lane) => lane.wake(work)).catch(() => undefined)
    },
    inspect() {
      if (closing) return
      // A margin for clocks that run at different speeds, and for a busy process.
      if (performance.now() > leasedUntil - timing.lease / 12) return closeSoon('lost')
      const reason = opened?.findStuck(hasWork)
      if (reason === undefined) return
      logger.warn({ sender, epoch: key.epoch, reason }, 'a lane without progress is released')
      options.onRest(key)
      closeSoon('released', timing.grace / 10)
    },
    writeState() {
      if (!closing) opened?.writeState().catch(() => undefined)
    },
    measure: () => opened?.measure(),
    caughtUp: async () => opened?.caughtUp(),
    release: () => close('released'),
  }
}

async function openInTime({ open, timing }: HeldLaneOptions, key: LaneKey): Promise<Lane> {
  const opening = open(key)
  try {
    return await within(timing.open, opening, 'The lane did not open in time')
  } catch (error) {
    // If it opens after all, this process no longer owns it.
    opening.then((late) => late.close('lost', 0)).catch(() => undefined)
    throw error
  }
}

async function within<Result>(ms: number, work: Promise<Result>, message: string): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(message)), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
