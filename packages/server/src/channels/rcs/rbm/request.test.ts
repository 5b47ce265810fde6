import { expect, test } from 'vitest'
import { sendRequest } from './request.ts'

const now = new Date('2026-11-25T10:00:00Z')
const hour = 3600
const days = 24 * hour

test.each([
  ['the validity period', { ttl: hour, left: 2 * hour }, hour],
  ['the rest of a campaign that ends before', { ttl: 2 * days, left: hour }, hour],
  ['the rest of the campaign without a period', { ttl: undefined, left: 3 * days }, 3 * days],
  ['fifteen days at most', { ttl: 40 * days, left: 60 * days }, 15 * days],
  ['ten seconds at least', { ttl: hour, left: -5 }, 10],
])('a message lives for %s', (_, { ttl, left }, seconds) => {
  const message = {
    reference: 'r',
    to: '+919812345678',
    parts: 1,
    expiresAt: new Date(now.getTime() + left * 1000),
    ...(ttl === undefined ? {} : { ttlSeconds: ttl }),
    content: { text: 'Hello' },
    traffic: 'TRANSACTION',
    priceClass: 'basic',
  } as const
  expect(sendRequest(message, { agentId: 'acme', now }).json).toMatchObject({ ttl: `${seconds}s` })
})
