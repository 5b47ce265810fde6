import type { PostgresPool } from 'kysely'
import pg from 'pg'
import { planOnce } from './partition-days.ts'
import { adaptPool, writeTogether, type Names, type Send } from './named-statements.ts'

/** Prepared once on each connection, because it is sent with every statement. */
const scopeStatement = 'scope'

type Options = {
  names: Names
  role: string
  /** Sets the scope. All work begins with it. */
  setScope: string
  /** Sets the scope, with the same parameters and the mode of planning, and makes the transaction read-only. */
  setReadScope: string
}

/**
 * Adapts a pool for Kysely, for work that only reads. Each statement is a transaction of its own: the scope is sent in front
 * of it, in the same message, and PostgreSQL ends it with the response. So a read takes one round trip instead of two and
 * one message in each direction instead of four, and the connection is never idle in a transaction. PostgreSQL refuses writes
 * and locks, which would not last until the next statement.
 */
export function withScopedReads(pool: pg.Pool, { names, role, setScope, setReadScope }: Options): PostgresPool {
  return adaptPool(pool, {
    names,
    async prepare(client) {
      await client.query({ name: scopeStatement, text: setReadScope, values: [role, '', '', '', 'auto'] })
    },
    wrap: (client) => sendScoped(client, setScope),
  })
}

function sendScoped(client: pg.PoolClient, setScope: string): { send: Send; onRelease: () => void } {
  let scope: readonly unknown[] | undefined
  return {
    async send({ text, values, name }) {
      if (text === setScope) {
        scope = values
        return nothing
      }
      if (!scope) throw new Error('A statement was sent without a scope')
      const planning = name && text.includes(planOnce) ? 'force_generic_plan' : 'auto'
      return query(
        client,
        new ScopedQuery({ text, values: [...values], ...(name ? { name } : {}) }, [...scope, planning]),
      )
    },
    // The next work sets its own.
    onRelease: () => (scope = undefined),
  }
}

const nothing = { command: '', rowCount: 0, oid: 0, fields: [], rows: [] } satisfies pg.QueryResult

function query(client: pg.PoolClient, scoped: ScopedQuery): Promise<pg.QueryResult> {
  writeTogether(client)
  return new Promise((resolve, reject) => {
    scoped.callback = (error, result) => (error ? reject(error) : resolve(result))
    client.query(scoped)
  })
}

/** What pg's connection and query have, and its types omit. */
type Wire = {
  bind(message: { portal: string; statement: string; values: readonly unknown[] }): void
  execute(message: { portal: string }): void
  parsedStatements: Record<string, string | undefined>
}
type Internals = {
  callback: (error: Error | null, result: pg.QueryResult) => void
  prepare(wire: Wire): void
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, wire: Wire): void
}
type Config = pg.QueryConfig & { queryMode: 'extended' }
// The class of pg, with the methods it has.
const Query = pg.Query as unknown as new (config: Config) => pg.Query & Internals

/** A statement with its scope in front. The server answers both before it ends the transaction, the scope first. */
class ScopedQuery extends Query {
  readonly #scope: readonly unknown[]
  #isScoped = false

  constructor(config: pg.QueryConfig, scope: readonly unknown[]) {
    // Simple queries are sent another way.
    super({ ...config, queryMode: 'extended' })
    this.#scope = scope
  }

  override prepare(wire: Wire) {
    wire.bind({ portal: '', statement: scopeStatement, values: this.#scope })
    wire.execute({ portal: '' })
    super.prepare(wire)
  }

  override handleDataRow(message: unknown) {
    if (this.#isScoped) super.handleDataRow(message)
  }

  override handleCommandComplete(message: unknown, wire: Wire) {
    if (this.#isScoped) super.handleCommandComplete(message, wire)
    this.#isScoped = true
  }
}
