import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { asSystem } from '../../../db/pool.ts'
import { createLogger } from '../../../lib/logger.ts'
import { testDatabase, type TestDatabase } from '../../../testing/database.ts'
import { until } from '../../../testing/until.ts'
import { checkInvariants, getBalance } from '../../balance/index.ts'
import { applyProviderEvents } from '../reports/apply-provider-events.ts'
import { formatReference } from '../reference.ts'
import { buildSender, fakeProvider, startTestSender, type FakeProvider } from '../test-lane.ts'
import { advanceSingles } from './advance-singles.ts'
import { endLegs } from './legs-of-singles.ts'
import type { LegEntrance, SingleSend } from './single-send.ts'
import { buildShop, partPrice, sendOne, setLimit, singleOf, type Shop } from './test-shop.ts'
import { withdrawSingle, withdrawSingles } from './withdraw-singles.ts'

let opened: TestDatabase
let shop: Shop
let secondSender: string
let provider: FakeProvider
let stop: (() => Promise<void>) | undefined

beforeAll(async () => {
  opened = await testDatabase()
})
afterAll(async () => {
  expect(await asSystem(opened.database, checkInvariants)).toEqual([])
  await opened.drop()
})
beforeEach(async () => {
  shop = await buildShop(opened.database, { units: 100_000 })
  secondSender = await buildSender(opened.database, shop.manager)
})

afterEach(async () => {
  await stop?.()
  stop = undefined
})

async function startSending(): Promise<void> {
  provider = fakeProvider()
  const sender = await startTestSender(opened, { provider })
  stop = () => sender.stop()
}

const failure = { reasons: ['number_unreachable'], afterSeconds: null, unless: 'delivered', graceSeconds: 0 } as const
const timed = {
  reasons: ['not_delivered_in_time', 'expired'],
  afterSeconds: 60,
  unless: 'delivered',
  graceSeconds: 0,
} as const

const leg = (entrance: LegEntrance, more: Partial<SingleSend> = {}) => ({
  send: singleOf(shop, { senderId: secondSender, text: 'By another way', ...more }),
  entrance,
})
const withLegs = (...legs: ReturnType<typeof leg>[]) => singleOf(shop, { legs, text: 'First' })

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await opened.database.systemPool.query<Row>(text, values)).rows

const texts = () => provider.handedOver.map(({ text }) => text)
const legsOf = (messageId: string) =>
  query<{ leg: number; reason: string; sent_as: string | null; refusal: object | null }>(
    'select leg, reason, sent_as, refusal from single_legs where message_id = $1 order by leg',
    [messageId],
  )
const waiting = async (messageId: string) =>
  (await query('select 1 from single_failovers where message_id = $1', [messageId])).length

/** Checks at once, as if so much time had passed. */
async function advance(seconds = 0): Promise<void> {
  await query(
    `update single_failovers set check_at = now() - interval '1 second', entered_at = entered_at - make_interval(secs => $1)
    where organization_id = $2`,
    [seconds, shop.manager.organizationId],
  )
  await query(
    `update messages set sent_at = sent_at - make_interval(secs => $1), unknown_at = unknown_at - make_interval(secs => $1) where organization_id = $2`,
    [seconds, shop.manager.organizationId],
  )
  await advanceSingles(opened.database, createLogger('silent'))
}

const sent = (messageId: string) =>
  until(async () => (await query(`select 1 from messages where campaign_id = $1`, [messageId])).length === 1)

const report = (messageId: string, status: 'delivered' | 'failed') =>
  applyProviderEvents(
    opened.database.systemPool,
    { organizationId: shop.manager.organizationId, senderId: shop.senderId },
    [
      {
        kind: 'delivery-report',
        providerMessageIds: [`p-${formatReference({ campaignId: messageId, leg: 0, seq: 0 })}`],
        status,
        at: new Date(),
        ...(status === 'failed' && { reason: 'number_unreachable', code: '1' }),
        raw: `${messageId} ${status}`,
      },
    ],
  )

const send = (message: SingleSend) => sendOne(opened.database, shop, message)

describe('of a message with legs', () => {
  test('the next is sent when it fails, and only once', async () => {
    await startSending()
    const { messageId, cost, legs } = await send(withLegs(leg(failure, { text: 'x'.repeat(200) })))
    expect({ cost, legs }).toEqual({ cost: partPrice, legs: [{ parts: 2, cost: 2 * partPrice }] })
    await sent(messageId)
    await advance()
    expect(texts()).toEqual(['First'])
    await report(messageId, 'failed')
    await Promise.all([advance(), advance(), advance()])
    const [second] = await legsOf(messageId)
    expect(second).toMatchObject({ leg: 1, reason: 'number_unreachable', refusal: null })
    await sent(second?.sent_as ?? '')
    await advance()
    expect(texts()).toEqual(['First', 'x'.repeat(200)])
    expect(await waiting(messageId)).toBe(0)
    const { organizationId, id: accountId } = shop.manager
    const balance = await asSystem(opened.database, (db) => getBalance(db, { organizationId, accountId }))
    // Both were accepted by the provider, and sending is billed.
    expect(balance).toMatchObject({ held: 0 })
  })

  test('none is sent once it is delivered, and the wait ends', async () => {
    await startSending()
    const { messageId } = await send(withLegs(leg(failure), leg(timed)))
    await sent(messageId)
    await report(messageId, 'delivered')
    await advance(3600)
    expect(await legsOf(messageId)).toEqual([])
    expect(await waiting(messageId)).toBe(0)
    expect(texts()).toEqual(['First'])
  })

  test('the next is sent without a report in time, and the one after it in turn', async () => {
    await startSending()
    const { messageId } = await send(withLegs(leg(timed, { text: 'Second' }), leg(timed, { text: 'Third' })))
    await sent(messageId)
    await advance(50)
    expect(texts()).toEqual(['First'])
    await advance(20)
    const [second] = await legsOf(messageId)
    await sent(second?.sent_as ?? '')
    await advance(50)
    expect(await legsOf(messageId)).toHaveLength(1)
    await advance(20)
    const legs = await legsOf(messageId)
    expect(legs.map(({ leg: number, reason }) => [number, reason])).toEqual([
      [1, 'not_delivered_in_time'],
      [2, 'not_delivered_in_time'],
    ])
    await sent(legs[1]?.sent_as ?? '')
    expect(texts()).toEqual(['First', 'Second', 'Third'])
    expect(await waiting(messageId)).toBe(0)
  })

  test('a leg whose conditions are not met is left out', async () => {
    await startSending()
    const never = { ...failure, reasons: ['content_blocked'] }
    const { messageId } = await send(withLegs(leg(never), leg(failure, { text: 'Second' })))
    await sent(messageId)
    await report(messageId, 'failed')
    await advance()
    const [only, ...others] = await legsOf(messageId)
    expect(others).toEqual([])
    await sent(only?.sent_as ?? '')
    expect(texts()).toEqual(['First', 'Second'])
  })

  test('one that waits in the queue of a sender that is off is withdrawn before the next is sent', async () => {
    const { messageId } = await send(withLegs(leg(timed, { text: 'Second' })))
    await advance(70)
    expect(await legsOf(messageId)).toMatchObject([{ reason: 'not_delivered_in_time' }])
    await startSending()
    await until(async () => texts().length > 0)
    await sent(messageId)
    expect(texts()).toEqual(['Second'])
    expect(await query('select status, reason from messages where campaign_id = $1', [messageId])).toEqual([
      { status: 'failed', reason: 'expired' },
    ])
  })

  test('one that is being handed over is not replaced before its result is known', async () => {
    const { messageId } = await send(withLegs(leg(timed)))
    await query('update priority_messages set submitting_epoch = 5 where id = $1', [messageId])
    await advance(70)
    expect(await legsOf(messageId)).toEqual([])
    expect(await waiting(messageId)).toBe(1)
  })

  test('none is sent after the message was cancelled, its legs were ended, or its account was suspended', async () => {
    const [cancelled, ended, suspended] = [
      await send(withLegs(leg(timed))),
      await send(withLegs(leg(timed))),
      await send(withLegs(leg(timed))),
    ]
    const { organizationId, path } = shop.manager
    await asSystem(opened.database, async (db) => {
      expect(await withdrawSingle(db, { organizationId, id: cancelled.messageId })).toEqual({
        isWithdrawn: true,
        hadLegs: true,
      })
      expect(await endLegs(db, { organizationId, messageIds: [ended.messageId] })).toBe(1)
      await withdrawSingles(db, path)
    })
    await advance(70)
    for (const { messageId } of [cancelled, ended, suspended]) {
      expect(await waiting(messageId)).toBe(0)
      expect(await legsOf(messageId)).toEqual([])
    }
  })

  test('one that cannot be paid any more is recorded with the reason', async () => {
    await startSending()
    const { messageId } = await send(withLegs(leg(timed)))
    await sent(messageId)
    await setLimit(opened.database, shop.manager, { messages_per_day: 1 })
    await advance(70)
    expect(await legsOf(messageId)).toMatchObject([{ sent_as: null, refusal: { code: 'limit_exceeded' } }])
    expect(await waiting(messageId)).toBe(0)
  })
})

test('a leg that cannot be sent refuses the message, at the field of the leg', async () => {
  const wrong = leg(failure, { phoneNumber: '+912025671234' })
  await expect(send(withLegs(leg(failure), wrong))).rejects.toMatchObject({
    code: 'bad_request',
    details: [{ field: 'legs.1.phoneNumber' }],
  })
  expect(
    await query('select 1 from single_failovers where organization_id = $1', [shop.manager.organizationId]),
  ).toEqual([])
})

test('a message expires when its next leg takes over', async () => {
  const { messageId } = await send(withLegs(leg(timed)))
  const [row] = await query<{ seconds: number }>(
    'select extract(epoch from expires_at - now())::int as seconds from priority_messages where id = $1',
    [messageId],
  )
  expect(row?.seconds).toBeGreaterThan(50)
  expect(row?.seconds).toBeLessThanOrEqual(60)
})
