import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { CloudApiConfig } from './config.ts'
import { readWebhook } from './webhook.ts'
import { config, envelope, eventsOf, metadata, request, sign } from './webhook-testing.ts'

describe('the handshake', () => {
  const hello = { 'hub.mode': 'subscribe', 'hub.challenge': '1158201444', 'hub.verify_token': 'verify-token' }
  const handshake = (query: Record<string, string>, settings = config) =>
    readWebhook(request({ method: 'GET', query }), settings)

  test('is answered with the challenge only', () => {
    expect(handshake(hello)).toEqual({
      kind: 'events',
      events: [],
      reply: { status: 200, contentType: 'text/plain', body: '1158201444' },
    })
  })

  test.each<[string, Record<string, string>, number]>([
    ['another token', { ...hello, 'hub.verify_token': 'guess' }, 403],
    ['an empty token', { ...hello, 'hub.verify_token': '' }, 403],
    ['another case', { ...hello, 'hub.verify_token': 'Verify-Token' }, 403],
    ['no mode', { 'hub.challenge': '1', 'hub.verify_token': 'verify-token' }, 400],
    ['no challenge', { 'hub.mode': 'subscribe', 'hub.verify_token': 'verify-token' }, 400],
    ['a challenge that is a page', { ...hello, 'hub.challenge': '<script>' }, 400],
  ])('with %s is rejected', (_, query, status) => {
    expect(handshake(query)).toMatchObject({ kind: 'refused', status })
  })

  test('is rejected without a configured token, also when the token is empty', () => {
    const query = { ...hello, 'hub.verify_token': '' }
    expect(handshake(query, { ...config, verifyToken: '' })).toMatchObject({ kind: 'refused', status: 503 })
  })
})

describe('a forged post', () => {
  const body = envelope('messages', {
    messaging_product: 'whatsapp',
    metadata,
    statuses: [{ id: 'wamid.A', status: 'delivered', timestamp: '1750000000', recipient_id: '919812345678' }],
  })
  const bytes = Buffer.from(body)
  const good = sign(bytes)
  const hex = good.slice('sha256='.length)
  const flip = (at: number) => {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    return changed
  }
  const regions = Array.from({ length: 12 }, (_, index) => Math.floor((index * (bytes.length - 1)) / 11))
  const other = (digest: string) => (digest.startsWith('0') ? `1${digest.slice(1)}` : `0${digest.slice(1)}`)

  const mutations: [string, Buffer, Record<string, string | undefined>, Partial<CloudApiConfig>?][] = [
    ...regions.map((at): [string, Buffer, Record<string, string>] => [
      `byte ${at} changed`,
      flip(at),
      { 'x-hub-signature-256': good },
    ]),
    ['a byte more', Buffer.concat([bytes, Buffer.from(' ')]), { 'x-hub-signature-256': good }],
    ['a byte more in front', Buffer.concat([Buffer.from('\n'), bytes]), { 'x-hub-signature-256': good }],
    ['a byte less', bytes.subarray(0, -1), { 'x-hub-signature-256': good }],
    ['no body', Buffer.alloc(0), { 'x-hub-signature-256': good }],
    ['the body twice', Buffer.concat([bytes, bytes]), { 'x-hub-signature-256': good }],
    ['written anew', Buffer.from(JSON.stringify(JSON.parse(body), null, 1)), { 'x-hub-signature-256': good }],
    [
      'escaped',
      Buffer.from(body.replaceAll('/', String.raw`\/`).replace('whatsapp', String.raw`\u0077hatsapp`)),
      { 'x-hub-signature-256': good },
    ],
    ['in UTF-16', Buffer.from(body, 'utf16le'), { 'x-hub-signature-256': good }],
    ['with a byte order mark', Buffer.from(`\uFEFF${body}`), { 'x-hub-signature-256': good }],
    ['no signature', bytes, {}],
    ['an undefined signature', bytes, { 'x-hub-signature-256': undefined }],
    ['an empty signature', bytes, { 'x-hub-signature-256': '' }],
    ['only the name', bytes, { 'x-hub-signature-256': 'sha256=' }],
    ['without the name', bytes, { 'x-hub-signature-256': hex }],
    ['another name', bytes, { 'x-hub-signature-256': `sha1=${hex}` }],
    ['the name in capitals', bytes, { 'x-hub-signature-256': `SHA256=${hex}` }],
    ['a space before', bytes, { 'x-hub-signature-256': ` ${good}` }],
    ['a space after', bytes, { 'x-hub-signature-256': `${good} ` }],
    ['a line after', bytes, { 'x-hub-signature-256': `${good}\n` }],
    ['two of them', bytes, { 'x-hub-signature-256': `${good}, ${good}` }],
    ['cut short', bytes, { 'x-hub-signature-256': good.slice(0, -1) }],
    ['longer', bytes, { 'x-hub-signature-256': `${good}0` }],
    ['another first digit', bytes, { 'x-hub-signature-256': `sha256=${other(hex)}` }],
    ['in capitals', bytes, { 'x-hub-signature-256': `sha256=${hex.toUpperCase()}` }],
    ['in base64', bytes, { 'x-hub-signature-256': `sha256=${Buffer.from(hex, 'hex').toString('base64')}` }],
    [
      'the old signature alone',
      bytes,
      { 'x-hub-signature': `sha1=${createHmac('sha1', 'app-secret').update(bytes).digest('hex')}` },
    ],
    ['the right one in another header', bytes, { 'x-hub-signature': good }],
    ['signed with another secret', bytes, { 'x-hub-signature-256': sign(bytes, 'other') }],
    ['signed with no secret', bytes, { 'x-hub-signature-256': sign(bytes, '') }],
    ['signed with the verify token', bytes, { 'x-hub-signature-256': sign(bytes, 'verify-token') }],
    ['signed with the access token', bytes, { 'x-hub-signature-256': sign(bytes, 'token') }],
    ['signed with the secret and a space', bytes, { 'x-hub-signature-256': sign(bytes, 'app-secret ') }],
    ['of another post', bytes, { 'x-hub-signature-256': sign('{}') }],
    ['our secret is not set', bytes, { 'x-hub-signature-256': sign(bytes, '') }, { appSecret: '' }],
    ['our secret is another', bytes, { 'x-hub-signature-256': good }, { appSecret: 'rotated' }],
  ]

  test('does not include one exactly as Meta sent it', () => {
    expect(eventsOf(body)).toHaveLength(1)
    expect(mutations.length).toBeGreaterThanOrEqual(40)
  })

  test.each(mutations)('%s: rejected', (_, rawBody, headers, settings = {}) => {
    const result = readWebhook(request({ rawBody, headers }), { ...config, ...settings })
    expect(result).toMatchObject({ kind: 'refused' })
    expect(result).not.toHaveProperty('events')
  })
})
