import { startSimulator, type Simulator } from '@carillon/simulator/index'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createEgress } from '../../../egress/egress.ts'
import { systemClock } from '../../../lib/clock.ts'
import type { ProviderEvent, ProviderIo, Session } from '../../provider.ts'
import type { WhatsappContent, WhatsappMessage } from '../message.ts'
import { cloudApi } from './cloud-api.ts'
import { CloudApiConfig } from './config.ts'
import { sendAll } from '../../../testing/send-all.ts'

const closers: (() => Promise<unknown> | void)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

function open(port: number, settings: Partial<CloudApiConfig> = {}, io: Partial<ProviderIo> = {}) {
  const config = CloudApiConfig.parse({
    graphUrl: `http://127.0.0.1:${port}/graph`,
    wabaId: '260000000000001',
    appId: '240000000000001',
    accessToken: 'simulator-token',
    appSecret: 'simulator-app-secret',
    verifyToken: 'simulator-verify-token',
    ...settings,
  })
  const egress = createEgress({ allowedPrivate: [`127.0.0.1:${port}`], allowedPorts: [], connections: 32 })
  closers.push(() => egress.close())
  const session = cloudApi.connect(config, {
    clock: systemClock,
    egress,
    callbackUrl: 'https://carillon.example/hooks/k',
    lineId: '270000000000001',
    onState: () => undefined,
    readInstallationSettings: async () => undefined,
    onEvents: () => Promise.resolve(),
    ...io,
  })
  closers.push(() => session.close(1000))
  return { session, config }
}

const hello: WhatsappContent = {
  type: 'template',
  template: { name: 'hello_world', language: { code: 'en_US' }, components: [] },
}

function message(to: string, more: Partial<WhatsappMessage> = {}): WhatsappMessage {
  return { reference: `c.1.${to}`, to, parts: 1, expiresAt: new Date(Date.now() + 3_600_000), content: hello, ...more }
}

/** A server in Meta's place, with responses chosen by the test. */
async function answering(answer: (body: Record<string, unknown>, response: ServerResponse) => void) {
  const asked: { url: string; authorization: string | undefined; body: Record<string, unknown> }[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (piece: string) => (text += piece))
    request.on('end', () => {
      const body = JSON.parse(text) as Record<string, unknown>
      asked.push({ url: request.url ?? '', authorization: request.headers.authorization, body })
      answer(body, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => new Promise<void>((resolve) => (server.closeAllConnections(), server.close(() => resolve()))))
  return { port: (server.address() as AddressInfo).port, asked }
}

async function simulate(): Promise<Simulator> {
  const simulator = await startSimulator({ graph: { gapMs: [0, 1], throughput: 0, pairLimit: false } })
  closers.push(() => simulator.close())
  return simulator
}

const send = async (session: Session<WhatsappMessage>, ...batch: WhatsappMessage[]) => sendAll(session, batch)

test('sends a message in the format of the API', async () => {
  const { port, asked } = await answering((_, response) => response.end('{"messages":[{"id":"wamid.A"}]}'))
  const { session } = open(port)
  const text: WhatsappContent = { type: 'text', text: { body: 'नमस्ते' } }
  expect(
    await send(session, message('+919812345678'), message('IN.1234', { content: text, inReplyTo: 'wamid.IN' })),
  ).toEqual([
    { kind: 'accepted', providerMessageIds: ['wamid.A'] },
    { kind: 'accepted', providerMessageIds: ['wamid.A'] },
  ])
  expect(asked).toHaveLength(2)
  expect(asked).toContainEqual({
    url: '/graph/v25.0/270000000000001/messages',
    authorization: 'Bearer simulator-token',
    body: {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: '+919812345678',
      ...hello,
      biz_opaque_callback_data: 'c.1.+919812345678',
    },
  })
  expect(asked.map(({ body }) => body)).toContainEqual({
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    recipient: 'IN.1234',
    ...text,
    context: { message_id: 'wamid.IN' },
    biz_opaque_callback_data: 'c.1.IN.1234',
  })
})

test('a throttled recipient waits four times longer each time, until a message succeeds', async () => {
  let isTooFast = true
  const { port } = await answering((_, response) =>
    response.end(isTooFast ? '{"error":{"code":131056,"message":"Too fast"}}' : '{"messages":[{"id":"wamid.A"}]}'),
  )
  const { session } = open(port)
  const pauses = []
  for (let round = 0; round < 3; round += 1) pauses.push(...(await send(session, message('+919812345678'))))
  expect(pauses).toMatchObject([{ afterMs: 4000 }, { afterMs: 16_000 }, { afterMs: 64_000 }])
  expect(await send(session, message('+919812345679'))).toMatchObject([{ afterMs: 4000 }])
  isTooFast = false
  expect(await send(session, message('+919812345678'))).toMatchObject([{ kind: 'accepted' }])
  isTooFast = true
  expect(await send(session, message('+919812345678'))).toMatchObject([{ afterMs: 4000 }])
})

test('the concurrency limit is kept', async () => {
  let inFlight = 0
  let most = 0
  const { port } = await answering((_, response) => {
    most = Math.max(most, (inFlight += 1))
    setTimeout(() => {
      inFlight -= 1
      response.end('{"messages":[{"id":"wamid.A"}]}')
    }, 5)
  })
  const { session } = open(port, { concurrency: 3 })
  expect(session.window).toBe(3)
  const batch = Array.from({ length: 20 }, (_, index) => message(`+9198123456${index + 10}`))
  expect(new Set((await sendAll(session, batch)).map(({ kind }) => kind))).toEqual(new Set(['accepted']))
  expect(most).toBe(3)
})

test('no response, half a response, and no server', async () => {
  const cut = await answering((_, response) => response.destroy())
  expect(await send(open(cut.port).session, message('+919812345678'))).toMatchObject([{ kind: 'unknown' }])
  const half = await answering((_, response) => response.end('{"messages":[{"id":"wam'))
  expect(await send(open(half.port).session, message('+919812345678'))).toMatchObject([{ kind: 'unknown' }])
  expect(await send(open(1).session, message('+919812345678'))).toMatchObject([
    { kind: 'retry', reason: 'not_connected' },
  ])
})

test('an expired message is not sent, nor one to a forbidden address', async () => {
  const { port, asked } = await answering((_, response) => response.end('{}'))
  expect(await send(open(port).session, message('+919812345678', { expiresAt: new Date(0) }))).toMatchObject([
    { kind: 'rejected', reason: 'expired' },
  ])
  const { session } = open(port, { graphUrl: 'http://127.0.0.1:9/graph' })
  expect(await send(session, message('+919812345678'))).toMatchObject([
    { kind: 'rejected', code: 'EGRESS_REFUSED', scope: 'sender' },
  ])
  expect(session.state().binds[0]?.status).toBe('refused')
  expect(asked).toEqual([])
})

test('a template arrives on a simulated phone, and its signed reports are received', async () => {
  const simulator = await simulate()
  const { session, config } = open(simulator.httpPort)
  const events: ProviderEvent[] = []
  let enough = () => undefined as void
  const wanted = new Promise<void>((resolve) => (enough = resolve))
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const { searchParams } = new URL(request.url ?? '/', 'http://webhook')
      const result = cloudApi.webhook?.(
        {
          method: request.method ?? '',
          action: 'events',
          url: request.url ?? '',
          headers: request.headers as Record<string, string>,
          query: Object.fromEntries(searchParams),
          rawBody: Buffer.concat(pieces),
        },
        config,
      )
      if (result?.kind !== 'events') return response.writeHead(result?.status ?? 500).end()
      events.push(...result.events)
      if (events.length >= 4) enough()
      return response.writeHead(result.reply.status).end(result.reply.body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => new Promise<void>((resolve) => (server.closeAllConnections(), server.close(() => resolve()))))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/k/events`
  await simulator.graph.control.setWebhook({ url })

  const outcomes = await send(session, message('+919812345678'), message('+919812340026'), message('+919812340429'))
  expect(outcomes).toMatchObject([
    { kind: 'accepted', providerMessageIds: [expect.stringMatching(/^wamid\./)] },
    { kind: 'accepted' },
    { kind: 'retry', reason: 'throughput_limited', throttled: true },
  ])
  await wanted
  const of = (reference: string) => events.filter((event) => 'reference' in event && event.reference === reference)
  expect(of('c.1.+919812345678').map((event) => 'status' in event && event.status)).toEqual([
    'sent',
    'delivered',
    'read',
  ])
  expect(of('c.1.+919812340026')).toMatchObject([{ status: 'failed', reason: 'number_unreachable', code: '131026' }])
})

test('an unknown template, a closed service window, an expired token', async () => {
  const simulator = await simulate()
  const { session } = open(simulator.httpPort)
  const missing: WhatsappContent = {
    type: 'template',
    template: { name: 'no_such', language: { code: 'en' }, components: [] },
  }
  expect(await send(session, message('+919812345678', { content: missing }))).toMatchObject([
    { kind: 'rejected', reason: 'template_missing_locale', code: '132001' },
  ])
  const { session: dead } = open(simulator.httpPort, { accessToken: 'expired' })
  expect(await send(dead, message('+919812345678'))).toMatchObject([
    { kind: 'rejected', reason: 'channel_auth', code: '190', scope: 'sender' },
  ])
  expect(dead.state()).toMatchObject({ ready: true, binds: [{ status: 'refused' }], lastError: { code: '190' } })
})
