import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'

type Holding = { takenAt: Error | undefined; isReleased: boolean }

const holding = new AsyncLocalStorage<Holding>()
let refused: ConnectionHeld[] | undefined

/**
 * For tests: also records where the first connection was taken, and each refusal, because the caller may swallow the error.
 * The stack trace costs 25 µs per transaction, the rest 1 µs. Returns the list of refusals, which grows.
 */
export function traceConnections(): readonly ConnectionHeld[] {
  // The caller is below the frames of the pool and Kysely.
  Error.stackTraceLimit = 40
  refused ??= []
  return refused
}

/** Thrown if a task that holds a connection requests another one or runs a slow operation. In tests, `cause` shows where the first was taken. */
export class ConnectionHeld extends Error {
  override name = 'ConnectionHeld'
}

/** Marks everything in `work` as holding a connection. */
export async function holdingConnection<Result>(work: () => Promise<Result>): Promise<Result> {
  const takenAt = refused ? new Error('The first connection was taken here') : undefined
  const mine: Holding = { takenAt, isReleased: false }
  try {
    return await holding.run(mine, work)
  } finally {
    mine.isReleased = true
  }
}

/** For slow operations, which must not run while a connection is held. */
export function assertNoConnectionHeld(what: string): void {
  const held = holding.getStore()
  if (held && !held.isReleased) throw new ConnectionHeld(`${what} while a connection is held`, { cause: held.takenAt })
}

/**
 * Makes a pool refuse a second connection to a task that holds one. Such tasks deadlock once they hold all connections of
 * the pool: each waits for one that another holds.
 */
export function refuseSecondConnections(pool: pg.Pool): void {
  const connect = pool.connect.bind(pool)
  type Callback = Parameters<typeof connect>[0]
  const guarded = (callback?: Callback) => {
    const held = holding.getStore()
    if (!held || held.isReleased) return callback ? connect(callback) : connect()
    const error = new ConnectionHeld('A task that holds a connection requested another one', { cause: held.takenAt })
    refused?.push(error)
    if (!callback) return Promise.reject(error)
    return callback(error, undefined, () => undefined)
  }
  // Two overloads, which the type of an arrow function cannot express.
  pool.connect = guarded as typeof pool.connect
}
