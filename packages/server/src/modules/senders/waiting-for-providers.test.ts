import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildManager, type Account } from '../../testing/builders.ts'
import { sampleConnection } from '../../testing/meta-ids.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { until } from '../../testing/until.ts'

/** A provider that answers reads only once it is released. */
let held: (() => void)[] = []
const provider = createServer((request, response) => {
  const answer = () => response.writeHead(200, { 'content-type': 'application/json' }).end('{"success": true}')
  if (request.method === 'GET') held.push(answer)
  else answer()
})

let server: TestServer
let manager: Account
let graphUrl: string

beforeAll(async () => {
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  // A server on a port has the address of one.
  const { port } = provider.address() as AddressInfo
  graphUrl = `http://127.0.0.1:${port}`
  server = await testServer({ environment: { DATABASE_POOL: '2', EGRESS_ALLOW: `127.0.0.1:${port}` } })
  manager = await buildManager(server.database)
})
afterAll(async () => {
  release()
  await server.close()
  provider.closeAllConnections()
  provider.close()
})

const connect = (as = manager) =>
  server.call('wabas.connect', {
    as,
    body: sampleConnection(graphUrl),
  })

function release() {
  for (const answer of held) answer()
  held = []
}

async function listIds(as = manager): Promise<string[]> {
  return (await server.ask('wabas.list', { as })).map(({ _id }) => _id)
}

test('calls that wait for a provider hold no connection', async () => {
  const waiting = Array.from({ length: 8 }, () => connect())
  await until(() => held.length === 8)
  expect(await listIds()).toHaveLength(8)
  const releasing = setInterval(release, 50)
  for (const { status } of await Promise.all(waiting)) expect(status).toBeLessThan(500)
  clearInterval(releasing)
})

test('an account disconnected during a provider call stays disconnected', async () => {
  const before = await listIds()
  const waiting = connect()
  // The worker asks the provider as well.
  await until(async () => held.length >= 1 && (await listIds()).length > before.length)
  const id = (await listIds()).find((one) => !before.includes(one)) ?? ''
  expect(await server.call('wabas.disconnect', { as: manager, path: { id } })).toMatchObject({ status: 200 })
  release()
  expect(await waiting).toMatchObject({ status: 409 })
  expect(await listIds()).toEqual(before)
})

test('other calls are answered while a hundred wait for a provider, and one organisation has at most ten', async () => {
  const others = await Promise.all(Array.from({ length: 10 }, () => buildManager(server.database)))
  let answered = 0
  const waiting = others.flatMap((other) =>
    Array.from({ length: 10 }, () => connect(other).finally(() => (answered += 1))),
  )
  await until(() => held.length >= 100)
  for (const other of others) await until(async () => (await listIds(other)).length === 10)
  const before = await listIds(others[0])
  const refused = await connect(others[0])
  expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
  expect(await listIds(others[0])).toEqual(before)
  expect(answered).toBe(0)
  const releasing = setInterval(release, 50)
  for (const { status } of await Promise.all(waiting)) expect(status).toBeLessThan(500)
  clearInterval(releasing)
  expect(await connectOnce(others[0])).toBeLessThan(400)
})

async function connectOnce(as = manager): Promise<number> {
  const releasing = setInterval(release, 50)
  const { status } = await connect(as)
  clearInterval(releasing)
  return status
}
