import { expect, test } from 'vitest'
import { EgressError } from '../../../egress/egress.ts'
import { judgeError, judgeResponse, type Verdict } from './judge-response.ts'

const now = new Date('2026-11-01T10:00:00Z')
const judge = (status: number, headers: Record<string, string> = {}, text = '') =>
  judgeResponse({ status, headers, bytes: Buffer.from(text) }, now)

test.each<[number, Record<string, string>, Partial<Verdict>]>([
  [200, {}, { isSuccess: true, isAnswered: true, isThrottled: false }],
  [204, { 'retry-after': '60' }, { isSuccess: true, isThrottled: false, retryAfterMs: undefined }],
  [299, {}, { isSuccess: true }],
  [301, {}, { isSuccess: false, isAnswered: true, isThrottled: false }],
  [307, {}, { isSuccess: false }],
  [400, {}, { isSuccess: false, isAnswered: true, isGone: false }],
  [404, {}, { isSuccess: false, isGone: false }],
  [410, {}, { isSuccess: false, isGone: true }],
  [429, {}, { isSuccess: false, isAnswered: true, isThrottled: true, retryAfterMs: undefined }],
  [429, { 'retry-after': '120' }, { isThrottled: true, retryAfterMs: 120_000 }],
  [500, {}, { isSuccess: false, isAnswered: false, isThrottled: false }],
  [502, {}, { isAnswered: false, isThrottled: true }],
  [503, {}, { isAnswered: false, isThrottled: false }],
  [503, { 'retry-after': 'Sun, 01 Nov 2026 10:00:30 GMT' }, { isThrottled: true, retryAfterMs: 30_000 }],
  [503, { 'retry-after': 'Sun, 01 Nov 2026 09:00:00 GMT' }, { isThrottled: true, retryAfterMs: 0 }],
  [503, { 'retry-after': 'soon' }, { isThrottled: false, retryAfterMs: undefined }],
  [503, { 'retry-after': '99999999' }, { retryAfterMs: 86_400_000 }],
  [504, {}, { isThrottled: true }],
])('%d %o', (status, headers, expected) => {
  expect(judge(status, headers)).toMatchObject(expected)
})

test('the first 4 KB of a response are stored, as text', () => {
  expect(judge(200).attempt).toEqual({ status: 200 })
  expect(judge(200, {}, 'OK').attempt).toEqual({ status: 200, response: 'OK' })
  expect(judge(200, {}, 'x'.repeat(5000)).attempt.response).toHaveLength(4096)
  expect(judge(500, {}, 'a\u0000b').attempt.response).toBe('ab')
  expect(judge(500, {}, `${'x'.repeat(4095)}é${'x'.repeat(10)}`).attempt.response).toBe('x'.repeat(4095))
})

test.each([
  [
    new EgressError('FAILED', 'The operation was aborted due to timeout', true),
    'No complete response within 15 seconds',
  ],
  [new EgressError('UND_ERR_HEADERS_TIMEOUT', 'Headers Timeout Error', true), 'No complete response within 15 seconds'],
  [
    new EgressError('ECONNREFUSED', 'connect ECONNREFUSED 203.0.113.1:443', false),
    'connect ECONNREFUSED 203.0.113.1:443',
  ],
  [new Error('x'), 'The request failed'],
])('%s', (error, text) => {
  expect(judgeError(error)).toMatchObject({ attempt: { error: text }, isSuccess: false, isAnswered: false })
})
