import type { Session } from '../../channels/provider.ts'

/** Longer than any pass over the database takes, and than a provider lets a message go unanswered. */
const longestMs = { database: 20_000, provider: 900_000 }
/** Longer than a connection may take to open. */
const longestWithoutConnectionMs = 40_000

/** Says when a lane does not work although there is something to do. */
export type LaneWatch = {
  /** The same object, its answers watched. All methods named must return promises. */
  watch<Target extends object>(kind: keyof typeof longestMs, target: Target, methods: readonly (keyof Target)[]): Target
  findStuck(session: Session, hasWork: boolean): string | undefined
}

export function createLaneWatch(now: () => number = () => performance.now()): LaneWatch {
  const pending = { database: new Set<{ since: number }>(), provider: new Set<{ since: number }>() }
  let withoutConnectionSince: number | undefined

  async function follow(kind: keyof typeof longestMs, call: () => unknown): Promise<unknown> {
    const entry = { since: now() }
    pending[kind].add(entry)
    try {
      return await call()
    } finally {
      pending[kind].delete(entry)
    }
  }

  /** Sets keep their order: the first entry is the oldest. */
  function isLate(kind: keyof typeof longestMs): boolean {
    const [oldest] = pending[kind]
    return oldest !== undefined && now() - oldest.since > longestMs[kind]
  }

  return {
    watch: (kind, target, methods) =>
      new Proxy(target, {
        get(of, name) {
          const member: unknown = Reflect.get(of, name)
          if (typeof member !== 'function') return member
          const call = (...args: unknown[]): unknown => Reflect.apply(member, of, args)
          if (!methods.some((method) => method === name)) return call
          return (...args: unknown[]) => follow(kind, () => call(...args))
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
