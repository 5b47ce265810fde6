import { maximumWebhookBytes } from '@carillon/contract/webhook-records'
import { expect, test } from 'vitest'
import { composeBody } from './body.ts'

const at = new Date('2026-11-01T10:00:00.123Z')
const data = {
  id: '1',
  conversationId: '2',
  sender: { id: '3', name: 'Acme' },
  name: 'Asha',
  body: { type: 'text', text: 'Hello' },
}

test('the body has type, timestamp and data', () => {
  expect(composeBody('message.inbound', at, data)).toBe(
    JSON.stringify({ type: 'message.inbound', timestamp: '2026-11-01T10:00:00.123Z', data }),
  )
})

test('data that is too large is cut to its ids', () => {
  const large = { ...data, body: { type: 'text', text: 'न'.repeat(maximumWebhookBytes / 3) }, list: [{ id: '4' }] }
  expect(JSON.parse(composeBody('message.inbound', at, large))).toEqual({
    type: 'message.inbound',
    timestamp: '2026-11-01T10:00:00.123Z',
    data: { id: '1', conversationId: '2', sender: { id: '3' }, isCut: true },
  })
})

test.each([maximumWebhookBytes, maximumWebhookBytes + 1])('a body of %d bytes', (bytes) => {
  const rest = Buffer.byteLength(composeBody('message.inbound', at, { id: '1', name: '' }))
  const body = composeBody('message.inbound', at, { id: '1', name: 'x'.repeat(bytes - rest) })
  expect(body.includes('isCut')).toBe(bytes > maximumWebhookBytes)
  expect(Buffer.byteLength(body)).toBeLessThanOrEqual(maximumWebhookBytes)
})

test('what the database cannot store is replaced', () => {
  expect(composeBody('message.inbound', at, { name: 'a\u0000b\ud800' })).toContain(JSON.stringify('ab\ufffd'))
})
