import type { FailureClass } from '@carillon/contract/campaign-records'
import { describe, expect, test } from 'vitest'
import { EgressError } from '../../../egress/egress.ts'
import { readAnswer, readFailure } from './outcome.ts'

const second = 1000
const hour = 3_600_000
const envelope = (code: number, more: object = {}) =>
  JSON.stringify({ error: { message: `(#${code}) No`, type: 'OAuthException', code, fbtrace_id: 'Az8', ...more } })
type Circumstances = { status?: number; before?: number; error_data?: object; is_transient?: boolean }
const read = (code: number, { status = 400, before = 0, ...more }: Circumstances = {}) =>
  readAnswer({ status, body: envelope(code, more) }, () => before)

describe('a rejection', () => {
  const stops: [FailureClass, number[]][] = [
    ['channel_auth', [0, 3, 10, 104, 190, 200, 250, 299, 131005]],
    ['sender_rejected', [368, 131031, 131037, 131042, 131044, 131045, 133005, 133006, 133008, 133009, 133010, 134011]],
    ['sender_spam_limited', [131048]],
  ]
  test.each(stops.flatMap(([reason, codes]) => codes.map((code): [number, FailureClass] => [code, reason])))(
    '%i stops the sender: %s',
    (code, reason) => {
      expect(read(code)).toEqual({
        kind: 'rejected',
        reason,
        code: String(code),
        detail: `(#${code}) No`,
        scope: 'sender',
      })
    },
  )

  const refusals: [FailureClass, number[]][] = [
    ['bad_request', [33, 100, 131008, 131009, 131021, 131030, 131051, 131055, 135000, 200005, 200006, 200007]],
    ['number_unreachable', [131026]],
    ['outside_window', [131047]],
    ['user_marketing_cap', [131049]],
    ['opted_out', [131050]],
    ['undelivered', [130472]],
    ['operator_rejected', [130497]],
    ['auth_template_to_bsuid', [131062]],
    ['media_failed', [131052]],
    ['template_params', [132000, 132005, 132012]],
    ['template_missing_locale', [132001]],
    ['content_blocked', [132007]],
    ['template_disabled', [132016, 132068, 134100, 134102]],
    ['unknown', [999_999, 300]],
  ]
  test.each(refusals.flatMap(([reason, codes]) => codes.map((code): [number, FailureClass] => [code, reason])))(
    '%i rejects the message: %s',
    (code, reason) => {
      expect(read(code)).toMatchObject({ kind: 'rejected', reason, code: String(code), scope: 'message' })
    },
  )

  test.each<[number, FailureClass, number, boolean]>([
    [4, 'throughput_limited', 300 * second, true],
    [17, 'throughput_limited', 300 * second, true],
    [80007, 'throughput_limited', 300 * second, true],
    [130429, 'throughput_limited', second, true],
    [131056, 'pair_rate_limited', 4 * second, false],
    [1, 'operator_rejected', 5 * second, false],
    [2, 'operator_rejected', 5 * second, false],
    [131000, 'operator_rejected', 5 * second, false],
    [131016, 'operator_rejected', 5 * second, false],
    [133004, 'operator_rejected', 5 * second, false],
    [131057, 'not_connected', 60 * second, false],
    [2494100, 'not_connected', 60 * second, false],
    [133000, 'not_connected', 5 * second, false],
    [133015, 'not_connected', 300 * second, false],
    [133016, 'sender_rejected', 72 * hour, false],
    [131053, 'media_failed', 10 * second, false],
    [132015, 'template_paused', 3 * hour, false],
    [132069, 'template_paused', 600 * second, false],
    [134101, 'template_paused', 600 * second, false],
  ])('%i is retried: %s after %i ms', (code, reason, afterMs, throttled) => {
    expect(read(code)).toMatchObject({ kind: 'retry', reason, code: String(code), afterMs, throttled })
  })

  test.each<[number, number[]]>([
    [131056, [4, 16, 64, 256, 1024].map((seconds) => seconds * second)],
    [131016, [5, 5, 5].map((seconds) => seconds * second)],
  ])('%i keeps its own pauses on further attempts', (code, pauses) => {
    expect(pauses.map((_, before) => read(code, { before }))).toMatchObject(pauses.map((afterMs) => ({ afterMs })))
  })

  test.each([
    [1, 2],
    [131000, 3],
    [131053, 1],
  ])('%i is retried at most %i times', (code, times) => {
    expect(read(code, { before: times - 1 }).kind).toBe('retry')
    expect(read(code, { before: times })).toMatchObject({ kind: 'rejected', scope: 'message' })
  })

  test.each([200, 400, 401, 403, 404, 429, 500, 503])('regardless of the HTTP status: %i', (status) => {
    expect(read(131026, { status })).toMatchObject({ kind: 'rejected', reason: 'number_unreachable' })
    expect(read(130429, { status })).toMatchObject({ kind: 'retry', throttled: true })
  })

  test('uses the most specific text of Meta, and retries an unknown code where Meta calls it transient', () => {
    const details = { error_data: { details: 'The number of parameters does not match' } }
    expect(read(132000, details)).toMatchObject({ detail: 'The number of parameters does not match' })
    expect(read(999_999, { is_transient: true })).toMatchObject({
      kind: 'retry',
      reason: 'operator_rejected',
    })
  })
})

describe('a response', () => {
  const taken = (message_status?: string) =>
    JSON.stringify({
      messaging_product: 'whatsapp',
      contacts: [{ input: '+919812345678', wa_id: '919812345678' }],
      messages: [{ id: 'wamid.A', message_status }],
    })
  test.each([undefined, 'accepted', 'held_for_quality_assessment', 'paused', 'something new'])(
    'with an id is accepted, as %s',
    (status) => {
      expect(readAnswer({ status: 200, body: taken(status) }, () => 0)).toEqual({
        kind: 'accepted',
        providerMessageIds: ['wamid.A'],
      })
    },
  )

  test.each([
    [200, ''],
    [200, '<html>OK</html>'],
    [200, '{"messages":[]}'],
    [200, '{"messages":[{"id":""}]}'],
    [200, '{"messages":[{"id":"wamid'],
    [200, 'null'],
    [200, '[]'],
    [400, '{"error":"no"}'],
    [400, '{"error":{"message":"no code"}}'],
    [404, 'Not found'],
    [500, ''],
    [502, '<html>Bad gateway</html>'],
    [503, '{"message":"down"}'],
  ])('%i %j leaves the outcome unknown', (status, body) => {
    expect(readAnswer({ status, body }, () => 0)).toMatchObject({ kind: 'unknown', code: `http_${status}` })
  })

  test.each<[string, boolean, object]>([
    ['ECONNREFUSED', false, { kind: 'retry', reason: 'not_connected', throttled: false }],
    ['ECONNRESET', true, { kind: 'unknown', code: 'ECONNRESET' }],
    ['UND_ERR_HEADERS_TIMEOUT', true, { kind: 'unknown' }],
    ['EGRESS_REFUSED', false, { kind: 'rejected', reason: 'channel_auth', scope: 'sender' }],
  ])('that never arrived: %s', (code, sent, outcome) => {
    expect(readFailure(new EgressError(code, 'No', sent))).toMatchObject(outcome)
  })

  test('that broke off for an unknown reason leaves the outcome unknown', () => {
    expect(readFailure(new TypeError('odd'))).toMatchObject({ kind: 'unknown' })
  })
})
