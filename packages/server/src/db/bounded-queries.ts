import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'

/**
 * Maximum duration of a query, including lock waits. Without it, a query would wait forever on a network that drops packets.
 * Also the longest time before a call fails with 503.
 */
const usualTimeoutMs = 30_000
/** For large statements in the background. */
const longTimeoutMs = 600_000

const patience = new AsyncLocalStorage<number>()

/** Raises the query timeout within `work`. */
export function withPatience<Result>(work: () => Promise<Result>): Promise<Result> {
  return patience.run(longTimeoutMs, work)
}

/** The server ends a session that holds locks and whose client vanished after this time. */
const sessionSettings = `
  set idle_in_transaction_session_timeout = '60s'; set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10;
  set tcp_keepalives_count = 3`

/** The overloads of `query`. All are passed through unchanged, so the type is dropped here and restored below. */
type Query = (...args: unknown[]) => unknown

/** Makes a pool time out queries, and discard connections whose response did not arrive. */
export function boundQueries(pool: pg.Pool, timeoutMs = usualTimeoutMs): void {
  // The pool awaits the result, although its type does not say so.
  const onConnect = pool.options.onConnect as ((client: pg.ClientBase) => void | Promise<void>) | undefined
  // New connections use the options of the pool.
  Object.assign(pool.options, {
    query_timeout: timeoutMs,
    async onConnect(client: pg.ClientBase) {
      await onConnect?.(client)
      await prepareSession(client)
    },
  })
  // Any overload, see Query.
  const query = pool.query.bind(pool) as Query
  pool.query = ((...args: unknown[]) => query(...withTimeout(args))) as typeof pool.query
  pool.on('connect', boundConnection)
}

/** Servers that reject the settings are used without them. */
async function prepareSession(client: pg.ClientBase) {
  try {
    await client.query(sessionSettings)
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error
  }
}

function boundConnection(client: pg.PoolClient) {
  // Any overload, see Query.
  const query = client.query.bind(client) as Query
  const bounded = (...args: unknown[]) => {
    // With a callback it is a query of the pool, possibly started by another task. The pool closes the connection on
    // failure.
    if (hasCallback(args)) return query(...args)
    const answer = query(...withTimeout(args))
    if (answer instanceof Promise) answer.catch((error: unknown) => endIfLate(client, error))
    return answer
  }
  // Restores the dropped type.
  client.query = bounded as typeof client.query
}

const hasCallback = (args: readonly unknown[]) => typeof args.at(-1) === 'function'

function withTimeout(args: unknown[]): unknown[] {
  const timeout = patience.getStore()
  const [first, values] = args
  if (timeout === undefined || hasCallback(args)) return args
  if (typeof first === 'string') return [{ text: first, query_timeout: timeout, ...(values ? { values } : {}) }]
  // Anything other than a plain query, such as a stream, handles its own submission.
  const isPlain = typeof first === 'object' && first !== null && 'text' in first && !('submit' in first)
  return isPlain ? [{ query_timeout: timeout, ...first }, ...args.slice(1)] : args
}

/** The next query on this connection would wait for the missing response. */
function endIfLate(client: pg.PoolClient, error: unknown) {
  if (error instanceof Error && error.message === 'Query read timeout') client.end().catch(() => undefined)
}
