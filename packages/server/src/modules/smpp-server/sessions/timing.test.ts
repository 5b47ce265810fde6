import { once } from 'node:events'
import { connect } from 'node:net'
import { connectClient, type Client } from '@carillon/simulator/testing'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../lib/clock.ts'
import { createLogger } from '../../../lib/logger.ts'
import { createSecretBox } from '../../../lib/secrets.ts'
import { createFrameReader } from '../../../lib/smpp/frames.ts'
import { command, encodeBindBody, encodePdu, type Pdu } from '../../../lib/smpp/pdu.ts'
import { buildManager } from '../../../testing/builders.ts'
import { testServer, type TestServer } from '../../../testing/server.ts'
import { createApiKeys } from '../../api-keys/index.ts'
import { buildSender } from '../../messages/test-lane.ts'
import { createSmppServer, type SmppServer } from '../smpp-server.ts'
import { createCredential, readReceipt, type TestCredential } from '../test-smpp.ts'
import { usualTiming } from './session.ts'

let server: TestServer
let smpp: SmppServer
let port: number
let credential: TestCredential
const clients: Client[] = []

const SECRET_KEY = 'a'.repeat(64)

/** An SMPP server with shorter times, on the database of a product. */
beforeAll(async () => {
  server = await testServer({ environment: { SECRET_KEY }, flags: ['--run=web'] })
  const { database, databaseUrl } = server
  smpp = createSmppServer({
    database,
    databaseUrl,
    clock: systemClock,
    logger: createLogger('silent'),
    secretBox: createSecretBox(SECRET_KEY),
    apiKeys: createApiKeys({ database, clock: systemClock, requestsPerSecond: 1000 }),
    publicUrl: () => server.url,
    hasRoom: () => Promise.resolve(true),
    timing: { ...usualTiming, enquireAfterMs: 1000, answerWithinMs: 1500 },
  })
  port = await smpp.listen({ port: 0, host: '127.0.0.1' })
  const manager = await buildManager(server.database)
  await buildSender(server.database, manager)
  credential = await createCredential(server, manager, {
    key: { environment: 'test' },
    body: { maximumSessions: 10 },
  })
})
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()))
})
afterAll(async () => {
  await smpp.close()
  await server.close()
})

async function bound(): Promise<Client> {
  const client = await connectClient(port)
  clients.push(client)
  const { systemId, password } = credential
  const answer = await client.request('bind_transceiver', { system_id: systemId, password })
  expect(answer.command_status).toBe(0)
  return client
}

test('a silent client is asked, and stays bound while it answers', async () => {
  const client = await bound()
  await expect.poll(() => client.enquiries(), { timeout: 10_000 }).toBeGreaterThan(2)
  expect((await client.request('enquire_link')).command_status).toBe(0)
})

test('a client that does not answer enquire_link is closed', async () => {
  const socket = connect(port, '127.0.0.1')
  const read = createFrameReader()
  const received: Pdu[] = []
  socket.on('data', (chunk: Buffer) => received.push(...read(chunk)))
  const { systemId, password } = credential
  const body = encodeBindBody({ systemId, password, systemType: '' })
  socket.write(encodePdu({ commandId: command.bindTransceiver, status: 0, sequence: 1, body }))
  await once(socket, 'close')
  expect(received.map(({ commandId }) => commandId >>> 0)).toEqual([0x8000_0009, command.enquireLink])
})

test('a client that does not answer a receipt in time is closed, and the receipt comes again', async () => {
  const silent = await bound()
  silent.answerWith('nothing')
  const { message_id } = await silent.submit('919812345678', { source_addr: 'ACMEIN' })
  expect(readReceipt(await silent.nextDelivery())['id']).toBe(message_id)
  await silent.closed
  const ready = await bound()
  expect(readReceipt(await ready.nextDelivery())['id']).toBe(message_id)
})

test('at its end it answers what is in flight and unbinds', async () => {
  const client = await bound()
  const submits = Array.from({ length: 20 }, () => client.submit('919812345678', { source_addr: 'ACMEIN' }))
  await client.request('enquire_link')
  await smpp.close()
  expect((await Promise.all(submits)).map(({ command_status }) => command_status)).toEqual(submits.map(() => 0))
  await client.closed
})
