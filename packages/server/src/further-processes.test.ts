import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testDatabase, type TestDatabase } from './testing/database.ts'
import { runProgram, type Program } from './testing/program.ts'
import { until } from './testing/until.ts'

let own: TestDatabase
let directory: string
const programs: Program[] = []
beforeEach(async () => {
  own = await testDatabase()
  directory = mkdtempSync(join(tmpdir(), 'carillon-further-'))
})
afterEach(async () => {
  await Promise.all(programs.splice(0).map((program) => program.stop()))
  await own.drop()
  rmSync(directory, { recursive: true, force: true })
})

function run(settings: Record<string, string>, flags: string[] = []): Program {
  const program = runProgram({ DATABASE_URL: own.url, DATA_DIR: directory, DEMO: 'on', ...settings }, flags)
  programs.push(program)
  return program
}

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on a port has an address, not a pipe path.
  const { port } = server.address() as AddressInfo
  await new Promise((closed) => server.close(closed))
  return String(port)
}

const started = (program: Program, line: string) =>
  until(() => program.output().includes(line), `"${line}" in ${program.output()}`, 60_000)

const countMessages = async () => {
  const { rows } = await own.database.systemPool.query<{ count: number }>(
    `select count(*)::int as count from messages where status = 'delivered'`,
  )
  return rows[0]?.count ?? 0
}

test.each([
  ['a port of its own', freePort],
  ['any free port', async () => '0'],
])('processes of one installation share a simulator on %s', { timeout: 180_000 }, async (_, choosePort) => {
  const ports = { SIMULATOR_HTTP_PORT: await choosePort() }
  // It starts before the simulator, and only it can send.
  const sender = run(ports, ['--run=sender,worker'])
  await started(sender, 'runs sender and worker')
  const web = run(ports, ['--run=web'])
  await started(web, 'Simulated phones')
  const [phones] = /Simulated phones: \S+/.exec(web.output()) ?? []
  const further = run(ports, ['--run=web'])
  await started(further, 'Sign in as')
  expect(further.output()).toContain(phones)
  await until(async () => (await countMessages()) > 0, 'a message that is delivered', 90_000)
  for (const program of [sender, web, further]) expect(program.output()).not.toContain('"level":50')
})

test('processes that start together share one simulator', { timeout: 120_000 }, async () => {
  const ports = { SIMULATOR_HTTP_PORT: await freePort() }
  const together = [run(ports, ['--run=web']), run(ports, ['--run=web'])]
  for (const program of together) await started(program, 'Sign in as')
})
