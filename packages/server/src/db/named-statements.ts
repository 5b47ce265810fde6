import { createHash } from 'node:crypto'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'

/** How often a text has to come by before it is worth a name, and how many may have one: each takes memory in each connection. */
const usesBeforeName = 3
const mostNames = 400
const mostTexts = 5000

/** PostgreSQL's answer when a table changed its columns under a prepared statement. */
const staleStatement = '0A000'

/**
 * The pool as Kysely wants it, with names for the statements that come again and again: to plan them took five to ten times
 * as long as to run them.
 */
export function withNamedStatements(pool: pg.Pool): PostgresPool {
  const names = createNames()
  const wrapped = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect()
      const known = wrapped.get(client) ?? wrap(client, names)
      wrapped.set(client, known)
      return known
    },
    end: () => pool.end(),
  }
}

function wrap(client: pg.PoolClient, names: Names): PostgresPoolClient {
  const query = async (text: string, parameters: readonly unknown[]) => {
    const values = [...parameters]
    const name = names.of(text)
    if (!name) return client.query({ text, values })
    try {
      return await client.query({ name, text, values })
    } catch (error) {
      if (isStale(error)) names.renew(text)
      throw error
    }
  }
  // Kysely also knows cursors, which need a module that is not installed.
  return { query: query as unknown as PostgresPoolClient['query'], release: (destroy) => client.release(destroy) }
}

type Names = { of(text: string): string | undefined; renew(text: string): void }

function createNames(): Names {
  const uses = new Map<string, number>()
  const names = new Map<string, string>()
  let renewed = 0
  return {
    of(text) {
      const known = names.get(text)
      if (known !== undefined || names.size >= mostNames) return known
      const count = (uses.get(text) ?? 0) + 1
      if (count < usesBeforeName) {
        if (count > 1 || uses.size < mostTexts) uses.set(text, count)
        return undefined
      }
      uses.delete(text)
      const name = createHash('sha256').update(text).digest('base64url').slice(0, 32)
      names.set(text, name)
      return name
    },
    renew(text) {
      renewed += 1
      names.set(text, `${names.get(text)?.split(' ')[0]} ${renewed}`)
    },
  }
}

function isStale(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === staleStatement
}
