import type pg from 'pg'
import type { Session } from '../../../channels/provider.ts'

/** Longer than any pass over the database takes, and than a provider lets a message go unanswered. */
const longestMs = { database: 20_000, provider: 900_000 }
type WatchedStep = keyof typeof longestMs
/** Longer than a connection may take to open. */
const longestWithoutConnectionMs = 40_000

/** Says when a lane does not work although there is something to do. */
export type LaneWatch = {
  /** The same pool, its answers watched. */
  watchPool(pool: pg.Pool): pg.Pool
  /** The same session, the outcomes of its messages watched. */
  watchSession(session: Session): Session
  findStuck(session: Session, hasWork: boolean): string | undefined
}

export function createLaneWatch(now: () => number = () => performance.now()): LaneWatch {
  const pending = { database: new Set<{ since: number }>(), provider: new Set<{ since: number }>() }
  let withoutConnectionSince: number | undefined

  /** Returns what ends the wait. */
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

  /** Sets keep their order: the first entry is the oldest. */
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
      send(batch, onOutcome) {
        const end = begin('provider')
        let open = batch.length
        session.send(batch, (index, outcome) => {
          open -= 1
          if (open === 0) end()
          onOutcome(index, outcome)
        })
      },
    }),
    findStuck(session, hasWork) {
      if (session.state().ready) withoutConnectionSince = undefined
      else withoutConnectionSince ??= now()
      if (isLate('database')) return 'the database does not answer'
      if (isLate('provider')) return 'the provider does not answer'
      const isAlone =
        withoutConnectionSince !== undefined && now() - withoutConnectionSince > longestWithoutConnectionMs
      return hasWork && isAlone ? 'there is no connection to the provider' : undefined
    },
  }
}
