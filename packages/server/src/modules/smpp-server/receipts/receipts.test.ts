import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createFrameReader } from '../../../lib/smpp/frames.ts'
import { command, encodeBindBody, encodePdu, type Pdu } from '../../../lib/smpp/pdu.ts'
import { buildManager, type Account } from '../../../testing/builders.ts'
import { testServer, type TestServer } from '../../../testing/server.ts'
import { buildSender } from '../../messages/test-lane.ts'
import { smppJobs } from '../jobs.ts'
import { createCredential, portOf, readReceipt, smppClients, type TestCredential } from '../test-smpp.ts'

let server: TestServer
let beside: TestServer
let manager: Account
let credential: TestCredential
const { bind, closeAll } = smppClients()
const sockets: Socket[] = []

const environment = { SMPP_PORT: '0', SECRET_KEY: 'a'.repeat(64), LOG_LEVEL: 'silent' }

beforeAll(async () => {
  server = await testServer({ environment, flags: ['--run=web'] })
  beside = await testServer({ environment, flags: ['--run=web'], beside: server })
})
afterAll(async () => {
  await beside.close()
  await server.close()
})
beforeEach(async () => {
  manager = await buildManager(server.database)
  await buildSender(server.database, manager)
  // Numbers of test keys are reported at once.
  credential = await createCredential(server, manager, { key: { environment: 'test' }, body: { maximumSessions: 10 } })
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await closeAll()
})

const waiting = async () =>
  (
    await server.database.systemPool.query('select attempts from smpp_receipts where credential_id = $1', [
      credential.id,
    ])
  ).rows

const submitFrom = { source_addr: 'ACMEIN' }

test('receipts are kept while no receiver is bound, and come once one is, also to another process', async () => {
  const transmitter = await bind(server, credential, 'bind_transmitter')
  const { message_id } = await transmitter.submit('919812345678', submitFrom)
  await expect.poll(waiting).toEqual([{ attempts: 0 }])
  expect(transmitter.deliveries).toEqual([])
  const receiver = await bind(beside, credential, 'bind_receiver')
  expect(readReceipt(await receiver.nextDelivery())).toMatchObject({ id: message_id, stat: 'DELIVRD' })
  await expect.poll(waiting).toEqual([])
  const { credentials } = await server.ask('smppCredentials.list', {
    as: manager,
    query: { apiKeyId: credential.key.id },
  })
  expect(credentials).toMatchObject([{ sessions: 2, receiptsWaiting: 0 }])
})

test('a receipt without a response comes again after a reconnect, and a refused one later', async () => {
  const silent = await bind(server, credential)
  silent.answerWith('nothing')
  const { message_id } = await silent.submit('919812345678', submitFrom)
  expect(readReceipt(await silent.nextDelivery())).toMatchObject({ id: message_id })
  await silent.close()
  const full = await bind(server, credential, 'bind_receiver')
  full.answerWith(0x14)
  expect(readReceipt(await full.nextDelivery())).toMatchObject({ id: message_id })
  await full.close()
  await expect.poll(waiting).toEqual([{ attempts: 2 }])
  await server.database.ownerPool.query('update smpp_receipts set due_at = now() where credential_id = $1', [
    credential.id,
  ])
  const ready = await bind(beside, credential, 'bind_receiver')
  expect(readReceipt(await ready.nextDelivery())).toMatchObject({ id: message_id })
  await expect.poll(waiting).toEqual([])
})

test('receivers of several processes share the receipts: each comes once', async () => {
  const receivers = [
    await bind(server, credential, 'bind_receiver'),
    await bind(server, credential, 'bind_transceiver'),
    await bind(beside, credential, 'bind_receiver'),
  ]
  const transmitter = await bind(server, credential, 'bind_transmitter')
  const answers = await Promise.all(Array.from({ length: 90 }, () => transmitter.submit('919812345678', submitFrom)))
  const ids = answers.map(({ message_id }) => message_id)
  const got = () => receivers.flatMap(({ deliveries }) => deliveries.map((pdu) => readReceipt(pdu)['id']))
  await expect.poll(() => got().length, { timeout: 20_000 }).toBe(90)
  expect(got()).toHaveLength(90)
  expect(new Set(got())).toEqual(new Set(ids))
  await expect.poll(waiting).toEqual([])
})

test('receipts of other credentials do not come', async () => {
  const other = await createCredential(server, manager, { key: { environment: 'test' } })
  const receiver = await bind(server, other)
  const own = await bind(server, credential)
  await own.submit('919812345678', submitFrom)
  await own.nextDelivery()
  expect(receiver.deliveries).toEqual([])
})

test('a client that does not answer gets a window of receipts, and no more', async () => {
  const silent = await bind(server, credential)
  silent.answerWith('nothing')
  await Promise.all(Array.from({ length: 60 }, () => silent.submit('919812345678', submitFrom)))
  await expect.poll(() => silent.deliveries.length).toBe(20)
  await new Promise((resolve) => setTimeout(resolve, 1500))
  expect(silent.deliveries).toHaveLength(20)
})

test('a client that reads nothing costs a bounded amount of memory, and others go on', async () => {
  const socket = connect(portOf(server), '127.0.0.1')
  sockets.push(socket)
  const read = createFrameReader()
  const bound = new Promise<void>((resolve) =>
    socket.on('data', (chunk: Buffer) => {
      if (read(chunk).some(({ commandId }) => commandId >>> 0 === 0x8000_0009)) resolve()
    }),
  )
  await once(socket, 'connect')
  const { systemId, password } = credential
  socket.write(
    encode({ commandId: command.bindTransceiver, body: encodeBindBody({ systemId, password, systemType: '' }) }),
  )
  await bound
  socket.pause()
  const enquiries = Buffer.concat(Array.from({ length: 10_000 }, () => encode({ commandId: command.enquireLink })))
  // The server stops reading once its responses are not read: then this socket takes no more either.
  let written = 0
  while (socket.writableLength < 4_000_000 && written < 60_000_000) {
    socket.write(enquiries)
    written += enquiries.length
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  expect(socket.writableLength).toBeGreaterThan(1_000_000)
  const other = await bind(server, credential)
  expect((await other.submit('919812345678', submitFrom)).command_status).toBe(0)
})

function encode({ commandId, body = Buffer.alloc(0) }: Partial<Pdu> & { commandId: number }): Buffer {
  return encodePdu({ commandId, status: 0, sequence: 1, body })
}

test('receipts that were not fetched are deleted after three days', async () => {
  const transmitter = await bind(server, credential, 'bind_transmitter')
  await transmitter.submit('919812345678', submitFrom)
  await expect.poll(async () => (await waiting()).length).toBe(1)
  const [job] = smppJobs(server)
  const { signal } = new AbortController()
  await job?.run({}, { signal })
  expect(await waiting()).toHaveLength(1)
  await server.database.ownerPool.query(`update smpp_receipts set expires_at = expires_at - interval '3 days 1 minute'`)
  await job?.run({}, { signal })
  expect(await waiting()).toEqual([])
})
