import { expect, test } from 'vitest'
import { storeBody, type Privacy } from './mask-body.ts'

const masked: Privacy = { storeBody: 'masked', maskNumbers: true }
const full: Privacy = { storeBody: 'full', maskNumbers: false }

const stored = (body: unknown, privacy: Privacy = masked) => {
  const { text = 'null' } = storeBody(body, { of: 'request', privacy }) ?? {}
  return JSON.parse(text) as unknown
}

test('names of the API stay; texts, values and metadata become their length, and numbers keep country and last digits', () => {
  const body = {
    to: '+919812345678',
    channel: 'sms',
    from: 'Acme Support',
    template: { name: 'order_ready', language: 'en', values: { name: 'Asha', 1: '42' } },
    text: 'Your code is 123456',
    content: { type: 'media', fileId: '019ab3c4', caption: 'Secret' },
    reference: 'order 7',
    ttlSeconds: 600,
    sendAt: '2026-11-27T10:00:00Z',
    metadata: { name: 'Asha', id: 'order 7' },
    legs: [{ channel: 'whatsapp', text: 'Secret', entryConditions: [{ type: 'undelivered_after', afterSeconds: 60 }] }],
  }
  expect(stored(body)).toEqual({
    to: '+91•••••••678',
    channel: 'sms',
    from: 'Acme Support',
    template: { name: 'order_ready', language: 'en', values: { name: '[4 characters]', 1: '[2 characters]' } },
    text: '[19 characters]',
    content: { type: 'media', fileId: '019ab3c4', caption: '[6 characters]' },
    reference: 'order 7',
    ttlSeconds: 600,
    sendAt: '2026-11-27T10:00:00Z',
    metadata: { name: '[4 characters]', id: '[7 characters]' },
    legs: [
      {
        channel: 'whatsapp',
        text: '[6 characters]',
        entryConditions: [{ type: 'undelivered_after', afterSeconds: 60 }],
      },
    ],
  })
  expect(stored({ messages: [body] })).toEqual({ messages: [stored(body)] })
})

test('what a wrong body contains is hidden: texts in other fields, unknown fields and their names, numbers as numbers', () => {
  expect(
    stored({
      channel: 'Your code is 1234',
      template: 'Hello Asha',
      message: 'Hello',
      otp: 123456,
      'Asha Rao': true,
      '919812345678': 1,
      to: [919812345678, 'Asha', null],
      nested: { to: '+919812345678', text: ['a', 'b'] },
    }),
  ).toEqual({
    channel: '[17 characters]',
    template: '[10 characters]',
    message: '[5 characters]',
    otp: '[number]',
    '[8 characters]': true,
    '[12 characters]': '[number]',
    to: ['91•••••••678', '[4 characters]', null],
    nested: { to: '[13 characters]', text: ['[1 character]', '[1 character]'] },
  })
})

test.each([
  ['+919812345678', '+91•••••••678'],
  ['9812345678', '•••••••678'],
  ['+1 (415) 555-2671', '+1•••••••671'],
  ['+44 7911 123456', '+44•••••••456'],
  ['+35312345', '+353••345'],
  ['12345', '••345'],
  ['Asha', '[4 characters]'],
])('the number %s becomes %s', (to, shown) => {
  expect(stored({ to })).toEqual({ to: shown })
})

test('numbers stay if the config says so, texts do not', () => {
  expect(stored({ to: '+919812345678', text: 'Hello' }, { ...masked, maskNumbers: false })).toEqual({
    to: '+919812345678',
    text: '[5 characters]',
  })
})

test('a full body is as it was; numbers in it are masked if the config says so, and API keys always', () => {
  const key = `carillon_live_${'0'.repeat(8)}_${'a'.repeat(64)}_${'0'.repeat(8)}`
  const body = { to: '+919812345678', text: `Call +91 98123 45678, order 1234567890, ${key}` }
  expect(stored(body, full)).toEqual({
    to: '+919812345678',
    text: 'Call +91 98123 45678, order 1234567890, [API key]',
  })
  expect(stored(body, { ...full, maskNumbers: true })).toEqual({
    to: '+91•••••••678',
    text: 'Call +91•••••••678, order 1234567890, [API key]',
  })
})

test('nothing is stored if the config says so, or if there was no body', () => {
  expect(storeBody({ to: '1' }, { of: 'request', privacy: { ...full, storeBody: 'none' } })).toBeUndefined()
  expect(storeBody(undefined, { of: 'request', privacy: full })).toBeUndefined()
})

test('a response keeps ids, statuses and errors', () => {
  const body = {
    success: true,
    message: 'OK',
    data: {
      messages: [
        { accepted: { id: '019ab3c4', to: '+919812345678', from: { _id: '1', name: 'Acme' }, cost: 0.15, text: 'x' } },
        {
          refused: {
            code: 'bad_request',
            message: 'Bad number +919812345678',
            details: [{ field: 'to', message: 'Bad' }],
          },
        },
      ],
      accepted: 1,
      refused: 1,
    },
  }
  expect(JSON.parse(storeBody(body, { of: 'response', privacy: masked })?.text ?? '')).toEqual({
    success: true,
    message: 'OK',
    data: {
      messages: [
        {
          accepted: {
            id: '019ab3c4',
            to: '+91•••••••678',
            from: { _id: '1', name: 'Acme' },
            cost: 0.15,
            text: '[1 character]',
          },
        },
        {
          refused: {
            code: 'bad_request',
            message: 'Bad number +91•••••••678',
            details: [{ field: 'to', message: 'Bad' }],
          },
        },
      ],
      accepted: 1,
      refused: 1,
    },
  })
})

test('long bodies are cut, not within a character', () => {
  const whole = storeBody({ text: 'ab' }, { of: 'request', privacy: full })
  expect(whole).toEqual({ text: '{"text":"ab"}', isCut: false })
  const { text = '', isCut } = storeBody({ text: `${'€'.repeat(6000)}` }, { of: 'request', privacy: full }) ?? {}
  expect(isCut).toBe(true)
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(16 * 1024)
  expect(text).toMatch(/^\{"text":"€+$/)
})
