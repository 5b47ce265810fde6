import { expect, test } from 'vitest'
import { prettyJson } from '../code.tsx'
import { headersOf } from './request-text.ts'

test('JSON gets line breaks, another text stays', () => {
  expect(prettyJson('{"type":"endpoint.test"}')).toBe('{\n  "type": "endpoint.test"\n}')
  expect(prettyJson('<h1>Not found</h1>')).toBe('<h1>Not found</h1>')
})

test('the headers are those of the last attempt', () => {
  const endpoint = { url: 'https://shop.example/hooks?v=2', signature: 'v1a' as const }
  const attempts = ['2026-11-26T21:00:00.000Z', '2026-11-26T21:00:05.900Z'].map((at) => ({ at, durationMs: 3 }))
  expect(headersOf({ webhookId: 'msg_1', attempts }, endpoint).split('\n')).toEqual([
    'POST /hooks?v=2',
    'host: shop.example',
    'content-type: application/json',
    'user-agent: Carillon-Webhooks/1.0',
    'webhook-id: msg_1',
    `webhook-timestamp: ${Date.parse('2026-11-26T21:00:05Z') / 1000}`,
    'webhook-signature: v1a,… (a new one for each attempt)',
  ])
})
