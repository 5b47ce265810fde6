import { type Dispatcher, Pool } from 'undici'
import { inBackground } from '../background.ts'
import type { Simulation } from '../simulation.ts'

/** One call to the customer, repeated until `isTaken` accepts the response. */
export type Callback = {
  url: string
  method: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
  /** By default any 2xx. */
  isAccepted?: (status: number, body: string) => boolean
  done?: () => void
}

export type Callbacks = {
  send: (callback: Callback) => void
  counts: () => { waiting: number; inFlight: number; taken: number; failedTries: number; givenUp: number }
  reset: () => void
  close: () => Promise<void>
}

const mostInFlight = 64
const mostTries = 8
const firstRetryMs = 200
const answerWithinMs = 15_000

/** Posts callbacks over kept-alive connections, with bounded concurrency and retries with growing delays. */
export function createCallbacks(simulation: Simulation): Callbacks {
  const pools = new Map<string, Pool>()
  let queue: { callback: Callback; tries: number }[] = []
  let head = 0
  let inFlight = 0
  let taken = 0
  let failedTries = 0
  let givenUp = 0
  let isClosed = false

  function poolOf(origin: string): Pool {
    const pool = pools.get(origin) ?? new Pool(origin, { connections: mostInFlight, pipelining: 1 })
    pools.set(origin, pool)
    return pool
  }

  function fill() {
    while (!isClosed && inFlight < mostInFlight && head < queue.length) {
      const next = queue[head]
      head += 1
      if (head > 4096) {
        queue.splice(0, head)
        head = 0
      }
      if (next) inBackground(attempt(next.callback, next.tries))
    }
  }

  async function attempt(callback: Callback, tries: number) {
    inFlight += 1
    const isAccepted = await tryOnce(poolOf, callback)
    inFlight -= 1
    if (isAccepted) taken += 1
    else failedTries += 1
    if (isAccepted || tries + 1 >= mostTries) {
      if (!isAccepted) givenUp += 1
      callback.done?.()
    } else
      simulation.scheduler.after(firstRetryMs * 2 ** tries, () => {
        queue.push({ callback, tries: tries + 1 })
        fill()
      })
    fill()
  }

  return {
    send(callback) {
      queue.push({ callback, tries: 0 })
      fill()
    },
    counts: () => ({ waiting: queue.length - head, inFlight, taken, failedTries, givenUp }),
    reset() {
      queue = []
      head = 0
    },
    async close() {
      isClosed = true
      await Promise.all([...pools.values()].map((pool) => pool.destroy()))
    },
  }
}

async function tryOnce(poolOf: (origin: string) => Pool, callback: Callback): Promise<boolean> {
  try {
    const url = new URL(callback.url)
    const request: Dispatcher.RequestOptions = {
      path: url.pathname + url.search,
      method: callback.method,
      headersTimeout: answerWithinMs,
      bodyTimeout: answerWithinMs,
    }
    if (callback.headers) request.headers = callback.headers
    if (callback.body !== undefined) request.body = callback.body
    const answer = await poolOf(url.origin).request(request)
    const body = await answer.body.text()
    return callback.isAccepted
      ? callback.isAccepted(answer.statusCode, body)
      : answer.statusCode >= 200 && answer.statusCode < 300
  } catch {
    // Rejected, reset, too slow or no address: the customer did not accept it, whatever the cause.
    return false
  }
}

/** Parses a customer's callback address; undefined if it cannot be called. */
export function readUrl(text: string | undefined): string | undefined {
  if (!text || !URL.canParse(text)) return undefined
  return /^https?:/.test(text) ? text : undefined
}

export function formBody(fields: Record<string, string>): Pick<Callback, 'method' | 'headers' | 'body'> {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  }
}

export function jsonBody(value: unknown): Pick<Callback, 'method' | 'headers' | 'body'> {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) }
}
