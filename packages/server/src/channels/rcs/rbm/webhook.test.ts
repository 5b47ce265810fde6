import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ProviderEvent } from '../../provider.ts'
import { readWebhook } from './webhook.ts'

const agentId = 'acme_agent@rbm.goog'
const clientToken = 'client-token'
const config = { agentId, clientToken, secretReply: 'value' } as const
const sendTime = '2026-11-25T10:00:00.123456789Z'

function post(body: Buffer, signature?: string, settings: Parameters<typeof readWebhook>[1] = config) {
  const headers = signature === undefined ? {} : { 'x-goog-signature': signature }
  const url = 'https://carillon.example/hooks/k/events'
  return readWebhook({ method: 'POST', action: 'events', url, headers, query: {}, rawBody: body }, settings)
}

const sign = (data: Buffer, key = clientToken) => createHmac('sha512', key).update(data).digest('base64')
const wrap = (data: Buffer) =>
  Buffer.from(JSON.stringify({ message: { attributes: { business_id: agentId }, data: data.toString('base64') } }))

function eventsOf(event: object): ProviderEvent[] {
  const data = Buffer.from(JSON.stringify({ agentId, sendTime, ...event }))
  const result = post(wrap(data), sign(data))
  if (result.kind !== 'events') throw new Error(result.message)
  return result.events
}

const sender = { senderPhoneNumber: '+919812345678' }

test.each([
  [
    { ...sender, eventType: 'DELIVERED', messageId: 'm' },
    { kind: 'delivery-report', status: 'delivered' },
  ],
  [
    { ...sender, eventType: 'READ', messageId: 'm' },
    { kind: 'delivery-report', status: 'read' },
  ],
  [
    { phoneNumber: '+919812345678', eventType: 'TTL_EXPIRATION_REVOKED', messageId: 'm' },
    { kind: 'delivery-report', status: 'failed', reason: 'expired' },
  ],
  [{ eventType: 'TTL_EXPIRATION_REVOKE_FAILED', messageId: 'm' }, { kind: 'notice' }],
  [{ eventType: 'SOMETHING_NEW' }, { kind: 'notice' }],
  [
    { ...sender, eventType: 'UNSUBSCRIBE' },
    { kind: 'preference-change', wantsNone: true, from: '+919812345678' },
  ],
  [
    { ...sender, eventType: 'SUBSCRIBE' },
    { kind: 'preference-change', wantsNone: false },
  ],
  [
    { ...sender, messageId: 'i', text: 'STOP' },
    { kind: 'inbound-message', text: 'STOP', dedupeKey: 'i' },
  ],
  [
    { ...sender, messageId: 'i', suggestionResponse: { postbackData: 'y1', text: 'Yes', type: 'REPLY' } },
    { text: 'Yes', content: { type: 'button', button: { payload: 'y1', text: 'Yes', type: 'REPLY' } } },
  ],
  [
    { ...sender, messageId: 'i', location: { latitude: 12.9, longitude: 77.5 } },
    { content: { type: 'location', location: { latitude: 12.9, longitude: 77.5 } } },
  ],
  [
    { ...sender, messageId: 'i', userFile: { payload: { mimeType: 'image/jpeg', fileUri: 'https://x.example/a' } } },
    { content: { type: 'image', image: { link: 'https://x.example/a' } } },
  ],
  [{ newLaunchState: 'LAUNCHED', regionId: '/v1/regions/in-vi' }, { detail: 'Launch in in-vi: LAUNCHED' }],
])('%o', (event, expected) => {
  expect(eventsOf(event)).toEqual([expect.objectContaining({ at: expect.any(Date), raw: expect.any(String) })])
  expect(eventsOf(event)[0]).toMatchObject(expected)
})

test('typing, and events of another bot of the partner, are acknowledged and ignored', () => {
  expect(eventsOf({ ...sender, eventType: 'IS_TYPING' })).toEqual([])
  expect(eventsOf({ ...sender, agentId: 'other@rbm.goog', eventType: 'DELIVERED', messageId: 'm' })).toEqual([])
})

describe('a forged event', () => {
  const data = Buffer.from(JSON.stringify({ agentId, ...sender, eventType: 'DELIVERED', messageId: 'm' }))

  test('is refused after any change of its data', () => {
    fc.assert(
      fc.property(fc.nat(data.length - 1), fc.integer({ min: 1, max: 255 }), (index, change) => {
        const changed = Buffer.from(data)
        changed.writeUInt8((changed.readUInt8(index) + change) % 256, index)
        expect(post(wrap(changed), sign(data))).toMatchObject({ kind: 'refused', status: 403 })
      }),
    )
  })

  test('is refused with no signature, with that of another bot, and without our token', () => {
    expect(post(wrap(data))).toMatchObject({ kind: 'refused', status: 401 })
    expect(post(wrap(data), sign(data, 'another'))).toMatchObject({ kind: 'refused', status: 403 })
    expect(post(wrap(data), sign(data, ''), { ...config, clientToken: '' })).toMatchObject({ status: 503 })
  })

  test.each(['', 'junk', '[]', '{}', '{"message":{"data":7}}', '{"message":"x"}'])('%s is a bad request', (body) => {
    expect(post(Buffer.from(body), 'x')).toMatchObject({ kind: 'refused', status: 400 })
  })
})

test.each([
  ['value', 's3cret'],
  ['prefixed', 'secret: s3cret'],
  ['json', '{"secret":"s3cret"}'],
] as const)('the validation of the URL returns the secret as %s', (secretReply, expected) => {
  const body = Buffer.from(JSON.stringify({ clientToken, secret: 's3cret' }))
  expect(post(body, undefined, { ...config, secretReply })).toMatchObject({
    isHandshake: true,
    reply: { body: expected },
  })
  const forged = Buffer.from(JSON.stringify({ clientToken: 'guess', secret: 's3cret' }))
  expect(post(forged)).toMatchObject({ kind: 'refused', status: 403 })
})
