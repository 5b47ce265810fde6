import { createPublicKey, verify as verifySignature } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import { newSecret } from '../secrets.ts'
import { createSigner, signedHeaders, webhookIdOf } from './sign.ts'

const { secret } = newSecret('v1')
const { secret: other } = newSecret('v1')
const deliveryId = newId()
const at = new Date()
const body = JSON.stringify({
  type: 'message.sent',
  timestamp: at.toISOString(),
  data: { id: deliveryId, text: 'नमस्ते 👋' },
})
const headers = signedHeaders(createSigner({ current: secret }), { deliveryId, at, body })
const seconds = Math.floor(at.getTime() / 1000)

type Sent = { secret: string; body: string; headers: Record<string, string> }
const sent: Sent = { secret, body, headers }

const isAccepted = ({ secret: key, body: payload, headers: given }: Sent) => {
  try {
    new Webhook(key).verify(payload, given)
    return true
  } catch {
    return false
  }
}

const header = (name: string, value: string): Partial<Sent> => ({ headers: { ...headers, [name]: value } })
const without = (name: string): Partial<Sent> => ({
  headers: Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name)),
})
const id = headers['webhook-id'] ?? ''
const signature = headers['webhook-signature'] ?? ''
const base64 = signature.slice('v1,'.length)
const flip = (text: string, index: number) =>
  `${text.slice(0, index)}${text[index] === 'A' ? 'B' : 'A'}${text.slice(index + 1)}`
const sign = (content: Partial<{ deliveryId: string; at: Date; body: string }>, key = secret) =>
  signedHeaders(createSigner({ current: key }), { deliveryId, at, body, ...content })['webhook-signature'] ?? ''

test('the verifier of the standard accepts a delivery', () => {
  expect(isAccepted(sent)).toBe(true)
  expect(headers).toEqual({
    'webhook-id': `msg_${deliveryId.replaceAll('-', '')}`,
    'webhook-timestamp': String(seconds),
    'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
  })
})

test.each<[string, Partial<Sent>]>([
  ['another body', { body: '{}' }],
  ['no body', { body: '' }],
  ['a space after the body', { body: `${body} ` }],
  ['a line break after the body', { body: `${body}\n` }],
  ['a space before the body', { body: ` ${body}` }],
  ['another type', { body: body.replace('message.sent', 'message.read') }],
  ['another id in the data', { body: body.replace(deliveryId, newId()) }],
  ['a changed character', { body: body.replace('👋', '👍') }],
  ['another normal form', { body: body.replace('message', 'me\u0301ssage') }],
  ['the body formatted anew', { body: JSON.stringify(JSON.parse(body), null, 2) }],
  [
    'the keys in another order',
    { body: JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(body)).toReversed())) },
  ],
  ['an added key', { body: body.replace('{', '{"a":1,') }],
  ['a repeated key', { body: body.replace('{', '{"type":"message.read",') }],
  [
    'escaped characters',
    {
      body: body.replace(
        'नमस्ते',
        JSON.stringify('नमस्ते')
          .slice(1, -1)
          .replace('न', String.raw`\u0928`),
      ),
    },
  ],
  ['the body twice', { body: body + body }],
  ['no id', without('webhook-id')],
  ['an empty id', header('webhook-id', '')],
  ['another id', header('webhook-id', webhookIdOf(newId()))],
  ['the id in capitals', header('webhook-id', id.toUpperCase())],
  ['the id with a full stop and the timestamp', header('webhook-id', `${id}.${seconds}`)],
  ['the id without its prefix', header('webhook-id', id.slice(4))],
  ['no timestamp', without('webhook-timestamp')],
  ['an empty timestamp', header('webhook-timestamp', '')],
  ['a timestamp a second later', header('webhook-timestamp', String(seconds + 1))],
  ['a timestamp a second earlier', header('webhook-timestamp', String(seconds - 1))],
  ['a timestamp in milliseconds', header('webhook-timestamp', String(at.getTime()))],
  ['a timestamp in words', header('webhook-timestamp', at.toISOString())],
  ['no number as timestamp', header('webhook-timestamp', 'now')],
  ['a timestamp of six minutes ago', header('webhook-timestamp', String(seconds - 360))],
  ['a timestamp in six minutes', header('webhook-timestamp', String(seconds + 360))],
  ['no signature', without('webhook-signature')],
  ['an empty signature', header('webhook-signature', '')],
  ['the signature without its version', header('webhook-signature', base64)],
  ['the signature as version 2', header('webhook-signature', `v2,${base64}`)],
  ['the signature as v1a', header('webhook-signature', `v1a,${base64}`)],
  ['a changed first character of the signature', header('webhook-signature', flip(signature, 3))],
  ['a changed character within the signature', header('webhook-signature', flip(signature, 20))],
  ['a shortened signature', header('webhook-signature', signature.slice(0, -2))],
  ['the signature of another body', header('webhook-signature', sign({ body: '{}' }))],
  ['the signature of another id', header('webhook-signature', sign({ deliveryId: newId() }))],
  ['the signature of another time', header('webhook-signature', sign({ at: new Date(at.getTime() - 60_000) }))],
  ['the signature of another secret', header('webhook-signature', sign({}, other))],
  [
    'an old delivery, signed rightly',
    (() => {
      const old = new Date(at.getTime() - 6 * 60_000)
      return { headers: signedHeaders(createSigner({ current: secret }), { deliveryId, at: old, body }) }
    })(),
  ],
  ['another secret', { secret: other }],
])('it refuses a delivery with %s', (_, change) => {
  expect(isAccepted({ ...sent, ...change })).toBe(false)
})

test('after a rotation either secret verifies', () => {
  const rotated = {
    ...sent,
    headers: signedHeaders(createSigner({ current: other, previous: secret }), { deliveryId, at, body }),
  }
  expect(rotated.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/)
  expect([secret, other].map((key) => isAccepted({ ...rotated, secret: key }))).toEqual([true, true])
  expect(isAccepted({ ...rotated, secret: newSecret('v1').secret })).toBe(false)
})

test('secrets have the length and the form of the standard', () => {
  for (const one of [secret, other]) {
    expect(one).toMatch(/^whsec_[A-Za-z0-9+/]+=*$/)
    expect(Buffer.from(one.slice(6), 'base64')).toHaveLength(32)
  }
  expect(secret).not.toBe(other)
})

test('v1a is an Ed25519 signature that the public key verifies', () => {
  const { secret: key, publicKey } = newSecret('v1a')
  expect(key).toMatch(/^whsk_/)
  expect(publicKey).toMatch(/^whpk_/)
  const signed = signedHeaders(createSigner({ current: key, previous: secret }), { deliveryId, at, body })
  const [asymmetric = '', symmetric] = (signed['webhook-signature'] ?? '').split(' ')
  expect(symmetric).toBe(signature)
  const x = Buffer.from(publicKey?.slice(5) ?? '', 'base64').toString('base64url')
  const verifier = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const isValid = (content: string) =>
    verifySignature(null, Buffer.from(content), verifier, Buffer.from(asymmetric.slice('v1a,'.length), 'base64'))
  expect(asymmetric).toMatch(/^v1a,/)
  expect(isValid(`${id}.${seconds}.${body}`)).toBe(true)
  expect(isValid(`${id}.${seconds}.${body} `)).toBe(false)
})
