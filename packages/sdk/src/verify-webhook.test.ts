import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { verifyWebhook, WebhookVerificationError } from './index.ts'

const secret = `whsec_${randomBytes(32).toString('base64')}`
const body = JSON.stringify({
  type: 'balance.low',
  timestamp: '2026-11-26T21:00:00.000Z',
  data: { accountId: 'ä', available: 2 },
})
const now = () => Math.floor(Date.now() / 1000)

/** Signed by the reference library. */
function headersOf(content = body, { key = secret, at = now() } = {}) {
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(at),
    'webhook-signature': new Webhook(key).sign('msg_1', new Date(at * 1000), content),
  }
}

test('accepts what the reference library signs, as text and as bytes, and returns the event', async () => {
  expect(await verifyWebhook(secret, headersOf(), body)).toEqual(JSON.parse(body))
  expect(await verifyWebhook(secret, headersOf(), Buffer.from(body))).toEqual(JSON.parse(body))
})

test('accepts the headers of fetch, of Node, and in any case', async () => {
  const headers = headersOf()
  await verifyWebhook(secret, new Headers(headers), body)
  await verifyWebhook(
    secret,
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value])),
    body,
  )
  await verifyWebhook(secret, Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])), body)
})

test('any of several signatures is enough, and those of other schemes are ignored', async () => {
  const headers = headersOf()
  const other = headersOf(body, { key: `whsec_${randomBytes(32).toString('base64')}` })
  const signatures = `v1a,AAAA v2,x ${other['webhook-signature']} ${headers['webhook-signature']}`
  await verifyWebhook(secret, { ...headers, 'webhook-signature': signatures }, body)
})

describe('refuses', () => {
  const valid = headersOf()
  const [, digest = ''] = valid['webhook-signature'].split(',')
  test.each([
    ['another body', valid, `${body} `],
    ['another id', { ...valid, 'webhook-id': 'msg_2' }, body],
    ['another time', { ...valid, 'webhook-timestamp': String(now() - 60) }, body],
    ['no id', { ...valid, 'webhook-id': undefined }, body],
    ['no time', { ...valid, 'webhook-timestamp': undefined }, body],
    ['no signature', { ...valid, 'webhook-signature': undefined }, body],
    ['an empty signature', { ...valid, 'webhook-signature': 'v1,' }, body],
    ['the signature without its version', { ...valid, 'webhook-signature': digest }, body],
    ['the signature as another version', { ...valid, 'webhook-signature': `v1a,${digest}` }, body],
    ['a signature that is cut', { ...valid, 'webhook-signature': `v1,${digest.slice(0, 20)}` }, body],
    ['a signature that is no base64', { ...valid, 'webhook-signature': 'v1,!!!' }, body],
    ['a time with a fraction', { ...valid, 'webhook-timestamp': `${now()}.5` }, body],
    ['a time that is no number', { ...valid, 'webhook-timestamp': 'NaN' }, body],
    ['an old one', headersOf(body, { at: now() - 301 }), body],
    ['one of the future', headersOf(body, { at: now() + 305 }), body],
    ['a signed body that is no JSON', headersOf('{'), '{'],
  ])('%s', async (_, headers, content) => {
    await expect(verifyWebhook(secret, headers, content)).rejects.toThrow(WebhookVerificationError)
  })

  test('a body that was parsed, and keys of another form, as mistakes of the program', async () => {
    await expect(verifyWebhook(secret, valid, JSON.parse(body))).rejects.toThrow('before JSON is parsed')
    for (const key of ['', secret.slice(6), 'whsec_', 'whsec_!', 'whpk_AAAA'])
      await expect(verifyWebhook(key, valid, body)).rejects.toThrow(TypeError)
  })

  test('a signature whose text is that of the public key’s scheme', async () => {
    const { publicKey } = generateKeyPairSync('ed25519')
    const key = `whpk_${publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64')}`
    const forged = createHmac('sha256', Buffer.from(key.slice(5), 'base64')).update(
      `msg_1.${valid['webhook-timestamp']}.${body}`,
    )
    const signature = `v1,${forged.digest('base64')}`
    await expect(verifyWebhook(key, { ...valid, 'webhook-signature': signature }, body)).rejects.toThrow(
      WebhookVerificationError,
    )
  })
})

test('verifies Ed25519 with a public key', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const key = `whpk_${publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64')}`
  const timestamp = String(now())
  const signature = sign(null, Buffer.from(`msg_1.${timestamp}.${body}`), privateKey).toString('base64')
  const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1a,${signature}` }
  expect(await verifyWebhook(key, headers, body)).toEqual(JSON.parse(body))
  await expect(verifyWebhook(key, headers, `${body} `)).rejects.toThrow(WebhookVerificationError)
})
