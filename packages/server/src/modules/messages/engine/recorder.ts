import { failPoint } from '../../../lib/fail-points.ts'

/**
 * Collects outcomes of sent messages and writes them together, one write at a time: with the next requested write, or shortly
 * after the first outcome.
 */
export type Recorder<Entry, WriteRequest, Answer> = {
  /** This many messages are about to be sent. */
  expect(messages: number): void
  /** The outcome of one of them. */
  settle(entry: Entry): void
  /** Results of messages that are not sent. */
  add(entries: readonly Entry[]): void
  /** Writes what is known, in the requested statement. */
  write(request?: WriteRequest): Promise<Answer>
  inFlight(): number
  /**
   * Resolves when every message has its outcome, and every outcome is written; once abandoned, when the known outcomes are
   * written.
   */
  settled(): Promise<void>
  /** Resolves when the outcomes known now are written, or cannot be. */
  caughtUp(): Promise<void>
  /** Stops waiting for outcomes. Later ones are still written. */
  abandon(): void
}

/** Outcomes wait this long to be written together. */
const gatherMs = 100

export type RecorderOptions<Entry, WriteRequest, Answer> = {
  write(entries: Entry[], request: WriteRequest | undefined): Promise<Answer>
  /** A write failed permanently. Nothing is written after it. */
  onFailure(error: unknown): void
  gatherMs?: number
}

export function createRecorder<Entry, WriteRequest = never, Answer = void>(
  options: RecorderOptions<Entry, WriteRequest, Answer>,
): Recorder<Entry, WriteRequest, Answer> {
  let pending: Entry[] = []
  /** Resolves when `pending` is written. */
  let pendingWritten = Promise.withResolvers<void>()
  let inFlight = 0
  let isAbandoned = false
  let failure: { error: unknown } | undefined
  let timer: NodeJS.Timeout | undefined
  let lastWrite: Promise<unknown> = Promise.resolve()
  const waiting = new Set<() => void>()

  function wake() {
    if (inFlight > 0 && !isAbandoned && !failure) return
    for (const resume of waiting) resume()
    waiting.clear()
  }

  function writeSoon() {
    if (pending.length === 0 || failure) return
    timer ??= setTimeout(() => {
      timer = undefined
      // Callers get the error; the lane was informed already.
      if (pending.length > 0) write().catch(() => undefined)
    }, options.gatherMs ?? gatherMs)
  }

  async function writeNow(request: WriteRequest | undefined): Promise<Answer> {
    if (failure) throw failure.error
    const entries = pending
    const written = pendingWritten
    pending = []
    pendingWritten = Promise.withResolvers()
    try {
      if (entries.length > 0) failPoint('before-record')
      const answer = await options.write(entries, request)
      if (entries.length > 0 && inFlight > 0) failPoint('partly-recorded')
      if (entries.length > 0) failPoint('after-record')
      return answer
    } catch (error) {
      failure ??= { error }
      options.onFailure(error)
      wake()
      pendingWritten.resolve()
      throw error
    } finally {
      written.resolve()
    }
  }

  function write(request?: WriteRequest): Promise<Answer> {
    const turn = lastWrite.then(() => writeNow(request))
    lastWrite = turn.catch(() => undefined)
    return turn
  }

  return {
    write,
    inFlight: () => inFlight,
    expect(messages) {
      inFlight += messages
    },
    settle(entry) {
      inFlight -= 1
      pending.push(entry)
      writeSoon()
      if (inFlight === 0) wake()
    },
    add(entries) {
      for (const entry of entries) pending.push(entry)
      writeSoon()
    },
    async settled() {
      if (inFlight > 0 && !isAbandoned && !failure) await new Promise<void>((resume) => waiting.add(resume))
      await lastWrite
      if (failure) throw failure.error
      if (pending.length > 0) await write()
    },
    caughtUp: () => (pending.length > 0 && !failure ? pendingWritten.promise : lastWrite.then(() => undefined)),
    abandon() {
      isAbandoned = true
      wake()
    },
  }
}
