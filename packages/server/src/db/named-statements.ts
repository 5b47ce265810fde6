import { createHash } from 'node:crypto'
import type { Writable } from 'node:stream'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'

/** Uses before a statement is prepared, and maximum number of prepared statements: each takes memory in each connection. */
const usesBeforeName = 3
const mostNames = 400
const mostTexts = 5000

/** PostgreSQL's error when a table's columns changed under a prepared statement. */
const staleStatement = '0A000'

/**
 * Adapts a pool for Kysely and prepares repeated statements: planning took five to ten times as long as running them.
 * Statements in `sentAhead` have no result of interest: they are sent together with the next statement, which fails if one
 * of them fails. Clients of the pool must be in pipeline mode.
 */
export function withNamedStatements(pool: pg.Pool, sentAhead: ReadonlySet<string> = new Set()): PostgresPool {
  const names = createNames()
  const wrapped = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect()
      const known = wrapped.get(client) ?? wrap(client, names, sentAhead)
      wrapped.set(client, known)
      return known
    },
    end: () => pool.end(),
  }
}

function wrap(client: pg.PoolClient, names: Names, sentAhead: ReadonlySet<string>): PostgresPoolClient {
  const send = async (text: string, parameters: readonly unknown[]) => {
    // One message instead of five.
    if (text === 'begin' || text === 'commit') return client.query(text)
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
  return {
    // Kysely also supports cursors, which need a module that is not installed.
    query: (sentAhead.size > 0 ? sendAhead(client, send, sentAhead) : send) as unknown as PostgresPoolClient['query'],
    release: (destroy) => client.release(destroy),
  }
}

type Send = (text: string, parameters: readonly unknown[]) => Promise<pg.QueryResult>

const unread = { command: '', rowCount: 0, oid: 0, fields: [], rows: [] } satisfies pg.QueryResult

function sendAhead(client: pg.PoolClient, send: Send, sentAhead: ReadonlySet<string>): Send {
  let ahead: Promise<unknown>[] = []
  return async (text, parameters) => {
    writeTogether(client)
    const answer = send(text, parameters)
    if (sentAhead.has(text)) {
      ahead.push(answer)
      // The next statement throws it.
      answer.catch(() => undefined)
      return unread
    }
    const before = ahead
    ahead = []
    if (before.length > 0) {
      // The first of several failures is the cause.
      answer.catch(() => undefined)
      for (const one of before) await one
    }
    return answer
  }
}

/** Sends everything written in this tick of the event loop in one packet. */
function writeTogether(client: pg.PoolClient) {
  // pg's types omit the socket.
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection
  stream.cork()
  process.nextTick(() => stream.uncork())
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
