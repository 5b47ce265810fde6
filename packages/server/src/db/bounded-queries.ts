import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'

/**
 * How long a query may take, locks included. A network that swallows packets lets a query without a bound wait for ever; this
 * is also how long a call can hang before it is answered 503.
 */
const usualTimeoutMs = 30_000
/** For what reads or writes a lot in one statement, in the background. */
const longTimeoutMs = 600_000

const patience = new AsyncLocalStorage<number>()

/** Queries of `work` may take longer. */
export function withPatience<Result>(work: () => Promise<Result>): Promise<Result> {
  return patience.run(longTimeoutMs, work)
}

/** A session that holds locks and whose client vanished ends on the server after this time, and its locks with it. */
const sessionSettings = `
  set idle_in_transaction_session_timeout = '60s'; set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10;
  set tcp_keepalives_count = 3`

/** One method with many forms. All of them go through unchanged, so its type is put aside and given back. */
type Query = (...args: unknown[]) => unknown

/** Makes a pool end queries in time, and the connections whose answer did not come. */
export function boundQueries(pool: pg.Pool, timeoutMs = usualTimeoutMs): void {
  // The pool waits for what it returns; its type does not say so.
  const onConnect = pool.options.onConnect as ((client: pg.ClientBase) => void | Promise<void>) | undefined
  // Connections are opened with the options of the pool.
  Object.assign(pool.options, {
    query_timeout: timeoutMs,
    async onConnect(client: pg.ClientBase) {
      await onConnect?.(client)
      await prepareSession(client)
    },
  })
  // Any of its forms, see Query.
  const query = pool.query.bind(pool) as Query
  pool.query = ((...args: unknown[]) => query(...withTimeout(args))) as typeof pool.query
  pool.on('connect', boundConnection)
}

/** A server that refuses the settings is used without them. */
async function prepareSession(client: pg.ClientBase) {
  try {
    await client.query(sessionSettings)
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error
  }
}

function boundConnection(client: pg.PoolClient) {
  // Any of its forms, see Query.
  const query = client.query.bind(client) as Query
  const bounded = (...args: unknown[]) => {
    // With a callback it is a query of the pool, which another task may have begun. The pool ends the connection if it fails.
    if (hasCallback(args)) return query(...args)
    const answer = query(...withTimeout(args))
    if (answer instanceof Promise) answer.catch((error: unknown) => endIfLate(client, error))
    return answer
  }
  // The type that was put aside.
  client.query = bounded as typeof client.query
}

const hasCallback = (args: readonly unknown[]) => typeof args.at(-1) === 'function'

function withTimeout(args: unknown[]): unknown[] {
  const timeout = patience.getStore()
  const [first, values] = args
  if (timeout === undefined || hasCallback(args)) return args
  if (typeof first === 'string') return [{ text: first, query_timeout: timeout, ...(values ? { values } : {}) }]
  // Anything else than a plain query, such as a stream, has its own ways.
  const isPlain = typeof first === 'object' && first !== null && 'text' in first && !('submit' in first)
  return isPlain ? [{ query_timeout: timeout, ...first }, ...args.slice(1)] : args
}

/** Whatever came next on this connection would wait behind the answer that is missing. */
function endIfLate(client: pg.PoolClient, error: unknown) {
  if (error instanceof Error && error.message === 'Query read timeout') client.end().catch(() => undefined)
}
