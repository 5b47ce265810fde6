import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { isAlive } from './lib/processes.ts'
import { testDatabase, type TestDatabase } from './testing/database.ts'
import { machineEnvironment } from './testing/machine-environment.ts'

const program = fileURLToPath(new URL('main.ts', import.meta.url))
const quiet = { PORT: '0', DEMO: 'off', LOG_LEVEL: 'warn' }

const started: ChildProcess[] = []
const directories: string[] = []
afterEach(async () => {
  for (const child of started.splice(0)) await stop(child, 'SIGTERM')
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true })
})

describe('with an external database', () => {
  let elsewhere: TestDatabase
  beforeAll(async () => {
    elsewhere = await testDatabase()
  })
  afterAll(() => elsewhere.drop())

  test.each([
    ['a setting is wrong', { PORT: 'http' }, [], /^PORT is wrong: .+\n$/],
    ['a secret key is too short', { SECRET_KEY: 'abc' }, [], 'SECRET_KEY is wrong: must be 64 hexadecimal digits\n'],
    [
      'a flag is unknown',
      {},
      ['--port=80'],
      '--port=80 is not a flag; there are --run=web,sender,worker and --after-restore\n',
    ],
    ['a role is unknown', {}, ['--run=mailer'], '--run takes web, sender and worker, not mailer\n'],
    ['the data folder is a file', { DATA_DIR: program }, [], /^DATA_DIR is .+, which cannot be written: .+\n$/],
    ['the data folder is below a file', { DATA_DIR: join(program, 'data') }, [], /^DATA_DIR is .+: .+\n$/],
    [
      'the data folder takes no files',
      { DATA_DIR: '/proc' },
      [],
      /^DATA_DIR is \/proc, which cannot be written: .+\n$/,
    ],
    ['the data folder cannot be made', { DATA_DIR: '/proc/data' }, [], /^DATA_DIR is .+: .+\n$/],
  ])('%s: one line, and no start', async (_, settings, flags, line) => {
    const child = run({ DATABASE_URL: elsewhere.url, DATA_DIR: dataDirectory(), ...settings }, flags)
    expect(await ending(child)).toEqual({ code: 1, words: expect.stringMatching(line), said: '' })
  })

  test('the port is in use', async () => {
    const { server, port } = await occupyPort()
    const child = run({ DATABASE_URL: elsewhere.url, DATA_DIR: dataDirectory(), PORT: String(port) })
    const words = `Port ${port} is taken: set PORT to a free one\n`
    expect(await ending(child)).toEqual({ code: 1, words, said: '' })
    server.close()
  })

  test('the database does not respond', async () => {
    const { server, port } = await occupyPort()
    await new Promise((closed) => server.close(closed))
    const child = run({ DATABASE_URL: `postgres://carillon@127.0.0.1:${port}/carillon`, DATA_DIR: dataDirectory() })
    const words = 'The database does not respond: check DATABASE_URL\n'
    expect(await ending(child)).toEqual({ code: 1, words, said: '' })
  })

  test('the database password is wrong', async () => {
    const url = new URL(elsewhere.url)
    url.password = 'wrong'
    const child = run({ DATABASE_URL: url.href, DATA_DIR: dataDirectory() })
    const words = 'The database rejects the user or the password: check DATABASE_URL\n'
    expect(await ending(child)).toEqual({ code: 1, words, said: '' })
  })

  test('SIGTERM turns readiness off and continues to serve until balancers notice', async () => {
    const child = run({ DATABASE_URL: elsewhere.url, DATA_DIR: dataDirectory(), DRAIN_SECONDS: '2' })
    const url = await address(child)
    child.kill('SIGTERM')
    await expect.poll(async () => (await fetch(`${url}/health/ready`)).status).toBe(503)
    expect((await fetch(`${url}/health/live`)).status).toBe(200)
    expect(await ending(child)).toMatchObject({ code: 0, words: '' })
  })

  test('a process without the web role does not drain', async () => {
    const settings = { DATABASE_URL: elsewhere.url, DATA_DIR: dataDirectory(), DRAIN_SECONDS: '60' }
    const child = run(settings, ['--run=worker'])
    if (child.stdout) await once(child.stdout, 'readable')
    child.kill('SIGTERM')
    expect(await ending(child)).toMatchObject({ code: 0, words: '' })
  })

  test('the database is newer than the program', async () => {
    const newer = await testDatabase()
    await newer.database.ownerPool.query(
      `insert into schema_migrations (name, checksum) values ('9000_from_the_future.sql', 'x')`,
    )
    const child = run({ DATABASE_URL: newer.url, DATA_DIR: dataDirectory() })
    const words =
      'The database is newer than this program (it has 9000_from_the_future.sql): start the newer program, or restore a backup\n'
    expect(await ending(child)).toEqual({ code: 1, words, said: '' })
    await newer.drop()
  })
})

describe('with its own database', { timeout: 120_000 }, () => {
  test('starts without errors, and SIGTERM leaves nothing behind', async () => {
    const directory = dataDirectory()
    const child = run({ DATA_DIR: directory })
    await address(child)
    const postgres = postgresOf(directory)
    child.kill('SIGTERM')
    expect(await ending(child)).toMatchObject({ code: 0, words: '' })
    expect({ postgres: isAlive(postgres), lock: existsSync(join(directory, 'carillon.pid')) }).toEqual({
      postgres: false,
      lock: false,
    })
  })

  test('SIGTERM during startup leaves nothing behind either', async () => {
    const directory = dataDirectory()
    const child = run({ DATA_DIR: directory })
    while (!existsSync(join(directory, 'postgres', 'postmaster.pid'))) await new Promise((next) => setTimeout(next, 20))
    child.kill('SIGTERM')
    expect(await ending(child)).toMatchObject({ code: 0, words: '' })
    expect(existsSync(join(directory, 'postgres', 'postmaster.pid'))).toBe(false)
  })

  test('a second start on the same folder is rejected, and the first process continues', async () => {
    const directory = dataDirectory()
    const first = run({ DATA_DIR: directory })
    const url = await address(first)
    const second = run({ DATA_DIR: directory })
    const words = `Carillon is already running with the data in ${directory} (process ${first.pid}): stop it first, or set DATA_DIR to another folder\n`
    expect(await ending(second)).toEqual({ code: 1, words, said: '' })
    expect((await fetch(`${url}/health/ready`)).status).toBe(200)
  })

  test('after a crash the next start takes over folder and database', async () => {
    const directory = dataDirectory()
    const first = run({ DATA_DIR: directory })
    await address(first)
    const postgres = postgresOf(directory)
    await stop(first, 'SIGKILL')
    const second = run({ DATA_DIR: directory })
    const url = await address(second)
    expect((await fetch(`${url}/health/ready`)).status).toBe(200)
    expect(postgresOf(directory)).toBe(postgres)
    second.kill('SIGTERM')
    expect(await ending(second)).toMatchObject({ code: 0 })
    expect(isAlive(postgres)).toBe(false)
  })

  test('a failed start stops the database it started', async () => {
    const { server, port } = await occupyPort()
    const directory = dataDirectory()
    const child = run({ DATA_DIR: directory, PORT: String(port) })
    expect(await ending(child)).toMatchObject({ code: 1, words: `Port ${port} is taken: set PORT to a free one\n` })
    expect(existsSync(join(directory, 'postgres', 'postmaster.pid'))).toBe(false)
    server.close()
  })

  test('a damaged database is reported in one line', async () => {
    const directory = dataDirectory()
    const first = run({ DATA_DIR: directory })
    await address(first)
    await stop(first, 'SIGTERM')
    writeFileSync(join(directory, 'postgres', 'PG_VERSION'), '9.6\n')
    const second = run({ DATA_DIR: directory })
    expect(await ending(second)).toEqual({
      code: 1,
      words: expect.stringMatching(/^The database did not start: .+\n$/),
      said: '',
    })
  })
})

function run(settings: Record<string, string>, flags: string[] = []): ChildProcess {
  const env = { ...machineEnvironment(), ...quiet, ...settings }
  const child = spawn(process.execPath, [program, ...flags], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  started.push(child)
  return child
}

/** The exit code of a process, with its output. */
async function ending(child: ChildProcess): Promise<{ code: number | null; words: string; said: string }> {
  const [words, said] = await Promise.all([textOf(child.stderr), textOf(child.stdout)])
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return { code: child.exitCode, words, said }
}

async function textOf(stream: ChildProcess['stderr']): Promise<string> {
  let text = ''
  for await (const piece of stream ?? []) text += String(piece)
  return text
}

/** Waits until it serves. */
async function address({ stdout }: ChildProcess): Promise<string> {
  let text = ''
  return new Promise((found, failed) => {
    stdout?.on('data', (piece: Buffer) => {
      text += piece.toString()
      const url = /is at (http:\S+)/.exec(text)?.[1]
      if (url) found(url)
    })
    stdout?.once('end', () => failed(new Error(`It ended before it served: ${text}`)))
  })
}

async function stop(child: ChildProcess, signal: NodeJS.Signals) {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill(signal)
  await once(child, 'exit')
}

/** Accessible to everyone, because as root the database runs as another user. */
function dataDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'carillon-start-'))
  chmodSync(directory, 0o755)
  directories.push(directory)
  return directory
}

function postgresOf(directory: string): number {
  return Number(readFileSync(join(directory, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
}

async function occupyPort(): Promise<{ server: Server; port: number }> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const place = server.address()
  return { server, port: place && typeof place === 'object' ? place.port : 0 }
}
