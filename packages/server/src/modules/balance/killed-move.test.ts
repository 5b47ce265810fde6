import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '../../db/pool.ts'
import type { FailPoint } from '../../lib/fail-points.ts'
import { newId } from '../../lib/ids.ts'
import { buildAdmin, buildManager, buildReseller, type Account } from '../../testing/builders.ts'
import { killedProcesses, type KilledProcesses } from '../../testing/killed-process.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { checkInvariants, getBalance, toUnits } from './index.ts'

let server: TestServer
let reseller: Account
let manager: Account
let processes: KilledProcesses

beforeAll(async () => {
  server = await testServer({ flags: ['--run=web'] })
  processes = killedProcesses(server)
  const admin = await buildAdmin(server.database)
  reseller = await buildReseller(server.database, { parent: admin })
  manager = await buildManager(server.database, { parent: reseller })
  await server.call('balance.add', { as: admin, body: { userId: reseller.id, amount: 1000 } })
})

afterAll(async () => {
  processes.end()
  await server.close()
})

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
    const { url, exited } = await processes.startKilledAt(point)
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
