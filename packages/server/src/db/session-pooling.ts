import pg from 'pg'
import { isQueryTimeout } from './roles.ts'
import { DatabaseSetupError } from './setup-error.ts'

const rounds = 5
const timeoutMs = 15_000
const remedy = 'set pool_mode = session in PgBouncer, or connect to PostgreSQL itself'

/**
 * Throws if connections share server sessions, as behind a pooler in transaction mode: roles, locks and notifications belong
 * to a session and would leak to other connections.
 */
export async function requireSessionPooling(url: string): Promise<void> {
  const first = openClient(url)
  const second = openClient(url)
  try {
    await first.connect()
    await second.connect()
    if (await shareProcesses(first, second))
      throw new DatabaseSetupError(`The pooler of the database does not pool by session: ${remedy}`)
  } finally {
    await Promise.allSettled([first.end(), second.end()])
  }
}

function openClient(url: string): pg.Client {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    application_name: 'carillon start',
  })
  client.on('error', () => undefined)
  return client
}

/**
 * A pooler in transaction mode may give an idle connection's server session to the next client, depending on load; so this
 * is tested several times.
 */
async function shareProcesses(first: pg.Client, second: pg.Client): Promise<boolean> {
  const ofFirst = new Set<number>()
  const ofSecond = new Set<number>()
  for (let round = 0; round < rounds; round += 1) {
    ofFirst.add(await readProcess(first))
    await begin(second)
    ofSecond.add(await readProcess(second))
    await second.query('rollback')
  }
  return ofFirst.size > 1 || ofSecond.size > 1 || [...ofFirst].some((process) => ofSecond.has(process))
}

async function begin(client: pg.Client) {
  try {
    await client.query('begin')
  } catch (error) {
    if (isQueryTimeout(error))
      throw new DatabaseSetupError(
        'The pooler of the database gives no second connection: raise default_pool_size in PgBouncer',
      )
    throw new DatabaseSetupError(
      `The pooler of the database refuses transactions (${error instanceof Error ? error.message : String(error)}): ${remedy}`,
    )
  }
}

async function readProcess(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}
