import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { buildAdmin, buildManager, type Account } from '../testing/builders.ts'
import { testServer, type TestServer } from '../testing/server.ts'
import { until } from '../testing/until.ts'

const kilobyte = 1024
const megabyte = 1024 * kilobyte

let server: TestServer
/** Another process, whose disk is nearly full. */
let full: TestServer
let admin: Account
let manager: Account
let busy: Record<BodyKind, Account>
const sockets: Socket[] = []

beforeAll(async () => {
  server = await testServer({ flags: ['--run=web'] })
  full = await testServer({ beside: server, readFreeShare: async () => 0.08, flags: ['--run=web'] })
  admin = await buildAdmin(server.database)
  manager = await buildManager(server.database)
  busy = { form: await buildAdmin(server.database), json: await buildManager(server.database) }
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})
afterAll(async () => {
  await full.close()
  await server.close()
})

type BodyKind = 'form' | 'json'
type Framing = 'content-length' | 'chunked'
type Upload = {
  kind: BodyKind
  framing: Framing
  token: string | undefined
  bytes: number
  expect?: boolean
  to?: TestServer
}

/** Each accepts files; the JSON call accepts pasted numbers as well. */
const calls = {
  form: { path: '/api/v1/brand/settings/logo', type: 'multipart/form-data; boundary=edge', limit: 512 * kilobyte },
  json: { path: '/api/audiences', type: 'application/json', limit: 2.5 * megabyte },
}
const starts = {
  form: '--edge\r\ncontent-disposition: form-data; name="logo"; filename="a.png"\r\n\r\n',
  json: '{"numbers":"',
}

function open({ kind, framing, token, bytes, expect: waits = false, to = server }: Upload): Socket {
  const socket = connect(Number(new URL(to.url).port), '127.0.0.1')
  sockets.push(socket)
  const { path, type } = calls[kind]
  socket.write(
    [
      `POST ${path} HTTP/1.1`,
      'host: test',
      ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
      `content-type: ${type}`,
      framing === 'chunked' ? 'transfer-encoding: chunked' : `content-length: ${bytes}`,
      ...(waits ? ['expect: 100-continue'] : []),
      '\r\n',
    ].join('\r\n'),
  )
  return socket
}

const piece = (text: string, framing: Framing) =>
  framing === 'chunked' ? `${text.length.toString(16)}\r\n${text}\r\n` : text

async function write(socket: Socket, text: string) {
  if (!socket.write(text)) await Promise.race([once(socket, 'drain'), once(socket, 'close')])
}

/** The whole response: head and a body of the given length. */
async function answerOn(socket: Socket): Promise<{ status: number; code: string; closes: boolean }> {
  let octets = Buffer.alloc(0)
  socket.on('data', (data: Buffer) => (octets = Buffer.concat([octets, data])))
  const bodyStart = () => octets.indexOf('\r\n\r\n') + 4
  await until(() => {
    const length = Number(/content-length: (\d+)/i.exec(octets.toString())?.[1] ?? Number.NaN)
    return octets.length - bodyStart() >= length
  }, 'the answer')
  const head = octets.subarray(0, bodyStart()).toString()
  const body = JSON.parse(octets.subarray(bodyStart()).toString()) as { code: string }
  return {
    status: Number(/^HTTP\/1.1 (\d+)/.exec(head)?.[1]),
    code: body.code,
    closes: /connection: close/i.test(head),
  }
}

/** Occupies all parallel uploads of an account. Those of the previous test may still be ending. */
async function occupy(kind: BodyKind): Promise<void> {
  const bytes = 400 * kilobyte
  for (let count = 0; count < 4; count += 1)
    await until(async () => {
      const socket = open({ kind, framing: 'content-length', token: busy[kind].token, bytes, expect: true })
      const [data] = (await once(socket, 'data')) as [Buffer]
      return data.toString().startsWith('HTTP/1.1 100')
    }, 'a free place')
}

type Refusal = { status: number; code: string; token: (kind: BodyKind) => string | undefined }

const uploaderOf = (kind: BodyKind) => (kind === 'form' ? admin.token : manager.token)
const refusals: Refusal[] = [
  { status: 401, code: 'no_token', token: () => undefined },
  { status: 401, code: 'unauthenticated', token: () => 'f'.repeat(64) },
  { status: 403, code: 'forbidden', token: (kind) => (kind === 'form' ? manager.token : admin.token) },
  { status: 429, code: 'too_many_requests', token: (kind) => busy[kind].token },
  { status: 507, code: 'disk_full', token: uploaderOf },
  { status: 413, code: 'too_large', token: uploaderOf },
]

const cases = refusals.flatMap((refusal) =>
  (['form', 'json'] as const).flatMap((kind) =>
    (['content-length', 'chunked'] as const).map((framing) => ({ ...refusal, kind, framing })),
  ),
)

/** Announced oversize is rejected before uploads in progress are counted. */
const bytesOf = ({ status, kind }: { status: number; kind: BodyKind }) =>
  calls[kind].limit + (status === 429 ? 0 : 8 * megabyte)

describe('a rejected body', () => {
  test.each(cases)(
    '$status $code, $kind with $framing: the answer comes before the body ends, and the rest is discarded',
    async (refused) => {
      const { status, code, kind, framing } = refused
      if (status === 429) await occupy(kind)
      const to = status === 507 ? full : server
      const bytes = bytesOf(refused)
      const socket = open({ kind, framing, token: refused.token(kind), bytes, to })
      const failures: Error[] = []
      socket.on('error', (error) => failures.push(error))
      const answer = answerOn(socket)
      // Unannounced oversize is rejected once it occurs.
      const first = status === 413 && framing === 'chunked' ? calls[kind].limit + 64 * kilobyte : 64 * kilobyte
      const begin = starts[kind] + '9'.repeat(first - starts[kind].length)
      await write(socket, piece(begin, framing))
      expect(await answer).toEqual({ status, code, closes: true })

      // The client sends everything it announced before it reads the response.
      const closed = once(socket, 'close')
      for (let sent = first; sent < bytes; sent += megabyte)
        await write(socket, piece('9'.repeat(Math.min(megabyte, bytes - sent)), framing))
      if (framing === 'chunked') await write(socket, '0\r\n\r\n')
      await closed
      expect(failures).toEqual([])
    },
  )

  test.each(cases.filter(({ framing }) => framing === 'content-length'))(
    '$status $code, $kind: a client that waits for 100 Continue does not send it',
    async (refused) => {
      const { status, code, kind, framing } = refused
      if (status === 429) await occupy(kind)
      const to = status === 507 ? full : server
      const bytes = bytesOf(refused)
      const socket = open({ kind, framing, token: refused.token(kind), bytes, to, expect: true })
      expect(await answerOn(socket)).toEqual({ status, code, closes: true })
    },
  )
})

test.each(['form', 'json'] as const)('a %s that is accepted is requested with 100 Continue', async (kind) => {
  const body =
    kind === 'form' ? `${starts.form}no picture\r\n--edge--\r\n` : '{"numbers":"9876543210","defaultCountry":"IN"}'
  const upload = { kind, framing: 'content-length', token: uploaderOf(kind), bytes: body.length } as const
  const socket = open({ ...upload, expect: true })
  const [first] = (await once(socket, 'data')) as [Buffer]
  expect(first.toString()).toBe('HTTP/1.1 100 Continue\r\n\r\n')
  const answer = answerOn(socket)
  await write(socket, body)
  expect((await answer).status).toBe(kind === 'form' ? 400 : 200)
})

test('a client that stops halfway gets the response, and its connection ends', async () => {
  const socket = open({ kind: 'json', framing: 'content-length', token: undefined, bytes: 4 * megabyte })
  const closed = once(socket, 'close')
  await write(socket, starts.json)
  expect((await answerOn(socket)).status).toBe(401)
  await closed
})
