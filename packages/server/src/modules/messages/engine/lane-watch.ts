import type pg from 'pg'
import type { Session } from '../../../channels/provider.ts'

/** Longer than any statement takes, and than a provider leaves a message without a response. */
const longestMs = { database: 20_000, provider: 900_000 }
type WatchedStep = keyof typeof longestMs
/** Maximum time to open a connection. */
const longestWithoutConnectionMs = 40_000

/** Detects a lane that makes no progress although it has work. */
export type LaneWatch = {
  /** The same pool, with its responses observed. */
  watchPool(pool: pg.Pool): pg.Pool
  /** The same session, with its outcomes observed. */
  watchSession(session: Session): Session
  findStuck(session: Session, hasWork: boolean): string | undefined
}

export function createLaneWatch(now: () => number = () => performance.now()): LaneWatch {
  const pending = { database: new Set<{ since: number }>(), provider: new Set<{ since: number }>() }
  let withoutConnectionSince: number | undefined

  /** Returns the function that ends the wait. */
  function begin(kind: WatchedStep): () => void {
    const entry = { since: now() }
    pending[kind].add(entry)
    return () => pending[kind].delete(entry)
  }

  async function follow(call: () => unknown): Promise<unknown> {
    const end = begin('database')
    try {
      return await call()
    } finally {
      end()
    }
  }

  /** Sets are ordered by insertion: the first entry is the oldest. */
  function isLate(kind: WatchedStep): boolean {
    const [oldest] = pending[kind]
    return oldest !== undefined && now() - oldest.since > longestMs[kind]
  }

  return {
    watchPool: (pool) =>
      new Proxy(pool, {
        get(of, name) {
          const member: unknown = Reflect.get(of, name)
          if (typeof member !== 'function') return member
          const call = (...args: unknown[]): unknown => Reflect.apply(member, of, args)
          return name === 'query' || name === 'connect' ? (...args: unknown[]) => follow(() => call(...args)) : call
        },
      }),
    watchSession: (session) => ({
      ...session,
      send(batch, onOutcome, options) {
        const end = begin('provider')
        let open = batch.length
        session.send(
          batch,
          (index, outcome) => {
            open -= 1
            if (open === 0) end()
            onOutcome(index, outcome)
          },
          options,
        )
      },
      ...(session.revoke && {
        revoke(batch, onRevoked) {
          const end = begin('provider')
          let open = batch.length
          session.revoke?.(batch, (index, outcome) => {
            open -= 1
            if (open === 0) end()
            onRevoked(index, outcome)
          })
        },
      }),
    }),
    findStuck(session, hasWork) {
      if (session.state().ready) withoutConnectionSince = undefined
      else withoutConnectionSince ??= now()
      if (isLate('database')) return 'the database does not respond'
      if (isLate('provider')) return 'the provider does not answer'
      const isAlone =
        withoutConnectionSince !== undefined && now() - withoutConnectionSince > longestWithoutConnectionMs
      return hasWork && isAlone ? 'there is no connection to the provider' : undefined
    },
  }
}
