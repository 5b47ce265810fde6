import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { isAlive } from '@carillon/server/lib/processes'
import { machineEnvironment } from '@carillon/server/testing/machine-environment'

const root = fileURLToPath(new URL('..', import.meta.url))
const directories: string[] = []
afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true })
})

type Started = { npm: ChildProcess; port: number; postgres: number; output(): string }

/** Runs `npm start` in its own process group, as a terminal or supervisor does, until it is ready. */
async function npmStart(shell?: string): Promise<Started> {
  const directory = mkdtempSync(join(tmpdir(), 'carillon-npm-'))
  chmodSync(directory, 0o755)
  directories.push(directory)
  const port = await freePort()
  const npm = spawn('npm', ['start', ...(shell ? [`--script-shell=${shell}`] : [])], {
    cwd: root,
    detached: true,
    env: {
      ...machineEnvironment(),
      DATA_DIR: directory,
      PORT: String(port),
      SIMULATOR_HTTP_PORT: '0',
      DEMO: 'off',
      SIMULATOR: 'on',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [npm.stdout, npm.stderr]) stream?.on('data', (piece: Buffer) => (output += piece.toString()))
  const deadline = Date.now() + 180_000
  while (!output.includes(' is at http')) {
    if (npm.exitCode !== null || Date.now() > deadline) throw new Error(`npm start did not serve: ${output}`)
    await new Promise((resume) => setTimeout(resume, 100))
  }
  const postgres = Number(readFileSync(join(directory, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
  return { npm, port, postgres, output: () => output }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on a port has an address, not the path of a pipe.
  const { port } = server.address() as AddressInfo
  await new Promise((closed) => server.close(closed))
  return port
}

async function isServed(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/** Whether both the server, which holds the lock of its folder, and its database have exited. */
async function expectGone({ port, postgres }: Started) {
  const lock = join(directories.at(-1) ?? '', 'carillon.pid')
  const isGone = async () => !isAlive(postgres) && !existsSync(lock) && !(await isServed(port))
  for (let tries = 0; tries < 600 && !(await isGone()); tries += 1)
    await new Promise((resume) => setTimeout(resume, 100))
  expect(await isGone()).toBe(true)
}

test.each([
  ['SIGTERM to npm alone', (pid: number) => process.kill(pid, 'SIGTERM'), undefined],
  ['SIGTERM to the whole process group', (pid: number) => process.kill(-pid, 'SIGTERM'), undefined],
  ['Ctrl-C at the terminal', (pid: number) => process.kill(-pid, 'SIGINT'), undefined],
  ['a hangup of the terminal', (pid: number) => process.kill(-pid, 'SIGHUP'), undefined],
  ['kill -9 of npm', (pid: number) => process.kill(pid, 'SIGKILL'), undefined],
  ['SIGTERM to npm behind a shell that passes no signal on', (pid: number) => process.kill(pid, 'SIGTERM'), 'shell'],
])(
  '%s ends the server, the simulator and the database',
  async (_, strike, shell) => {
    const started = await npmStart(shell && join(root, 'e2e/support/shell-without-exec.sh'))
    strike(started.npm.pid ?? 0)
    await expectGone(started)
  },
  240_000,
)
