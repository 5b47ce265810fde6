import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCircuitBreaker } from './circuit-breaker.ts'
import { statusOfParts } from '../reports/evidence.ts'
import { compileText } from '../../../channels/sms/sms-channel.ts'
import { formatReference, parseReference } from '../reference.ts'
import { decideRetry } from './retry-policy.ts'
import { numberArray, sparseText, textArray } from '../statements.ts'
import { createTokenBucket } from './token-bucket.ts'
import { parseFailPoints } from '../../../lib/fail-points.ts'
import { testDatabase, type TestDatabase } from '../../../testing/database.ts'

describe("arrays in PostgreSQL's format", () => {
  let opened: TestDatabase
  beforeAll(async () => void (opened = await testDatabase()))
  afterAll(() => opened.drop())

  test('any text is read back unchanged', async () => {
    const texts = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string(),
      fc.constantFrom('null', 'NULL', '', '{}', '"', '\\', 'a,b', ' ', '\n'),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(texts), { maxLength: 20 }), async (values) => {
        const { rows } = await opened.database.systemPool.query<{ list: (string | null)[] }>(
          'select $1::text[] as list',
          [textArray(values)],
        )
        expect(rows[0]?.list).toEqual(values.map((value) => value?.replaceAll('\u0000', '') ?? null))
      }),
      { numRuns: 300 },
    )
  })

  test('numbers too, and undefined columns are omitted', async () => {
    const { rows } = await opened.database.systemPool.query<{ list: (number | null)[] }>(
      'select $1::float8[] as list',
      [numberArray([1, null, 919_876_543_210])],
    )
    expect(rows[0]?.list).toEqual([1, null, 919_876_543_210])
    expect(sparseText([undefined, null])).toBe('{}')
  })
})

const minute = 60_000
const question = { attempt: 0, now: new Date(0), expiresAt: new Date(10_000 * minute), random: 0.5 }

test.each([
  ['throughput_limited', 0, 'retry', 0],
  ['throughput_limited', 99, 'retry', 99],
  ['not_connected', 50, 'retry', 50],
  ['number_unreachable', 0, 'retry', 1],
  ['number_unreachable', 3, 'give-up', undefined],
  ['unknown', 4, 'give-up', undefined],
] as const)('%s after %i attempts: %s', (reason, attempt, kind, used) => {
  const decision = decideRetry({ ...question, attempt, outcome: { reason, afterMs: 0, throttled: false } })
  expect(decision.kind).toBe(kind)
  if (decision.kind === 'retry') expect(decision.attempt).toBe(used)
})

test('a retry never comes after the expiry, and never before the operator allows it', () => {
  fc.assert(
    fc.property(
      fc.nat(10),
      fc.nat(200 * minute),
      fc.nat(300 * minute),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (attempt, afterMs, lifeMs, random) => {
        const decision = decideRetry({
          outcome: { reason: 'undelivered', afterMs, throttled: false },
          attempt,
          now: new Date(0),
          expiresAt: new Date(lifeMs),
          random,
        })
        if (decision.kind === 'give-up') return
        expect(decision.dueAt.getTime()).toBeGreaterThanOrEqual(afterMs)
        expect(decision.dueAt.getTime()).toBeLessThan(lifeMs)
      },
    ),
  )
})

test('a lane without responses is held, tried with one message, and released by a response', () => {
  const breaker = createCircuitBreaker()
  const holds = Array.from({ length: 20 }, (_, index) => breaker.record(index % 2 === 0))
  expect(holds.slice(0, 19)).toEqual(Array.from({ length: 19 }, () => 0))
  const first = holds[19] ?? 0
  expect(first).toBeGreaterThan(0)
  expect(breaker.limit()).toBe(1)
  expect(breaker.record(false)).toBeGreaterThan(first)
  expect(breaker.record(true)).toBe(0)
  expect(breaker.limit()).toBe(Number.POSITIVE_INFINITY)
})

test('a bucket gives at least what one message needs, serves priority first, and nothing once closed', async () => {
  const bucket = createTokenBucket(1000)
  const served: string[] = []
  const takers = [
    bucket.take({ atLeast: 1, atMost: 50, urgent: false }).then(() => served.push('ordinary')),
    bucket.take({ atLeast: 1, atMost: 50, urgent: true }).then(() => served.push('urgent')),
  ]
  await Promise.all(takers)
  expect(served).toEqual(['urgent', 'ordinary'])
  expect(await bucket.take({ atLeast: 500, atMost: 500, urgent: false })).toBe(500)
  const waiting = bucket.take({ atLeast: 1, atMost: 1000, urgent: false })
  bucket.close()
  expect(await waiting).toBe(0)
  expect(await bucket.take({ atLeast: 1, atMost: 1, urgent: true })).toBe(0)
})

test.each([
  [['delivered', 'delivered'], 'delivered'],
  [['delivered', 'sent'], 'sent'],
  [['delivered', 'failed'], 'failed'],
  [['read', 'delivered'], 'delivered'],
] as const)('parts %j make %s', (parts, whole) => expect(statusOfParts(parts)).toBe(whole))

test('values are read from their column, replaced when empty and cut when too long; none is a missing variable', () => {
  const render = compileText('Hi {#var#}, {#var#}!', [
    { column: 1, fallback: 'friend' },
    { column: 0, fallback: '', trimTo: 3 },
  ])
  expect(render(['Kolkata', 'Asha'])).toBe('Hi Asha, Kol!')
  expect(render(['Pune', ''])).toBe('Hi friend, Pun!')
  expect(render(['', 'Asha'])).toBeUndefined()
  expect(render([])).toBeUndefined()
})

test('a reference is parsed to its message, and any other text is not', () => {
  const key = { campaignId: '0190a0b0-0000-7000-8000-00000000abcd', leg: 1, seq: 123_456 }
  expect(parseReference(formatReference(key))).toEqual(key)
  expect(parseReference('order-77')).toBeUndefined()
})

test('fail points are parsed strictly', () => {
  expect(parseFailPoints(undefined)).toBeUndefined()
  expect(parseFailPoints('after-watermark:kill:3,mid-wire:kill')).toEqual(
    new Map([
      ['after-watermark', 3],
      ['mid-wire', 1],
    ]),
  )
  expect(() => parseFailPoints('after-watermark')).toThrow('FAIL_POINTS')
})
