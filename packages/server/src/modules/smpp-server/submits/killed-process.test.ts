import { connectClient } from '@carillon/simulator/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { FailPoint } from '../../../lib/fail-points.ts'
import { buildManager, type Account } from '../../../testing/builders.ts'
import { freePort, killedProcesses, type KilledProcesses } from '../../../testing/killed-process.ts'
import { testServer, type TestServer } from '../../../testing/server.ts'
import { buildSender } from '../../messages/test-lane.ts'
import { createCredential, readReceipt, smppClients, type TestCredential } from '../test-smpp.ts'

let server: TestServer
let processes: KilledProcesses
let manager: Account
let credential: TestCredential
const { bind, closeAll } = smppClients()

const environment = { SMPP_PORT: '0', SECRET_KEY: 'a'.repeat(64) }

beforeAll(async () => {
  server = await testServer({ environment, flags: ['--run=web'] })
  processes = killedProcesses(server)
})
afterAll(async () => {
  processes.end()
  await closeAll()
  await server.close()
})
beforeEach(async () => {
  manager = await buildManager(server.database)
  await buildSender(server.database, manager)
  credential = await createCredential(server, manager, { key: { environment: 'test' } })
})

const stored = async () =>
  (
    await server.database.systemPool.query<{ id: string }>('select id from test_messages where account_id = $1', [
      manager.id,
    ])
  ).rows

/** Submits to a process that kills itself at the point, which closes the connection without a response. */
async function submitToKilled(point: FailPoint): Promise<void> {
  const port = await freePort()
  const { exited } = await processes.startKilledAt(point, { environment: { ...environment, SMPP_PORT: String(port) } })
  const client = await connectClient(port)
  const { systemId, password } = credential
  const answer = await client.request('bind_transmitter', { system_id: systemId, password })
  expect(answer.command_status).toBe(0)
  let isAnswered = false
  client.submit('919812345678', { source_addr: 'ACMEIN' }).then(
    () => (isAnswered = true),
    () => undefined,
  )
  await exited
  await client.closed
  expect(isAnswered).toBe(false)
}

test('a process killed before the commit stores nothing', async () => {
  await submitToKilled('accept-before-commit')
  expect(await stored()).toEqual([])
})

test('a process killed between the commit and the response has stored the message, and its receipt comes from another', async () => {
  await submitToKilled('accept-after-commit')
  const [message] = await stored()
  const client = await bind(server, credential, 'bind_receiver')
  expect(readReceipt(await client.nextDelivery())).toMatchObject({ id: message?.id, stat: 'DELIVRD' })
  expect(await stored()).toHaveLength(1)
})

test('sessions of a killed process are not counted for long', async () => {
  await submitToKilled('accept-after-commit')
  const listed = () => server.ask('smppCredentials.list', { as: manager, query: {} })
  expect((await listed()).credentials).toMatchObject([{ sessions: 1 }])
  await expect.poll(listed, { timeout: 30_000, interval: 500 }).toMatchObject({ credentials: [{ sessions: 0 }] })
})
