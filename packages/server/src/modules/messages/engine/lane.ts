import type { LaneState } from '@carillon/contract/senders'
import type pg from 'pg'
import type {
  Provider,
  ProviderEvent,
  ProviderCallIo,
  ProviderIo,
  SendOutcome,
  Session,
  SessionState,
} from '../../../channels/provider.ts'
import { inBackground } from '../../../lib/background.ts'
import type { Logger } from '../../../lib/logger.ts'
import { storableJson } from '../../../lib/storable.ts'
import { createAdmission } from './admission.ts'
import type { LaneKey } from './chunks.queries.ts'
import { createCircuitBreaker } from './circuit-breaker.ts'
import type { LaneContext } from './lane-context.ts'
import { createLaneWork, type Activity, type LaneWorkOptions, type OwnedWork } from './lane-work.ts'
import { createLaneWatch } from './lane-watch.ts'
import { releaseLane, writeLaneState, type LaneWork } from './lanes.queries.ts'
import { createSendMeter } from './send-metrics.ts'
import { createStopwatch } from './sent-rate.ts'
import { storableOutcome, storableRevocation } from '../reports/storable-events.ts'
import { createTokenBucket } from './token-bucket.ts'

/** How a lane connects to its provider. */
export type Connection = {
  provider: Provider<unknown>
  config: unknown
  /** Parts per second agreed with the operator. */
  ratePerSecond: number
  callbackUrl: string
  idempotent: boolean
  /** The provider's own id of the sender, where an account has several. */
  lineId?: string | undefined
  /** A file of the organisation; throws if it is gone. */
  readFile?: NonNullable<ProviderIo['readFile']>
}

export type LaneDependencies = LaneWorkOptions & {
  pool: pg.Pool
  logger: Logger
  io: ProviderCallIo
  loadConnection(lane: LaneKey): Promise<Connection>
  applyEvents(lane: LaneKey, events: ProviderEvent[]): Promise<void>
  onLimited(lane: LaneKey): void
  /** The provider rejects the credentials of the lane's account. */
  onRefused(lane: LaneKey, refusal: { code: string; message: string }): void
  /** The provider accepts messages; called once after opening and once after each rejection. */
  onAccepted(lane: LaneKey): void
  /** The lane failed: release and claim it again, which recovers in-flight messages. */
  onBroken(lane: LaneKey, error: unknown): void
}

/** Metrics of a lane. Rates are in parts per second. */
export type LaneMeasure = {
  channel: string
  provider: string
  status: LaneState['status']
  allowedPerSecond: number
  agreedPerSecond: number
}

/** A lane that this process owns: one sender's queue, connection, rate and breaker. */
export type Lane = {
  key: LaneKey
  /** The lane has work. */
  wake(work: Pick<LaneWork, Activity>): void
  writeState(): Promise<void>
  /** Why this lane makes no progress; undefined if it does. */
  findStuck(hasWork: boolean): string | undefined
  measure(): LaneMeasure
  /** Resolves when the outcomes known now are written, or cannot be. */
  caughtUp(): Promise<void>
  /** Takes no new work. A lost lane does not write to the database. */
  close(why: 'released' | 'lost', graceMs: number): Promise<void>
}

export async function openLane(dependencies: LaneDependencies, key: LaneKey): Promise<Lane> {
  const { pool, logger } = dependencies
  const connection = await dependencies.loadConnection(key)
  const sent = createStopwatch()
  let closing = false
  let refusal: LaneState['lastError']
  const credentials = watchCredentials(dependencies, key)
  const writeState = createStateWriter(pool, key)
  const watch = createLaneWatch()
  const session = connect(dependencies, key, {
    ...connection,
    async onEvents(events) {
      // A report can arrive before the response to its message is written, and would have to be stored until then.
      if (events.some(({ kind }) => kind === 'delivery-report')) await work.caughtUp()
      await dependencies.applyEvents(key, events)
    },
  })
  const flow = createFlow(connection, session)
  const { bucket, admission } = flow
  const context: LaneContext = {
    pool: watch.watchPool(pool),
    key,
    session: watch.watchSession(session),
    isIdempotent: connection.idempotent,
    messageIdOf: connection.provider.messageIdOf,
    ...flow,
    isClosing: () => closing,
    fail,
    countSent: sent.add,
    meter: createSendMeter(connection.provider),
    noteRefusal(outcome) {
      refusal = { code: outcome.code, message: outcome.detail, at: new Date().toISOString() }
      credentials.noteRefusal(outcome)
    },
    noteAccepted: credentials.noteAccepted,
    noteLimit: () => dependencies.onLimited(key),
  }
  const work = startWork(createLaneWork(context, dependencies), context)

  function fail(error: unknown) {
    if (!closing) dependencies.onBroken(key, error)
  }

  function describe(): LaneState {
    const state = session.state()
    const allowedPerSecond = Number.isFinite(bucket.allowedPerSecond()) ? bucket.allowedPerSecond() : 0
    const operatorLimit = bucket.operatorLimit()
    return {
      ...present(state, { isHeld: allowedPerSecond === 0, refusal }),
      allowedPerSecond,
      ...(operatorLimit === undefined ? {} : { operatorLimitPerSecond: Math.round(operatorLimit * 10) / 10 }),
      sentPerSecond: sent.lastSecond(),
      queued: 0,
    }
  }

  return {
    key,
    wake: (found) => inBackground(work.begin(found), { name: 'starting the work of a lane', logger }),
    writeState: () => writeState(describe()),
    findStuck: (hasWork) => watch.findStuck(session, hasWork),
    caughtUp: work.caughtUp,
    measure() {
      const { status, allowedPerSecond } = describe()
      const { provider, ratePerSecond } = connection
      const line = { channel: provider.channel, provider: provider.name }
      return { ...line, status, allowedPerSecond, agreedPerSecond: ratePerSecond }
    },
    async close(why, graceMs) {
      closing = true
      bucket.close()
      admission.close()
      const hasEnded = work.ended()
      const deadline = performance.now() + graceMs
      await Promise.race([hasEnded, pause(graceMs)])
      await session.close(Math.max(closeGraceMs, deadline - performance.now()))
      // Messages without an outcome by now are recovered by the lane's next owner.
      work.abandon()
      await hasEnded
      if (why === 'released')
        await releaseLane(pool, key, { ...describe(), status: 'off', binds: [], allowedPerSecond: 0 })
      logger.info({ sender: key.senderId, epoch: key.epoch, why }, 'a lane was closed')
    },
  }
}

/** Recovers first; each kind of work starts after that if there is some, never twice at the same time. */
function startWork(
  { recover, activities, settled, caughtUp, abandon }: OwnedWork,
  { isClosing, fail }: Pick<LaneContext, 'isClosing' | 'fail'>,
) {
  const underWay = new Map<Activity, Promise<void>>()
  const recovering = recover().catch(fail)

  function beginOne(activity: Activity) {
    if (isClosing() || underWay.has(activity)) return
    const work = activities[activity]()
      .catch(fail)
      .finally(() => underWay.delete(activity))
    underWay.set(activity, work)
  }

  return {
    abandon,
    caughtUp,
    async begin(found: Record<Activity, boolean>) {
      await recovering
      for (const activity of ['hasPriority', 'hasRetries', 'hasChunks', 'hasRevocations'] as const)
        if (found[activity]) beginOne(activity)
    },
    /** Nothing more is sent, and everything that was sent has its result. */
    async ended() {
      await Promise.allSettled([recovering, ...underWay.values()])
      await settled()
    },
  }
}

/** Writes the state if it changed, never concurrently. */
function createStateWriter(pool: pg.Pool, key: LaneKey) {
  let written = ''
  let isWriting = false
  return async (state: LaneState): Promise<void> => {
    const text = JSON.stringify(state)
    if (isWriting || (text === written && state.sentPerSecond === 0)) return
    isWriting = true
    try {
      await writeLaneState(pool, key, { ...state, updatedAt: new Date().toISOString() })
      written = text
    } finally {
      isWriting = false
    }
  }
}

const closeGraceMs = 500

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}

/** Reports each refusal of the credentials, and the first message that is accepted after one. */
function watchCredentials({ onRefused, onAccepted }: LaneDependencies, key: LaneKey) {
  let isAccepted = false
  let refusedAt = Number.NEGATIVE_INFINITY
  return {
    noteRefusal(outcome: Exclude<SendOutcome, { kind: 'accepted' }>) {
      if (outcome.kind !== 'rejected' || outcome.scope !== 'sender' || outcome.reason !== 'channel_auth') return
      isAccepted = false
      refusedAt = performance.now()
      onRefused(key, { code: outcome.code, message: outcome.detail })
    },
    noteAccepted(sentAt: number) {
      // Late responses to messages sent before the rejection prove nothing.
      if (isAccepted || sentAt < refusedAt) return
      isAccepted = true
      onAccepted(key)
    },
  }
}

function connect(
  { io }: LaneDependencies,
  key: LaneKey,
  { provider, config, callbackUrl, lineId, readFile, onEvents }: Connection & Pick<ProviderIo, 'onEvents'>,
): Session {
  const session = provider.connect(config, {
    ...io,
    callbackUrl,
    ...(lineId === undefined ? {} : { lineId }),
    ...(readFile && { readFile }),
    onEvents,
    // Read once a second, which is precise enough.
    onState: () => undefined,
  })
  return {
    ...session,
    state: () => storableJson(session.state()),
    send: (batch, onOutcome, options) =>
      session.send(batch, (index, outcome) => onOutcome(index, storableOutcome(outcome)), options),
    ...(session.revoke && {
      revoke: (batch, onRevoked) =>
        session.revoke?.(batch, (index, outcome) => onRevoked(index, storableRevocation(outcome))),
    }),
  }
}

function createFlow({ ratePerSecond }: Connection, session: Session) {
  const bucket = createTokenBucket(ratePerSecond)
  const breaker = createCircuitBreaker()
  return { bucket, breaker, admission: createAdmission({ bucket, breaker, window: session.window }) }
}

function present(
  { ready, binds, lastError }: SessionState,
  { isHeld, refusal }: { isHeld: boolean; refusal: LaneState['lastError'] },
) {
  const bound = binds.filter(({ status }) => status === 'bound').length
  const connected = bound === binds.length && !isHeld ? ('connected' as const) : ('degraded' as const)
  const error = lastError ? { ...lastError, at: lastError.at.toISOString() } : refusal
  return {
    status: ready ? connected : ('connecting' as const),
    binds: binds.map((bind) => ({ ...bind, since: bind.since.toISOString() })),
    ...(error ? { lastError: error } : {}),
  }
}
