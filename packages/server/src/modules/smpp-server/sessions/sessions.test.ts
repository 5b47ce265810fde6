import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildManager, type Account } from '../../../testing/builders.ts'
import { testServer, type TestServer } from '../../../testing/server.ts'
import { buildSender } from '../../messages/test-lane.ts'
import { createCredential, portOf, smppClients, type BindKind, type TestCredential } from '../test-smpp.ts'

let server: TestServer
let beside: TestServer
let manager: Account
let credential: TestCredential
const { open, bind, tryBind, closeAll } = smppClients()
const sockets: Socket[] = []
/** Of all processes of the installation. */
const environment = { SMPP_PORT: '0', SECRET_KEY: 'a'.repeat(64) }

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
  credential = await createCredential(server, manager, { key: { environment: 'test' } })
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await closeAll()
})

const statusOf = async (as: Pick<TestCredential, 'systemId' | 'password'>, at = server) =>
  (await tryBind(at, as)).answer.command_status

const list = async () => (await server.ask('smppCredentials.list', { as: manager, query: {} })).credentials

async function connected(): Promise<Socket> {
  const socket = connect(portOf(server), '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

const closed = (socket: Socket) => (socket.destroyed ? Promise.resolve() : once(socket.resume(), 'close'))

test.each<BindKind>(['bind_transmitter', 'bind_receiver', 'bind_transceiver'])(
  '%s with the right password',
  async (kind) => {
    const { client, answer } = await tryBind(server, credential, kind)
    expect(answer).toMatchObject({ command: `${kind}_resp`, command_status: 0, system_id: 'Carillon' })
    expect((await client.request('enquire_link')).command_status).toBe(0)
    expect(await list()).toMatchObject([{ sessions: 1, lastBoundAt: expect.any(String) }])
    expect((await client.request('unbind')).command_status).toBe(0)
    await client.closed
    await expect.poll(list).toMatchObject([{ sessions: 0 }])
  },
)

test('a bind is refused with the reason, and the connection closed', async () => {
  const elsewhere = await createCredential(server, manager, { body: { addresses: ['203.0.113.0/24'] } })
  expect(await statusOf({ ...credential, password: 'guessed8' })).toBe(0x0e)
  expect(await statusOf({ ...credential, systemId: 'unknown' })).toBe(0x0f)
  expect(await statusOf(elsewhere)).toBe(0x0d)
  const { client } = await tryBind(server, { ...credential, password: 'guessed8' })
  await client.closed
  expect(await statusOf(credential)).toBe(0)
})

test('passwords cannot be guessed quickly: not even the right one is accepted after ten wrong ones', async () => {
  const other = await testServer({ environment, flags: ['--run=web'], beside: server })
  try {
    const guesses = Array.from({ length: 10 }, () => statusOf({ ...credential, password: 'guessed8' }, other))
    expect(new Set(await Promise.all(guesses))).toEqual(new Set([0x0e]))
    expect(await statusOf(credential, other)).toBe(0x0d)
  } finally {
    await closeAll()
    await other.close()
  }
})

test('a client that binds too many sessions again and again does not block its address', async () => {
  await bind(server, credential)
  await bind(server, credential)
  for (let round = 0; round < 3; round += 1) {
    const refused = Array.from({ length: 5 }, () => statusOf(credential))
    expect(await Promise.all(refused)).toEqual(refused.map(() => 0x05))
  }
  const other = await createCredential(server, manager, { key: { environment: 'test' } })
  expect(await statusOf(other)).toBe(0)
})

test('no more sessions than allowed, in all processes together', async () => {
  const first = await bind(server, credential)
  await bind(beside, credential)
  expect(await statusOf(credential)).toBe(0x05)
  await first.close()
  await expect.poll(() => list()).toMatchObject([{ sessions: 1 }])
  expect(await statusOf(credential, beside)).toBe(0)
})

test('commands before the bind, a second bind, and commands that are not offered', async () => {
  const early = await open(server)
  expect((await early.submit('919812345670')).command_status).toBe(0x04)
  const client = await bind(server, credential)
  const again = { system_id: credential.systemId, password: credential.password }
  expect((await client.request('bind_transceiver', again)).command_status).toBe(0x05)
  for (const command of ['submit_multi', 'query_sm', 'cancel_sm', 'replace_sm', 'data_sm'])
    expect(await client.request(command, {})).toMatchObject({ command: `${command}_resp`, command_status: 0x03 })
  const receiver = await bind(server, credential, 'bind_receiver')
  expect((await receiver.submit('919812345670')).command_status).toBe(0x04)
})

const ends: [string, () => Promise<unknown>][] = [
  [
    'the credentials are deactivated',
    () => server.ask('smppCredentials.deactivate', { as: manager, path: { id: credential.id } }),
  ],
  [
    'their addresses change',
    () =>
      server.ask('smppCredentials.update', {
        as: manager,
        path: { id: credential.id },
        body: { addresses: ['203.0.113.7'] },
      }),
  ],
  ['the key is deactivated', () => server.ask('apiKeys.deactivate', { as: manager, path: { id: credential.key.id } })],
  [
    'the key loses its scope',
    () =>
      server.ask('apiKeys.update', {
        as: manager,
        path: { id: credential.key.id },
        body: { scopes: ['balance:read'] },
      }),
  ],
  ['the owner is suspended', () => set(`update accounts set status = 'suspended' where id = $1`, manager.id)],
  [
    'the owner loses the module',
    () => set(`delete from account_modules where account_id = $1 and module = 'api'`, manager.id),
  ],
  ['the key expires', () => set(`update api_keys set expires_at = now() where id = $1`, credential.key.id)],
]

const set = (text: string, id: string) => server.database.ownerPool.query(text, [id])

test.each(ends)('a bound session of another process ends within five seconds when %s', async (_, change) => {
  const client = await bind(beside, credential)
  await change()
  const since = performance.now()
  await client.closed
  expect(performance.now() - since).toBeLessThan(5000)
  expect(await statusOf(credential, beside)).not.toBe(0)
})

test('a new password ends the old one', async () => {
  const { password } = await server.ask('smppCredentials.newPassword', {
    as: manager,
    path: { id: credential.id },
    body: {},
  })
  expect(password).toMatch(/^[\w]{8}$/)
  expect(await statusOf(credential)).toBe(0x0e)
  expect(await statusOf({ ...credential, password })).toBe(0)
})

test('passwords survive a change of the secret key, also once the previous key is forgotten', async () => {
  const process = (keys: Record<string, string>) =>
    testServer({ environment: { ...environment, ...keys }, flags: ['--run=web'], beside: server })
  const SECRET_KEY = 'b'.repeat(64)
  const rotated = await process({ SECRET_KEY, SECRET_KEY_PREVIOUS: environment.SECRET_KEY })
  expect(await statusOf(credential, rotated)).toBe(0)
  await closeAll()
  await rotated.close()
  const later = await process({ SECRET_KEY })
  expect(await statusOf(credential, later)).toBe(0)
  await closeAll()
  await later.close()
})

const garbage: [string, Buffer][] = [
  ['text', Buffer.from('GET / HTTP/1.1\r\nHost: example\r\n\r\n')],
  ['a length that is too large', Buffer.from('7fffffff0000000900000000000000010000', 'hex')],
  ['a length that is too small', Buffer.from('00000004000000090000000000000001', 'hex')],
  ['a bind of 4 KB', Buffer.concat([Buffer.from('00001000000000090000000000000001', 'hex'), Buffer.alloc(4080, 0x41)])],
]

test.each(garbage)('garbage ends the connection and nothing else: %s', async (_, bytes) => {
  const socket = await connected()
  socket.write(bytes)
  await closed(socket)
  expect(await statusOf(credential)).toBe(0)
})

test('an unknown command gets a generic_nack', async () => {
  const socket = await connected()
  socket.write(Buffer.from('00000010000000770000000000000007', 'hex'))
  const [answer] = (await once(socket, 'data')) as [Buffer]
  expect(answer.toString('hex')).toBe('00000010800000000000000300000007')
})

test('a connection that does not bind is closed after ten seconds', async () => {
  const socket = await connected()
  const since = performance.now()
  await closed(socket)
  expect(performance.now() - since).toBeGreaterThan(9000)
  expect(performance.now() - since).toBeLessThan(15_000)
})

test('an address has fifty connections at most', async () => {
  const all = await Promise.all(Array.from({ length: 60 }, connected))
  await expect.poll(() => all.filter(({ destroyed }) => destroyed).length).toBe(0)
  for (const socket of all) socket.resume()
  await expect
    .poll(() => all.filter((socket) => socket.destroyed || socket.readableEnded).length)
    .toBeGreaterThanOrEqual(10)
})

test('at its end, a process unbinds its sessions', async () => {
  const other = await testServer({ environment, flags: ['--run=web'], beside: server })
  const client = await bind(other, credential)
  await other.close()
  await client.closed
  expect(await list()).toMatchObject([{ sessions: 0 }])
})
