import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const main = join(import.meta.dirname, 'main.ts')
const key = (environment: 'live' | 'test') =>
  `carillon_${environment}_${'0'.repeat(8)}_${'1'.repeat(64)}_${'2'.repeat(8)}`
const live = key('live')

type Asked = { method: string; url: string; headers: IncomingMessage['headers']; body: string }
type Answer = { status?: number; body: unknown }

let home: string
let asked: Asked[]
let answers: Record<string, Answer | ((asked: Asked) => Answer | undefined)>
let api: Awaited<ReturnType<typeof serve>>

const ok = (data: unknown): Answer => ({ body: { success: true, message: 'OK', data } })
const refused = (status: number, code: string, message: string, details?: object): Answer => ({
  status,
  body: { success: false, code, message, details },
})

/** A request without an answer stays open. */
async function serve(answerOf: (asked: Asked) => Answer | undefined) {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const answer = answerOf({ method, url, headers, body: Buffer.concat(pieces).toString() })
      if (answer)
        response
          .writeHead(answer.status ?? 200, { 'content-type': 'application/json' })
          .end(JSON.stringify(answer.body))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'carillon-cli-'))
  asked = []
  answers = {}
  api = await serve((request) => {
    asked.push(request)
    const answer =
      answers[`${request.method} ${request.url.split('?')[0]}`] ?? refused(404, 'not_found', 'No such endpoint')
    return typeof answer === 'function' ? answer(request) : answer
  })
})
afterEach(async () => {
  await api.close()
  rmSync(home, { recursive: true, force: true })
})

function start(args: string[], { env = {}, input = '' }: { env?: Record<string, string>; input?: string } = {}) {
  const child = spawn(process.execPath, ['--conditions=@carillon/source', main, ...args], {
    env: { PATH: process.env['PATH'], HOME: home, XDG_CONFIG_HOME: join(home, 'config'), ...env },
  })
  const seen = { out: '', err: '' }
  child.stdout.on('data', (piece: Buffer) => (seen.out += piece.toString()))
  child.stderr.on('data', (piece: Buffer) => (seen.err += piece.toString()))
  child.stdin.end(input)
  const ended = once(child, 'close').then(([code]: number[]) => ({ code, ...seen }))
  return { child, seen, ended }
}

/** With the key in the environment. */
const carillon = (args: string[], more: Parameters<typeof start>[1] = {}) =>
  start(args, { ...more, env: { CARILLON_URL: api.url, CARILLON_API_KEY: live, ...more.env } }).ended

const sent = { id: 'm-1', status: 'queued', channel: 'sms', to: '+919812300001', parts: 1, cost: 0.15 }

describe('the program', () => {
  test('describes itself and each command', async () => {
    expect(await carillon(['--help'])).toMatchObject({ code: 0, out: expect.stringContaining('listen'), err: '' })
    for (const command of ['login', 'send', 'tail', 'listen', 'trigger'])
      expect(await carillon([command, '--help'])).toMatchObject({
        code: 0,
        out: expect.stringContaining(`Usage: carillon ${command}`),
      })
    expect((await carillon(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  test.each([
    [[], 'Usage'],
    [['fly'], 'There is no command fly'],
    [['toString'], 'There is no command toString'],
    [['send', '--colour', 'red'], "Unknown option '--colour'"],
    [['send', 'hello'], "Unexpected argument 'hello'"],
    [['send', '--text', 'Hello'], 'Give the number'],
    [['send', '--to', '1', '--text', 'a', '--template', 'b'], 'Give either --text or --template'],
    [['send', '--to', '1', '--template', 'b', '--value', 'x'], 'NAME=VALUE'],
    [['listen', '--forward-to', 'localhost:3000'], '--forward-to has to be a URL'],
    [['listen', '--count', 'many'], '--count has to be a number'],
    [['trigger'], 'Name one type'],
    [['trigger', 'moon.landed'], 'Name one type'],
  ])('%j is a mistake with exit code 2', async (args, message) => {
    const ended = await carillon(args)
    expect(ended).toMatchObject({ code: 2, out: '' })
    expect(ended.err).toContain(message)
    expect(asked).toEqual([])
  })
})

describe('login', () => {
  beforeEach(() => {
    answers['GET /api/public/v1/balance'] = ok({ balance: 1, available: 1, currency: 'INR' })
  })
  const path = () => join(home, 'config/carillon/login.json')

  test('asks for the address and the key, stores them for the user only, and prints no key', async () => {
    const ended = await start(['login'], { input: `${api.url}/\n${live}\n` }).ended
    expect(ended).toMatchObject({ code: 0, out: '' })
    expect(ended.err).toContain('with a live key')
    expect(ended.err).not.toContain(live)
    expect(statSync(path()).mode & 0o777).toBe(0o600)
    expect(JSON.parse(readFileSync(path(), 'utf8'))).toEqual({ url: api.url, key: live })
    answers['POST /api/public/v1/messages'] = ok(sent)
    expect(await start(['send', '--to', '+919812300001', '--text', 'Hello']).ended).toMatchObject({ code: 0 })
    expect(asked.at(-1)?.headers.authorization).toBe(`Bearer ${live}`)
  })

  test('stores nothing if the key is refused', async () => {
    answers['GET /api/public/v1/balance'] = refused(401, 'key_expired', 'This API key has expired')
    expect(await carillon(['login'])).toMatchObject({ code: 1, err: 'This API key has expired (key_expired)\n' })
    expect(() => statSync(path())).toThrow()
  })

  test('accepts a key without the scope that the check needs', async () => {
    answers['GET /api/public/v1/balance'] = refused(
      403,
      'scope_missing',
      'This API key does not have the scope balance:read',
    )
    expect(await carillon(['login', '--json'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('"environment":"live"'),
    })
  })

  test('its key is not sent to another server', async () => {
    await carillon(['login'])
    asked = []
    const other = await start(['send', '--to', '1', '--text', 'a'], { env: { CARILLON_URL: 'http://127.0.0.1:9' } })
      .ended
    expect(other).toMatchObject({ code: 1, err: expect.stringContaining(`is for ${api.url}`) })
  })

  test('without it and without settings, commands say what to do', async () => {
    expect(await start(['tail']).ended).toMatchObject({ code: 1, err: expect.stringContaining('run carillon login') })
  })
})

describe('send', () => {
  test('sends a text, and a template with values', async () => {
    answers['POST /api/public/v1/messages'] = ok(sent)
    const ended = await carillon([
      'send',
      '--to',
      '+919812300001',
      '--text',
      'Hello',
      '--reference',
      'r',
      '--idempotency-key',
      'k',
    ])
    expect(ended).toMatchObject({ code: 0, out: 'm-1  queued  sms  +919812300001  ₹0.15\n', err: '' })
    expect(asked[0]?.headers['idempotency-key']).toBe('k')
    expect(JSON.parse(asked[0]?.body ?? '')).toEqual({ to: '+919812300001', text: 'Hello', reference: 'r' })
    const args = ['--template', 'otp', '--value', 'code=1=2', '--value', 'name=Asha', '--json']
    expect(JSON.parse((await carillon(['send', '--to', '+919812300001', ...args])).out)).toEqual(sent)
    expect(JSON.parse(asked[1]?.body ?? '')).toMatchObject({
      template: { name: 'otp', values: { code: '1=2', name: 'Asha' } },
    })
  })

  test('--dry-run only checks', async () => {
    answers['POST /api/public/v1/messages/check'] = ok(sent)
    const ended = await carillon(['send', '--to', '+919812300001', '--text', 'Hello', '--dry-run'])
    expect(ended).toMatchObject({ code: 0, out: 'Would be sent to +919812300001 by sms, 1 parts, ₹0.15\n' })
  })

  test('a refusal names code and fields, in words or as JSON, and the exit code is 1', async () => {
    const details = [{ field: 'to', message: 'Enter a number' }]
    answers['POST /api/public/v1/messages'] = refused(400, 'bad_request', 'Enter a number', details)
    const args = ['send', '--to', '1', '--text', 'Hello']
    expect(await carillon(args)).toEqual({
      code: 1,
      out: '',
      err: 'Enter a number (bad_request)\n  to: Enter a number\n',
    })
    const ended = await carillon([...args, '--json'])
    expect(JSON.parse(ended.err)).toEqual({ status: 400, code: 'bad_request', message: 'Enter a number', details })
  })

  test('a server that is away is named, and the key is not', async () => {
    const ended = await carillon(['tail', '--url', 'http://127.0.0.1:9'])
    expect(ended).toMatchObject({ code: 1, out: '' })
    expect(ended.err).toBe('The connection to 127.0.0.1:9 failed (connection_failed)\n')
  })
})

describe('tail', () => {
  test('prints messages, then changes only, until it is ended', async () => {
    const message = { ...sent, text: 'Hello\nthere', createdAt: '2026-11-26T10:00:00.000Z' }
    let reads = 0
    answers['GET /api/public/v1/messages'] = () => {
      reads += 1
      return ok({ messages: [{ ...message, status: reads > 2 ? 'delivered' : 'queued' }], cursor: null })
    }
    const { child, seen, ended } = start(['tail', '--reference', 'r'], {
      env: { CARILLON_URL: api.url, CARILLON_API_KEY: live },
    })
    await expect.poll(() => seen.out).toContain('delivered')
    child.kill('SIGINT')
    const { code, out } = await ended
    expect(code).toBe(130)
    expect(out.split('\n').filter((line) => line.includes('Hello there'))).toHaveLength(2)
    expect(asked[0]?.url).toContain('reference=r')
  })
})

describe('listen and trigger', () => {
  const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' }
  const event = {
    id: 'e-1',
    type: 'balance.low',
    timestamp: '2026-11-26T10:00:00.000Z',
    headers,
    body: '{"type":"balance.low"}',
  }

  beforeEach(() => {
    answers['POST /api/public/v1/event-listeners'] = ok({
      id: 'l-1',
      secret: 'whsec_AAAA',
      environment: 'live',
      eventTypes: [],
    })
    answers['DELETE /api/public/v1/event-listeners/l-1'] = ok({ id: 'l-1' })
    answers['GET /api/public/v1/events'] = ({ url }) =>
      url.includes('after=') ? undefined : ok({ events: [event], nextCursor: 'e-1' })
  })

  test('prints and forwards events unchanged, confirms them afterwards, and stops the listener', async () => {
    const got: Asked[] = []
    const receiver = await serve((request) => {
      got.push(request)
      return { status: 204, body: undefined }
    })
    try {
      const args = ['listen', '--forward-to', `${receiver.url}/hook`, '--events', 'balance.low,message.sent']
      const { child, seen, ended } = start(args, { env: { CARILLON_URL: api.url, CARILLON_API_KEY: live } })
      await expect.poll(() => asked.some(({ url }) => url.includes('after=e-1'))).toBe(true)
      expect(seen.out).toContain('balance.low')
      expect(seen.out).toContain('→ 204')
      expect(seen.err).toContain('Secret: whsec_AAAA')
      expect(got).toEqual([
        expect.objectContaining({ url: '/hook', body: event.body, headers: expect.objectContaining(headers) }),
      ])
      expect(JSON.parse(asked[0]?.body ?? '')).toEqual({ eventTypes: ['balance.low', 'message.sent'] })
      child.kill('SIGINT')
      expect((await ended).code).toBe(130)
      expect(asked.at(-1)).toMatchObject({ method: 'DELETE', url: '/api/public/v1/event-listeners/l-1' })
    } finally {
      await receiver.close()
    }
  })

  test('a receiver that is away is printed with the event', async () => {
    const ended = await carillon(['listen', '--forward-to', 'http://127.0.0.1:9/', '--count', '1'])
    expect(ended).toMatchObject({ code: 0, out: expect.stringContaining('→ failed') })
  })

  test('trigger reaches the listener of this machine while it runs', async () => {
    answers['POST /api/public/v1/event-listeners/l-1/trigger'] = ok({ id: 'e-2' })
    const { child, seen, ended } = start(['listen'], { env: { CARILLON_URL: api.url, CARILLON_API_KEY: live } })
    await expect.poll(() => seen.err).toContain('Listening')
    expect(await carillon(['trigger', 'endpoint.test'])).toMatchObject({ code: 0, out: 'Sent e-2 to the listener\n' })
    child.kill('SIGINT')
    await ended
    expect(await carillon(['trigger', 'endpoint.test'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('No listener runs'),
    })
  })

  test('trigger sends messages to the sandbox with a test key only', async () => {
    answers['POST /api/public/v1/messages'] = ok(sent)
    expect(await carillon(['trigger', 'message.failed'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('this key is live'),
    })
    expect(asked).toEqual([])
    expect(await carillon(['trigger', 'message.failed', '--key', key('test')])).toMatchObject({ code: 0 })
    expect(JSON.parse(asked[0]?.body ?? '')).toMatchObject({ to: '+919999900001' })
  })
})
