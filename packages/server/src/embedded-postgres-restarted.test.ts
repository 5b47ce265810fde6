import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isAlive } from './lib/processes.ts'
import { until } from './testing/until.ts'

const program = fileURLToPath(new URL('main.ts', import.meta.url))
let directory: string
let child: ChildProcess
let url: string
let complaints = ''

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'carillon-restarted-'))
  // As root, the database runs as another user, who needs access.
  chmodSync(directory, 0o755)
  child = spawn(process.execPath, [program], {
    env: { PATH: process.env['PATH'] ?? '', PORT: '0', DEMO: 'off', LOG_LEVEL: 'fatal', DATA_DIR: directory },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  complaints = ''
  child.stderr?.on('data', (piece: Buffer) => (complaints += piece.toString()))
  url = await addressOf(child)
})
afterEach(async () => {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  rmSync(directory, { recursive: true, force: true })
})

async function addressOf({ stdout }: ChildProcess): Promise<string> {
  let output = ''
  for await (const piece of stdout ?? []) {
    output += String(piece)
    const found = /is at (http:\S+)/.exec(output)?.[1]
    if (found) return found
  }
  throw new Error(`It ended before it served: ${output}`)
}

function readPostmaster(): { pid: number; port: number } {
  const lines = readFileSync(join(directory, 'postgres', 'postmaster.pid'), 'utf8').split('\n')
  return { pid: Number(lines[0]), port: Number(lines[3]) }
}

async function statusOf(path: string): Promise<number> {
  return (await fetch(`${url}${path}`)).status
}

test('an embedded database is restarted on its port however often it is killed, and the process continues', async () => {
  for (let kill = 1; kill <= 9; kill += 1) {
    const before = readPostmaster()
    process.kill(before.pid, 'SIGKILL')
    await until(() => !isAlive(before.pid))
    expect(await statusOf('/health/live')).toBe(200)
    await until(async () => (await statusOf('/health/ready')) === 200, 'the database to run again')
    const after = readPostmaster()
    expect(after.port).toBe(before.port)
    expect(after.pid).not.toBe(before.pid)
    expect(isAlive(after.pid)).toBe(true)
  }
  const last = readPostmaster()
  child.kill('SIGTERM')
  await once(child, 'exit')
  expect({ code: child.exitCode, database: isAlive(last.pid) }).toEqual({ code: 0, database: false })
}, 240_000)

test('a database that cannot be restarted ends the process with the reason', async () => {
  const { pid } = readPostmaster()
  renameSync(join(directory, 'postgres'), join(directory, 'elsewhere'))
  process.kill(pid, 'SIGKILL')
  if (child.exitCode === null) await once(child, 'exit')
  expect(child.exitCode).toBe(1)
  expect(complaints).toBe('The embedded database ended and could not be started again in 8 attempts\n')
}, 240_000)
