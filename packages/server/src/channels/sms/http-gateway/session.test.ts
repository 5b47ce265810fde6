import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { countSmsParts } from '@carillon/contract/channels/sms/sms-parts'
import { startSimulator, type Simulator } from '@carillon/simulator/index'
import type { ProviderEvent, Session } from '../../provider.ts'
import type { SmsMessage } from '../message.ts'
import { createEgress } from '../../../egress/egress.ts'
import { systemClock } from '../../../lib/clock.ts'
import { HttpGatewayConfig } from './config.ts'
import { httpGateway } from './http-gateway.ts'
import { sendAll } from '../../../testing/send-all.ts'

const closers: (() => Promise<void> | void)[] = []
const events: ProviderEvent[] = []

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
  events.length = 0
})

type Answerer = (
  request: { method: string; url: string; headers: IncomingMessage['headers']; body: string },
  response: ServerResponse,
) => void

async function listen(answer: Answerer): Promise<number> {
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.on('end', () =>
      answer({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body }, response),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => new Promise<void>((resolve) => (server.closeAllConnections(), server.close(() => resolve()))))
  return (server.address() as { port: number }).port
}

function open(
  config: HttpGatewayConfig,
  { port, callbackUrl = 'https://carillon.example/hooks/k' }: { port: number; callbackUrl?: string },
): Session<SmsMessage> {
  const egress = createEgress({ allowedPrivate: [`127.0.0.1:${port}`], allowedPorts: [], connections: 32 })
  closers.push(() => egress.close())
  const session = httpGateway.connect(config, {
    clock: systemClock,
    egress,
    callbackUrl,
    onState: () => undefined,
    readInstallationSettings: async () => undefined,
    onEvents: () => Promise.resolve(),
  })
  closers.push(() => session.close(1_000))
  return session
}

function message(number: string, text = 'Order 7 is on its way', more: Partial<SmsMessage> = {}): SmsMessage {
  const { encoding, parts } = countSmsParts(text)
  return {
    reference: `r.${number}`,
    to: `+${number}`,
    from: 'ACMESH',
    text,
    parts,
    encoding,
    entityId: '1101234567890123456',
    dltTemplateId: '1107123456789012345',
    expiresAt: new Date(Date.now() + 3_600_000),
    ...more,
  }
}

function config(settings: Partial<HttpGatewayConfig>): HttpGatewayConfig {
  return HttpGatewayConfig.parse(settings)
}

const presetOf = (name: string) => httpGateway.presets.find((preset) => preset.name === name)?.config ?? {}
/** Without the address, which each case sets. */
const { url: _twilioUrl, ...twilio } = presetOf('twilio')
const { url: _pipesUrl, ...pipes } = presetOf('pipes')
const readLost = { kind: 'unknown', code: 'UNREADABLE' }
const taken = (id: string) => ({ kind: 'accepted', providerMessageIds: [id] })

describe('a response', () => {
  const cases: [string, Partial<HttpGatewayConfig>, [number, string, Record<string, string>?], object][] = [
    ['taken', {}, [200, '{"id":"g-1"}'], { kind: 'accepted', providerMessageIds: ['g-1'] }],
    [
      'taken, the id a number',
      { idPath: 'data[0].id' },
      [201, '{"data":[{"id":17}]}'],
      { kind: 'accepted', providerMessageIds: ['17'] },
    ],
    [
      'taken, the id in words',
      { idFrom: 'pattern', idPath: 'Success "*"' },
      [200, 'Success "a-b"'],
      { kind: 'accepted', providerMessageIds: ['a-b'] },
    ],
    [
      'taken, the id in a header',
      { idFrom: 'header', idPath: 'X-Id' },
      [200, '', { 'x-id': 'h-1' }],
      { kind: 'accepted', providerMessageIds: ['h-1'] },
    ],
    [
      'taken under our reference',
      { idFrom: 'own' },
      [202, '0: Accepted'],
      { kind: 'accepted', providerMessageIds: ['r.919812345670'] },
    ],
    [
      '200 that says no',
      { successRule: 'json-equals', successPath: 'type', successValue: 'success', errorTextPath: 'message' },
      [200, '{"type":"error","message":"no such sender"}'],
      { kind: 'rejected', reason: 'operator_rejected', detail: 'no such sender', scope: 'message' },
    ],
    [
      'bad request',
      { errorCodePath: 'code' },
      [400, '{"code":21211}'],
      { kind: 'rejected', reason: 'bad_request', code: '21211' },
    ],
    [
      'bad request that the account knows',
      { errorCodePath: 'code', errorMap: [{ match: '21211', reason: 'invalid_number', action: 'reject' }] },
      [400, '{"code":21211}'],
      { kind: 'rejected', reason: 'invalid_number' },
    ],
    [
      'words that the account knows',
      { errorMap: [{ match: 'low balance', reason: 'operator_rejected', action: 'stop-account' }] },
      [402, 'Error: low balance'],
      { kind: 'rejected', scope: 'sender' },
    ],
    [
      'a code of the registry',
      { errorCodePath: 'err' },
      [400, '{"err":"620"}'],
      { kind: 'rejected', reason: 'dlt_header' },
    ],
    ['not signed in', {}, [401, ''], { kind: 'rejected', reason: 'channel_auth', scope: 'sender', code: '401' }],
    ['forbidden', {}, [403, ''], { kind: 'rejected', reason: 'channel_auth', scope: 'sender' }],
    [
      'too fast',
      {},
      [429, '', { 'retry-after': '7' }],
      { kind: 'retry', reason: 'throughput_limited', throttled: true, afterMs: 7_000, pauseMs: 7_000 },
    ],
    [
      'too fast, and not for how long',
      {},
      [429, ''],
      { kind: 'retry', reason: 'throughput_limited', throttled: true, afterMs: 1_000 },
    ],
    ['a stumble', {}, [500, 'oops'], { kind: 'unknown', code: '500' }],
    ['too busy', {}, [503, ''], { kind: 'unknown', code: '503' }],
    [
      'too busy, come back later',
      {},
      [503, '', { 'retry-after': '3' }],
      { kind: 'retry', reason: 'throughput_limited', throttled: true, afterMs: 3_000, pauseMs: 3_000 },
    ],
    ['200 from something in between', twilio, [200, '<html>Sign in to the network</html>'], readLost],
    ['200 without an id where one is due', { successRule: 'id', idPath: 'sid' }, [200, '{"ok":true}'], readLost],
    ['taken, number and id behind pipes', pipes, [200, '1701|919812345670|a7-91'], taken('a7-91')],
    ['taken, one of several behind pipes', pipes, [200, '1701|919812345670|a7-91\n'], taken('a7-91')],
    ['refused behind a pipe', pipes, [200, '1706|919812345670'], { kind: 'rejected', reason: 'invalid_number' }],
    ['refused in one code', pipes, [200, '1703'], { kind: 'rejected', reason: 'channel_auth', scope: 'sender' }],
    ['moved elsewhere', {}, [302, '', { location: 'http://169.254.169.254/' }], { kind: 'rejected' }],
  ]
  test.each(cases)('%s', async (_, settings, [status, body, headers = {}], outcome) => {
    const port = await listen((_request, response) => response.writeHead(status, headers).end(body))
    const session = open(config({ url: `http://127.0.0.1:${port}/send`, ...settings }), { port })
    expect(await sendAll(session, [message('919812345670')])).toMatchObject([outcome])
  })

  test('that never arrives or is cut off leaves the outcome unknown', async () => {
    const port = await listen(({ url }, response) => (url === '/silence' ? undefined : response.destroy()))
    const silent = open(config({ url: `http://127.0.0.1:${port}/silence`, timeoutSeconds: 1 }), { port })
    const broken = open(config({ url: `http://127.0.0.1:${port}/break` }), { port })
    expect(await sendAll(silent, [message('919812345670')])).toMatchObject([{ kind: 'unknown' }])
    expect(await sendAll(broken, [message('919812345670')])).toMatchObject([{ kind: 'unknown' }])
  })

  test('cannot come from a closed port or a forbidden address', async () => {
    const port = await listen((_request, response) => response.end())
    await closers.pop()?.()
    const closed = open(config({ url: `http://127.0.0.1:${port}/` }), { port })
    expect(await sendAll(closed, [message('919812345670')])).toMatchObject([{ kind: 'retry', reason: 'not_connected' }])
    expect(closed.state()).toMatchObject({ binds: [{ status: 'closed' }], lastError: { code: 'ECONNREFUSED' } })
    const forbidden = open(config({ url: 'http://169.254.169.254/latest' }), { port })
    expect(await sendAll(forbidden, [message('919812345670')])).toMatchObject([
      { kind: 'rejected', scope: 'sender', code: 'EGRESS_REFUSED' },
    ])
  })
})

describe('a request', () => {
  async function ask(settings: Partial<HttpGatewayConfig>, sent = message('919812345670')) {
    const seen: Parameters<Answerer>[0][] = []
    const port = await listen((request, response) => (seen.push(request), response.end('{"id":"g-1"}')))
    const { url = '/send', ...rest } = settings
    await sendAll(open(config({ ...rest, url: `http://127.0.0.1:${port}${url}` }), { port }), [sent])
    return seen[0]
  }
  const mixed = 'a"b\\c&d=e<f>\n{{from}} नमस्ते 😀'

  test('in JSON: a text stays a string', async () => {
    const request = await ask({ bodyTemplate: '{"to":"{{to}}","text":"{{text}}"}' }, message('919812345670', mixed))
    expect(JSON.parse(request?.body ?? '')).toEqual({ to: '+919812345670', text: mixed })
    expect(request?.headers['content-type']).toContain('application/json')
  })

  test('as a form', async () => {
    const request = await ask(
      { contentType: 'urlencoded', bodyTemplate: 'to={{to}}&text={{text}}', numberFormat: 'digits' },
      message('919812345670', mixed),
    )
    expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({ to: '919812345670', text: mixed })
  })

  test('in XML', async () => {
    const request = await ask(
      { contentType: 'xml', bodyTemplate: '<t>{{text}}</t>' },
      message('919812345670', 'a<b>&"c"'),
    )
    expect(request?.body).toBe('<t>a&#60;b&#62;&#38;&#34;c&#34;</t>')
  })

  test('in the query string only', async () => {
    const request = await ask(
      { method: 'GET', contentType: 'query', url: '/send?to={{toNational}}&text={{text}}&u={{unicode}}' },
      message('919812345670', mixed),
    )
    const query = new URLSearchParams(request?.url.split('?')[1])
    expect([query.get('to'), query.get('text'), query.get('u'), request?.body]).toEqual(['9812345670', mixed, '1', ''])
  })

  test.each([
    ['basic', { authUser: 'asha' }, 'authorization', `Basic ${Buffer.from('asha:s3cret').toString('base64')}`],
    ['bearer', {}, 'authorization', 'Bearer s3cret'],
    ['header', { authName: 'AuthKey' }, 'authkey', 's3cret'],
  ] as const)('authenticated by %s', async (auth, settings, header, value) => {
    expect((await ask({ auth, authSecret: 's3cret', ...settings }))?.headers[header]).toBe(value)
  })

  test('authenticated by the query string, with headers and an idempotency key', async () => {
    const request = await ask({
      auth: 'query',
      authName: 'key',
      authSecret: 's&t',
      headers: [{ name: 'X-From', value: '{{from}}' }],
      idempotencyHeader: 'Idempotency-Key',
    })
    expect(request?.url).toBe('/send?key=s%26t')
    expect(request?.headers).toMatchObject({ 'x-from': 'ACMESH', 'idempotency-key': 'r.919812345670' })
    expect(httpGateway.idempotent(config({ url: 'https://x.example', idempotencyHeader: 'Idempotency-Key' }))).toBe(
      true,
    )
    expect(httpGateway.idempotent(config({ url: 'https://x.example' }))).toBe(false)
  })

  test('never exceeds the concurrency of the account', async () => {
    let now = 0
    let most = 0
    const port = await listen((_request, response) => {
      now += 1
      most = Math.max(most, now)
      setImmediate(() => ((now -= 1), response.end('{"id":"1"}')))
    })
    const session = open(config({ url: `http://127.0.0.1:${port}/`, concurrency: 3 }), { port })
    const outcomes = await sendAll(
      session,
      Array.from({ length: 40 }, () => message('919812345670')),
    )
    expect(outcomes.every(({ kind }) => kind === 'accepted')).toBe(true)
    expect(most).toBeLessThanOrEqual(3)
  })

  test('is not sent for an expired message or after close', async () => {
    const port = await listen((_request, response) => response.end('{"id":"1"}'))
    const session = open(config({ url: `http://127.0.0.1:${port}/` }), { port })
    expect(await sendAll(session, [message('919812345670', 'Hi', { expiresAt: new Date(0) })])).toMatchObject([
      { kind: 'rejected', reason: 'expired' },
    ])
    await session.close(0)
    expect(await sendAll(session, [message('919812345670')])).toMatchObject([
      { kind: 'retry', reason: 'not_connected' },
    ])
  })
})

describe('the presets, against gateways that use their format', () => {
  let simulator: Simulator
  beforeEach(async () => {
    simulator = await startSimulator()
    closers.push(() => simulator.close())
  })

  /** The receiving end of the callbacks: parses them with the provider's own code. */
  async function connect(name: string, more: Partial<HttpGatewayConfig> = {}): Promise<Session> {
    const preset = httpGateway.presets.find((entry) => entry.name === name)?.config
    const { pathname, search } = new URL((more.url ?? preset?.url ?? '').replaceAll('{{authUser}}', 'carillon'))
    const filled = config({
      ...preset,
      authUser: 'carillon',
      authSecret: 'simulator',
      signatureSecret: 'simulator',
      ...more,
      url: `http://127.0.0.1:${simulator.httpPort}${decodeBraces(pathname + search)}`,
    })
    let base = ''
    const port = await listen(({ method, url, headers, body }, response) => {
      const address = new URL(url, base)
      const result = httpGateway.webhook?.(
        {
          method,
          action: address.pathname.split('/').at(-1) ?? '',
          url: `${base}${url}`,
          headers: Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, String(value)])),
          query: Object.fromEntries(address.searchParams),
          rawBody: Buffer.from(body),
        },
        filled,
      )
      if (result?.kind !== 'events') return response.writeHead(result?.status ?? 500).end()
      events.push(...result.events)
      return response
        .writeHead(result.reply.status, { 'content-type': result.reply.contentType })
        .end(result.reply.body)
    })
    base = `http://127.0.0.1:${port}`
    simulator.putAccount({
      systemId: 'carillon',
      statusWebhook: { url: `${base}/report`, version: 'v2' },
      flowTemplates: { '1107123456789012345': '##VAR1##' },
    })
    return open(filled, { port: simulator.httpPort, callbackUrl: base })
  }

  test.each([
    ['json', 'Order 7 is on its way'],
    ['json', 'आशा जी, आपका ऑर्डर रवाना हो चुका है'],
    ['twilio', 'Order 7 & more = "fine"'],
    ['twilio', 'आशा जी, आपका ऑर्डर रवाना हो चुका है'],
    ['msg91', 'Order 7 is on its way'],
    ['kannel', 'Order 7 is on its way'],
    ['kannel', 'आशा जी, आपका ऑर्डर रवाना हो चुका है'],
    ['jasmin', 'Order 7 is on its way'],
    ['jasmin', 'आशा जी, आपका ऑर्डर रवाना हो चुका है'],
  ])('%s: “%s” arrives, and its report is received', async (name, text) => {
    const session = await connect(name)
    const [outcome] = await sendAll(session, [message('919812340001', text)])
    expect(outcome).toMatchObject({ kind: 'accepted' })
    expect(simulator.handset.find('919812340001')?.messages.map((shown) => shown.text)).toEqual([text])
    await expect
      .poll(() => events.some((event) => event.kind === 'delivery-report' && event.status === 'delivered'), {
        timeout: 10_000,
      })
      .toBe(true)
    const delivered = events.find((event) => event.kind === 'delivery-report' && event.status === 'delivered')
    if (outcome?.kind === 'accepted' && delivered?.kind === 'delivery-report')
      expect(delivered.providerMessageIds).toEqual(outcome.providerMessageIds)
  })

  test.each([
    ['json', '0058', { kind: 'retry', throttled: true }],
    ['json', '0011', { kind: 'rejected', reason: 'invalid_number' }],
    ['json', '0014', { kind: 'unknown' }],
    ['twilio', '0011', { kind: 'rejected', reason: 'invalid_number', code: '21211' }],
    ['twilio', '0058', { kind: 'retry', reason: 'throughput_limited' }],
    ['msg91', '0011', { kind: 'rejected', reason: 'invalid_number' }],
    ['kannel', '0058', { kind: 'retry', throttled: true }],
    ['jasmin', '0011', { kind: 'rejected', reason: 'invalid_number' }],
  ])('%s: a number that ends in %s is %j', async (name, suffix, outcome) => {
    expect(await sendAll(await connect(name), [message(`91981234${suffix}`)])).toMatchObject([outcome])
  })

  test.each(['json', 'twilio', 'msg91', 'kannel', 'jasmin'])('%s: a wrong key stops the account', async (name) => {
    expect(await sendAll(await connect(name, { authSecret: 'guess' }), [message('919812340001')])).toMatchObject([
      { kind: 'rejected', reason: 'channel_auth', scope: 'sender' },
    ])
  })

  test('a repeated key sends once', async () => {
    const session = await connect('json', {
      url: 'http://gateway.example/gateway/send?keyed=1',
      idempotencyHeader: 'Idempotency-Key',
    })
    const [first] = await sendAll(session, [message('919812345670')])
    expect(await sendAll(session, [message('919812345670')])).toEqual([first])
    expect(simulator.handset.count('919812345670')).toBe(1)
  })
})

function decodeBraces(path: string): string {
  return path.replaceAll('%7B', '{').replaceAll('%7D', '}')
}
