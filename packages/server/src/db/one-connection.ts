import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'

type Holding = { takenAt: Error | undefined; isReleased: boolean }

const holding = new AsyncLocalStorage<Holding>()
let refused: ConnectionHeld[] | undefined

/**
 * For tests: also keeps where the first connection was taken, and what was refused, because the caller may swallow the
 * error. The stack costs 25 µs a transaction, all else 1 µs. Answers the list that grows from now on.
 */
export function traceConnections(): readonly ConnectionHeld[] {
  // The caller stands behind the frames of the pool and of Kysely.
  Error.stackTraceLimit = 40
  refused ??= []
  return refused
}

/** Thrown where a task that holds a connection asks for another or does what takes long; in tests `cause` says where it took it. */
export class ConnectionHeld extends Error {
  override name = 'ConnectionHeld'
}

/** Marks that everything in `work` runs while a connection is held. */
export async function holdingConnection<Result>(work: () => Promise<Result>): Promise<Result> {
  const takenAt = refused ? new Error('The first connection was taken here') : undefined
  const mine: Holding = { takenAt, isReleased: false }
  try {
    return await holding.run(mine, work)
  } finally {
    mine.isReleased = true
  }
}

/** For what takes long: it must not run while a connection is held. */
export function assertNoConnectionHeld(what: string): void {
  const held = holding.getStore()
  if (held && !held.isReleased) throw new ConnectionHeld(`${what} while a connection is held`, { cause: held.takenAt })
}

/**
 * Makes a pool refuse a second connection to a task that holds one. Such tasks block each other as soon as they hold all
 * connections of a pool between them: each waits for one that another holds.
 */
export function refuseSecondConnections(pool: pg.Pool): void {
  const connect = pool.connect.bind(pool)
  type Callback = Parameters<typeof connect>[0]
  const guarded = (callback?: Callback) => {
    const held = holding.getStore()
    if (!held || held.isReleased) return callback ? connect(callback) : connect()
    const error = new ConnectionHeld('A task that holds a connection asked for another', { cause: held.takenAt })
    refused?.push(error)
    if (!callback) return Promise.reject(error)
    return callback(error, undefined, () => undefined)
  }
  // The two forms of one method, which the type of an arrow function cannot tell apart.
  pool.connect = guarded as typeof pool.connect
}
