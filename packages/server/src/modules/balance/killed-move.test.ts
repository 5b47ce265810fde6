import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '../../db/pool.ts'
import type { FailPoint } from '../../lib/fail-points.ts'
import { newId } from '../../lib/ids.ts'
import { buildAdmin, buildManager, buildReseller, type Account } from '../../testing/builders.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { checkInvariants, getBalance, toUnits } from './index.ts'

let server: TestServer
let reseller: Account
let manager: Account
const processes: ChildProcess[] = []

beforeAll(async () => {
  server = await testServer({ flags: ['--run=web'] })
  const admin = await buildAdmin(server.database)
  reseller = await buildReseller(server.database, { parent: admin })
  manager = await buildManager(server.database, { parent: reseller })
  await server.call('balance.add', { as: admin, body: { userId: reseller.id, amount: 1000 } })
})

afterAll(async () => {
  for (const one of processes) if (one.exitCode === null && one.signalCode === null) one.kill('SIGKILL')
  await server.close()
})

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/** Starts a web process on the same database that kills itself at the fail point. */
async function startKilledAt(point: FailPoint): Promise<{ url: string; exited: Promise<unknown> }> {
  const port = await freePort()
  const environment = {
    ...process.env,
    DATABASE_URL: server.databaseUrl,
    DATA_DIR: server.dataDirectory,
    PORT: String(port),
    DEMO: 'off',
    LOG_LEVEL: 'silent',
    FAIL_POINTS: `${point}:kill`,
  }
  const main = fileURLToPath(new URL('../../main.ts', import.meta.url))
  const child = spawn(process.execPath, [main, '--run=web'], { env: environment, stdio: 'ignore' })
  processes.push(child)
  const url = `http://127.0.0.1:${port}`
  await expect
    .poll(
      () =>
        fetch(`${url}/health/live`).then(
          ({ ok }) => ok,
          () => false,
        ),
      { timeout: 30_000, interval: 100 },
    )
    .toBe(true)
  return { url, exited: once(child, 'exit') }
}

const available = async ({ organizationId }: Account) =>
  (await asSystem(server.database, (db) => getBalance(db, { organizationId }))).available

const points: [FailPoint, hasMoved: boolean][] = [
  ['move-before-entries', false],
  ['move-after-entries', false],
  ['call-committed', true],
]

test.each(points)(
  'a process killed at %s leaves a transfer complete or undone, and a repeat of the call transfers once',
  async (point, hasMoved) => {
    const before = { reseller: await available(reseller), manager: await available(manager) }
    const amount = 12.5
    const key = newId()
    const { url, exited } = await startKilledAt(point)
    const lost = await fetch(`${url}/api/balance/add-balance`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${reseller.token}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify({ userId: manager.id, amount }),
    }).catch(() => undefined)
    expect(lost).toBeUndefined()
    await exited
    expect(await available(manager)).toBe(before.manager + (hasMoved ? toUnits(amount) : 0))
    expect(await asSystem(server.database, checkInvariants)).toEqual([])

    const repeat = () =>
      server.call('balance.add', {
        as: reseller,
        body: { userId: manager.id, amount },
        headers: { 'idempotency-key': key },
      })
    expect(await repeat()).toMatchObject({ status: 200 })
    expect(await repeat()).toMatchObject({ status: 200 })
    expect({ reseller: await available(reseller), manager: await available(manager) }).toEqual({
      reseller: before.reseller - toUnits(amount),
      manager: before.manager + toUnits(amount),
    })
    expect(await asSystem(server.database, checkInvariants)).toEqual([])
  },
  60_000,
)
