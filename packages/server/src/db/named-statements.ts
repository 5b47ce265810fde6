import { createHash } from 'node:crypto'
import type { Writable } from 'node:stream'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { planAnew } from './partition-days.ts'

/** Uses before a statement is prepared, and maximum number of prepared statements: each takes memory in each connection. */
const usesBeforeName = 3
const mostNames = 400
const mostTexts = 5000

/** PostgreSQL's error when a table's columns changed under a prepared statement. */
const staleStatement = '0A000'

/** One statement, with the name under which it is prepared. */
type Statement = { text: string; values: readonly unknown[]; name: string | undefined }
export type Send = (statement: Statement) => Promise<pg.QueryResult>

type Adaptation = {
  names: Names
  /** Runs once on each connection before its first use. */
  prepare?(client: pg.PoolClient): Promise<void>
  wrap(client: pg.PoolClient): { send: Send; onRelease?: () => void }
}

/** Adapts a pool for Kysely and prepares repeated statements: planning took five to ten times as long as running them. */
export function adaptPool(pool: pg.Pool, { names, prepare, wrap }: Adaptation): PostgresPool {
  const adapted = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect()
      const known = adapted.get(client)
      if (known) return known
      try {
        await prepare?.(client)
      } catch (error) {
        client.release(true)
        throw error
      }
      const own = adaptClient(client, names, wrap(client))
      adapted.set(client, own)
      return own
    },
    end: () => pool.end(),
  }
}

function adaptClient(
  client: pg.PoolClient,
  names: Names,
  { send, onRelease }: ReturnType<Adaptation['wrap']>,
): PostgresPoolClient {
  const query = async (text: string, values: readonly unknown[]) => {
    try {
      return await send({ text, values, name: mayPrepare(text) ? names.of(text) : undefined })
    } catch (error) {
      if (isStale(error)) names.renew(text)
      throw error
    }
  }
  return {
    // Kysely also supports cursors, which need a module that is not installed.
    query: query as unknown as PostgresPoolClient['query'],
    release: (destroy) => {
      onRelease?.()
      client.release(destroy)
    },
  }
}

const isControl = (text: string) => text === 'begin' || text === 'commit'

const mayPrepare = (text: string) => !isControl(text) && !text.includes(planAnew)

/**
 * Statements in `sentAhead` have no result of interest: they are sent together with the next statement, which fails if one
 * of them fails. Clients of the pool must be in pipeline mode.
 */
export function withNamedStatements(
  pool: pg.Pool,
  { names, sentAhead = new Set() }: { names: Names; sentAhead?: ReadonlySet<string> },
): PostgresPool {
  return adaptPool(pool, {
    names,
    wrap: (client) => ({ send: sentAhead.size > 0 ? sendAhead(client, sentAhead) : sendTo(client) }),
  })
}

function sendTo(client: pg.PoolClient): Send {
  return async ({ text, values, name }) => {
    // One message instead of five.
    if (isControl(text)) return client.query(text)
    return client.query({ text, values: [...values], ...(name ? { name } : {}) })
  }
}

const unread = { command: '', rowCount: 0, oid: 0, fields: [], rows: [] } satisfies pg.QueryResult

function sendAhead(client: pg.PoolClient, sentAhead: ReadonlySet<string>): Send {
  const send = sendTo(client)
  let ahead: Promise<unknown>[] = []
  return async (statement) => {
    writeTogether(client)
    const answer = send(statement)
    if (sentAhead.has(statement.text)) {
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
export function writeTogether(client: pg.PoolClient) {
  // pg's types omit the socket.
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/** The names of repeated statements. Connections of one pool share them. */
export type Names = { of(text: string): string | undefined; renew(text: string): void }

export function createNames(): Names {
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
