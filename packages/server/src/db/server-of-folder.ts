import { randomBytes } from 'node:crypto'
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** Whether a server serves a folder; `silent` if it does not respond in time. */
export type ServerOfFolder = 'same' | 'other' | 'silent'

const attemptMs = 5000
const longestMs = 30_000
/** The server is starting, recovering or stopping. */
const busy = '57P03'
/** User, password or database of another server. */
const otherServerErrors = /^(?:28|3D)/

/**
 * Whether the server at `url` uses this directory. Paths prove nothing, since folders are moved and copied: a file written
 * here is read through the server.
 */
export async function findServerOfFolder(clusterDirectory: string, url: string): Promise<ServerOfFolder> {
  const name = `carillon.probe.${randomBytes(8).toString('hex')}`
  const file = join(clusterDirectory, name)
  const words = randomBytes(16).toString('hex')
  writeFileSync(file, words)
  chmodSync(file, 0o644)
  const deadline = performance.now() + longestMs
  try {
    for (;;) {
      const found = await queryServer(url, { name, words })
      if (found !== 'busy') return found
      if (performance.now() > deadline) return 'silent'
      await sleep(200)
    }
  } finally {
    rmSync(file, { force: true })
  }
}

async function queryServer(
  url: string,
  { name, words }: { name: string; words: string },
): Promise<ServerOfFolder | 'busy'> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: attemptMs,
    query_timeout: attemptMs,
    application_name: 'carillon start',
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ words: string | null }>('select pg_read_file($1, true) as words', [name])
    return rows[0]?.words === words ? 'same' : 'other'
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === busy) return 'busy'
    return otherServerErrors.test(code) ? 'other' : 'silent'
  } finally {
    client.end().catch(() => undefined)
  }
}
