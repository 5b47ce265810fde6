import { createHash, createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { WebhookRequest } from '../../provider.ts'
import { HttpGatewayConfig } from './config.ts'
import { httpGateway } from './http-gateway.ts'
import { findAll, findText } from './json-path.ts'

function preset(name: string, more: Partial<HttpGatewayConfig> = {}): HttpGatewayConfig {
  return HttpGatewayConfig.parse({
    ...httpGateway.presets.find((entry) => entry.name === name)?.config,
    authSecret: 'simulator',
    ...more,
  })
}

function receive(
  config: HttpGatewayConfig,
  {
    body = '',
    action = 'report',
    headers = {},
    query = {},
  }: Partial<Omit<WebhookRequest, 'rawBody'>> & { body?: string },
) {
  const search = new URLSearchParams(query).toString()
  const url = `https://carillon.example/hooks/k/${action}${search ? `?${search}` : ''}`
  return httpGateway.webhook?.({ method: 'POST', action, url, headers, query, rawBody: Buffer.from(body) }, config)
}

function eventsOf(...args: Parameters<typeof receive>) {
  const result = receive(...args)
  return result?.kind === 'events' ? result.events : result
}

const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString()

describe('a report', () => {
  test.each([
    ['delivered', 'DELIVRD', 'delivered', undefined],
    ['refused by the handset', 'UNDELIV', 'failed', 'undelivered'],
    ['too late to matter', 'EXPIRED', 'failed', 'expired'],
    ['rejected', 'rejected', 'failed', 'operator_rejected'],
    ['on its way', 'enroute', 'sent', undefined],
    ['read', 'Read', 'read', undefined],
  ])('in plain JSON: %s', (_, wireStatus, status, reason) => {
    const at = new Date(Date.now() - 60_000).toISOString()
    const [event] = [
      eventsOf(preset('json'), {
        body: JSON.stringify({ id: 'g-1', ref: 'r-1', status: wireStatus, error: '000', at }),
      }),
    ].flat()
    expect(event).toMatchObject({
      kind: 'delivery-report',
      providerMessageIds: ['g-1'],
      reference: 'r-1',
      status,
      at: new Date(at),
    })
    expect(event && 'reason' in event ? event.reason : undefined).toBe(reason)
  })

  test('of the registry: error 633 means the template', () => {
    const body = JSON.stringify({ id: 'g-1', status: 'REJECTD', error: '633' })
    expect(eventsOf(preset('json'), { body })).toMatchObject([
      { status: 'failed', reason: 'dlt_template', code: '633' },
    ])
  })

  test('from Twilio: a form, acknowledged with XML', () => {
    const config = preset('twilio', { signature: 'none' })
    const body = form({ MessageSid: 'SM1', MessageStatus: 'undelivered', ErrorCode: '30003', To: '+919812345670' })
    expect(receive(config, { body })).toMatchObject({
      events: [
        { providerMessageIds: ['SM1'], status: 'failed', reason: 'number_unreachable', code: '30003', raw: body },
      ],
      reply: { status: 200, contentType: 'text/xml', body: '<Response/>' },
    })
  })

  test('from Twilio: our reference is read from the callback address', () => {
    const body = form({ MessageSid: 'SM1', MessageStatus: 'delivered', To: '+919812345670' })
    expect(receive(preset('twilio', { signature: 'none' }), { body, query: { ref: 'c.1' } })).toMatchObject({
      events: [{ providerMessageIds: ['SM1'], reference: 'c.1', status: 'delivered' }],
    })
  })

  test('from MSG91: JSON in a form field, with several reports of several requests', () => {
    const report = (number: string, status: string) => ({
      date: '2024-05-22 10:06:20',
      number,
      status,
      desc: 'x',
      failedReason: '',
    })
    const data = [
      { requestId: 'q-1', report: [report('919812345670', '1'), report('919812345671', '2')] },
      { requestId: 'q-2', report: [report('919812345672', '9')] },
    ]
    expect(eventsOf(preset('msg91'), { body: form({ data: JSON.stringify(data) }) })).toMatchObject([
      { providerMessageIds: ['q-1'], status: 'delivered' },
      { providerMessageIds: ['q-1'], status: 'failed' },
      { providerMessageIds: ['q-2'], status: 'failed' },
    ])
  })

  test('from Kannel: in the query string, with our own reference', () => {
    const seconds = String(Math.floor(Date.now() / 1000) - 60)
    expect(eventsOf(preset('kannel'), { query: { id: 'abc.0.17', status: '1', at: seconds } })).toMatchObject([
      { providerMessageIds: ['abc.0.17'], status: 'delivered', at: new Date(Number(seconds) * 1000) },
    ])
  })

  test('from Jasmin: acknowledged with ACK/Jasmin', () => {
    const body = form({ id: 'j-1', message_status: 'DELIVRD', level: '2', err: '000' })
    expect(receive(preset('jasmin'), { body })).toMatchObject({
      events: [{ providerMessageIds: ['j-1'], status: 'delivered' }],
      reply: { body: 'ACK/Jasmin' },
    })
  })

  test.each([
    ['an unknown status', '{"id":"g-1","status":"pondering"}'],
    ['no id', '{"status":"DELIVRD"}'],
    ['no status', '{"id":"g-1"}'],
    ['a list', '[1,2]'],
    ['a prototype', '{"__proto__":{"id":"g-1","status":"DELIVRD"}}'],
  ])('with %s contains no event and is acknowledged', (_, body) => {
    expect(receive(preset('json'), { body })).toMatchObject({ kind: 'events', events: [], reply: { status: 200 } })
  })

  test('that is not JSON is rejected', () => {
    expect(receive(preset('json'), { body: 'id=1' })).toMatchObject({ kind: 'refused', status: 400 })
    expect(receive(preset('json'), { body: '{}', action: 'elsewhere' })).toMatchObject({ kind: 'refused', status: 400 })
  })

  test.each([
    ['1767614407', '2026-01-05T12:00:07.000Z'],
    ['1767614407000', '2026-01-05T12:00:07.000Z'],
    ['2026-01-05 17:30:07', '2026-01-05T12:00:07.000Z'],
    ['2601051730', '2026-01-05T12:00:00.000Z'],
    ['2026-01-05T12:00:07Z', '2026-01-05T12:00:07.000Z'],
  ])('at %s', (text, at) => {
    const [event] = [
      eventsOf(preset('json'), { body: JSON.stringify({ id: '1', status: 'DELIVRD', at: text }) }),
    ].flat()
    // Times more than a year away are treated as invalid.
    const expected = Math.abs(Date.parse(at) - Date.now()) < 366 * 86_400_000 ? new Date(at) : expect.any(Date)
    expect(event).toMatchObject({ at: expected })
  })
})

describe('an inbound text', () => {
  test.each([
    ['json', 'json', JSON.stringify({ id: 'm-1', from: '919812345670', to: 'ACMESH', text: 'STOP' })],
    ['twilio', 'form', form({ MessageSid: 'm-1', From: '919812345670', To: 'ACMESH', Body: 'STOP' })],
    ['jasmin', 'form', form({ id: 'm-1', from: '919812345670', to: 'ACMESH', content: 'STOP' })],
  ])('by %s as %s', (name, _, body) => {
    expect(eventsOf(preset(name, { signature: 'none' }), { action: 'inbound', body })).toMatchObject([
      { kind: 'inbound-message', from: '919812345670', to: 'ACMESH', text: 'STOP', dedupeKey: 'm-1' },
    ])
  })

  test('without an id, the same text at the same time is one message', () => {
    const keyOf = (text: string, at: string) => {
      const [event] = [
        eventsOf(preset('json'), { action: 'inbound', body: JSON.stringify({ from: '1', to: '2', text, at }) }),
      ].flat()
      return event && 'dedupeKey' in event ? event.dedupeKey : undefined
    }
    expect(keyOf('Yes', '2026-01-05T12:00:07Z')).toBe(keyOf('Yes', '2026-01-05T12:00:07Z'))
    expect(keyOf('Yes', '2026-01-05T12:00:07Z')).not.toBe(keyOf('Yes', '2026-01-05T12:00:08Z'))
  })
})

describe('a signature', () => {
  const body = form({ MessageSid: 'SM1', MessageStatus: 'delivered' })
  const formHeader = { 'content-type': 'application/x-www-form-urlencoded' }
  const hmac = (algorithm: string, key: string, words: string) => createHmac(algorithm, key).update(words)
  const twilioSignedText = 'https://carillon.example/hooks/k/reportMessageSidSM1MessageStatusdelivered'
  const twilio = preset('twilio', { signatureSecret: 'key' })
  const hashed = preset('json', {
    signature: 'hmac',
    signatureSecret: 'key',
    reportFormat: 'form',
    reportId: 'MessageSid',
    reportStatus: 'MessageStatus',
  })
  const basic = preset('twilio', { signature: 'basic', signatureUser: 'asha', signatureSecret: 'key' })

  test.each([
    [
      'Twilio’s',
      twilio,
      { ...formHeader, 'x-twilio-signature': hmac('sha1', 'key', twilioSignedText).digest('base64') },
    ],
    ['an HMAC', hashed, { 'x-signature': hmac('sha256', 'key', body).digest('hex') }],
    [
      'an HMAC that names its algorithm',
      hashed,
      { 'x-signature': `sha256=${hmac('sha256', 'key', body).digest('hex').toUpperCase()}` },
    ],
    ['a password', basic, { authorization: `Basic ${Buffer.from('asha:key').toString('base64')}` }],
  ])('%s is accepted', (_, config, headers) => {
    expect(receive(config, { body, headers })).toMatchObject({
      kind: 'events',
      events: [{ providerMessageIds: ['SM1'] }],
    })
  })

  test.each([
    ['none at all', twilio, formHeader, 401],
    [
      'Twilio’s by another key',
      twilio,
      { ...formHeader, 'x-twilio-signature': hmac('sha1', 'other', twilioSignedText).digest('base64') },
      403,
    ],
    [
      'Twilio’s over an address alone',
      twilio,
      {
        'content-type': 'text/plain',
        'x-twilio-signature': hmac('sha1', 'key', 'https://carillon.example/hooks/k/report').digest('base64'),
      },
      403,
    ],
    ['an HMAC by another key', hashed, { 'x-signature': hmac('sha256', 'other', body).digest('hex') }, 403],
    ['an empty HMAC', hashed, { 'x-signature': '' }, 403],
    ['another password', basic, { authorization: 'Basic YXNoYTpvdGhlcg==' }, 403],
  ])('%s is rejected', (_, config, headers, status) => {
    expect(receive(config, { body, headers })).toMatchObject({ kind: 'refused', status })
  })

  test('without a key, no call is accepted', () => {
    expect(receive(preset('twilio'), { body })).toMatchObject({ kind: 'refused', status: 503 })
  })

  test('a signed call with a changed byte is rejected', () => {
    const signature = hmac('sha256', 'key', body).digest('hex')
    for (let index = 0; index < body.length; index += 1) {
      const changed = `${body.slice(0, index)}~${body.slice(index + 1)}`
      expect(receive(hashed, { body: changed, headers: { 'x-signature': signature } })).toMatchObject({
        kind: 'refused',
        status: 403,
      })
    }
  })

  test("Twilio's signature of JSON covers the body through its hash", () => {
    const config = preset('twilio', { signatureSecret: 'key', reportFormat: 'json' })
    const json = '{"MessageSid":"SM1","MessageStatus":"delivered"}'
    const query = { bodySHA256: createHash('sha256').update(json).digest('hex') }
    const url = `https://carillon.example/hooks/k/report?${new URLSearchParams(query).toString()}`
    const headers = {
      'content-type': 'application/json',
      'x-twilio-signature': hmac('sha1', 'key', url).digest('base64'),
    }
    expect(receive(config, { body: json, headers, query })).toMatchObject({ kind: 'events' })
    expect(receive(config, { body: json.replace('delivered', 'failed'), headers, query })).toMatchObject({
      kind: 'refused',
      status: 403,
    })
  })
})

describe('a path', () => {
  const value = { data: { items: [{ id: 7, deep: { name: 'a' } }, { id: 8 }] }, 'odd key': true }

  test.each([
    ['data.items[0].id', '7'],
    ['$.data.items[1].id', '8'],
    ['odd key', 'true'],
    ['data.items[9].id', undefined],
    ['data.items.length', undefined],
    ['constructor.name', undefined],
    ['data', undefined],
    ['', undefined],
  ])('%s', (path, found) => {
    expect(findText({ value, around: [] }, path)).toBe(found)
  })

  test('maps over each entry of a list, with the surrounding fields', () => {
    const [first] = findAll(value, 'data.items[*].deep')
    expect(first && [findText(first, 'name'), findText(first, '^id')]).toEqual(['a', '7'])
  })
})

test.each([
  [{ url: 'ftp://gateway.example' }, 'Enter a URL starting with https:// or http://'],
  [{ url: 'https://gateway.example', bodyTemplate: '{{texr}}' }, 'There is no placeholder {{texr}}'],
  [{ url: 'https://gateway.example', reportRoot: '[a]' }, 'A path is written data.items[0].id'],
  [{ url: 'https://gateway.example', headers: [{ name: 'x y', value: '1' }] }, 'Invalid header name'],
])('the form rejects %j', (settings, words) => {
  expect(HttpGatewayConfig.safeParse(settings).error?.issues.map(({ message }) => message)).toContain(words)
})
