import { expect, test } from 'vitest'
import { EgressError } from '../../../egress/egress.ts'
import { messageIdOf } from '../message-id.ts'
import { readFailure, readRevoked, readSent } from './outcome.ts'

const answer = (status: number, message = '', code = 'CODE') => ({
  status,
  headers: {},
  body: status < 300 ? '{}' : JSON.stringify({ error: { code: status, message, status: code } }),
})

test.each([
  [200, '', { kind: 'accepted', providerMessageIds: ['id'] }],
  [409, 'Already exists', { kind: 'accepted', providerMessageIds: ['id'] }],
  [404, 'Not found', { kind: 'rejected', reason: 'number_unreachable', scope: 'message' }],
  [400, 'The device does not support RICHCARD', { kind: 'rejected', reason: 'operator_rejected', scope: 'message' }],
  [400, 'text is too long', { kind: 'rejected', reason: 'bad_request', scope: 'message' }],
  [401, 'Invalid credentials', { kind: 'rejected', reason: 'channel_auth', scope: 'sender' }],
  [403, 'The agent is not launched, and no tester', { kind: 'rejected', reason: 'sender_rejected', scope: 'message' }],
  [403, 'The caller may not use the agent', { kind: 'rejected', reason: 'sender_rejected', scope: 'sender' }],
  [429, 'Quota', { kind: 'retry', throttled: true, reason: 'throughput_limited' }],
  [503, 'Unavailable', { kind: 'unknown' }],
])('a response with %i, "%s"', (status, message, expected) => {
  expect(readSent(answer(status, message), 'id')).toMatchObject(expected)
})

test('only a request that cannot have been sent is retried', () => {
  expect(readFailure(new EgressError('ECONNREFUSED', 'refused', false))).toMatchObject({ kind: 'retry' })
  expect(readFailure(new EgressError('UND_ERR_SOCKET', 'reset', true))).toMatchObject({ kind: 'unknown' })
})

test.each([
  [200, 'requested'],
  [404, 'not_found'],
  [429, 'retry'],
  [500, 'retry'],
  [403, 'refused'],
])('a revocation answered with %i is %s', (status, kind) => {
  expect(readRevoked(answer(status))).toMatchObject({ kind })
})

test('the id of a message is a UUID of version 5 that follows from its reference', () => {
  const id = messageIdOf('0193.0.7')
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(messageIdOf('0193.0.7')).toBe(id)
  expect(messageIdOf('0193.0.8')).not.toBe(id)
})
