import { createHash } from 'node:crypto'
import type { Writable } from 'node:stream'
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
 * as long as to run them. Statements in `sentAhead` return nothing that anybody reads: they leave together with the next
 * statement, which fails if one of them fails. The clients of such a pool must be in pipeline mode.
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
    // Kysely also knows cursors, which need a module that is not installed.
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
      // It is thrown by the next statement.
      answer.catch(() => undefined)
      return unread
    }
    const before = ahead
    ahead = []
    if (before.length > 0) {
      // Of several failures the first one is the cause.
      answer.catch(() => undefined)
      for (const one of before) await one
    }
    return answer
  }
}

/** What is sent before the event loop goes on leaves in one write. */
function writeTogether(client: pg.PoolClient) {
  // The types of pg leave out the socket.
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
