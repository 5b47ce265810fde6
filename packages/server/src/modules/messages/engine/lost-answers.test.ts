import { createServer, type Server } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { httpGateway } from '../../../channels/sms/http-gateway/http-gateway.ts'
import type { SendOutcome } from '../../../channels/provider.ts'
import { asSystem, inScope } from '../../../db/pool.ts'
import { createEgress } from '../../../egress/egress.ts'
import { systemClock } from '../../../lib/clock.ts'
import { createLogger } from '../../../lib/logger.ts'
import type { Account } from '../../../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../../../testing/database.ts'
import { setSmsPrice } from '../../../testing/money.ts'
import { until } from '../../../testing/until.ts'
import { checkInvariants, getBalance } from '../../balance/index.ts'
import { settleStopped } from '../housekeeping/complete-finished.ts'
import { foldCounters } from '../housekeeping/fold-counters.ts'
import { classifyOutcome } from './results.ts'
import { sendSingle } from '../single-sends/send-single.ts'
import { startSender, type Sender } from './sender.ts'
import { buildCampaign, buildLane, isCompleted, phoneOf, startTestSender, type FakeProvider } from '../test-lane.ts'

let opened: TestDatabase
let manager: Account
let senderId: string
let fake: FakeProvider
let sender: Sender | undefined

beforeAll(async () => {
  opened = await testDatabase()
})

afterAll(async () => {
  expect(await asSystem(opened.database, checkInvariants)).toEqual([])
  await opened.drop()
})

beforeEach(async () => {
  ;({ manager, senderId, fake } = await buildLane(opened.database, { idempotent: true }))
  await setSmsPrice(opened.database, manager, 1000)
})

afterEach(async () => {
  await sender?.stop()
  sender = undefined
})

const query = async <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  (await opened.database.systemPool.query<Row>(text, values)).rows

const countBy = async (campaignId: string) =>
  Object.fromEntries(
    (
      await query<{ status: string; count: number }>(
        'select status, count(*)::int from messages where campaign_id = $1 group by 1',
        [campaignId],
      )
    ).map(({ status, count }) => [status, count]),
  )

/** Moves times back, as if the wait before a resend had passed. */
const skipWait = () =>
  query(`with retried as (update retries set due_at = now() where unanswered and submitting_epoch is null)
    update priority_messages set due_at = now() where unanswered and submitting_epoch is null`)

const lost: SendOutcome = { kind: 'unknown', code: 'timeout', detail: 'No answer' }

function sendOne(seq: number) {
  const { organizationId, id: accountId, path } = manager
  return inScope(opened.database, { organizationId, path, descends: false }, (db) =>
    sendSingle(db, {
      channel: 'sms',
      organizationId,
      accountId,
      path,
      senderId,
      kind: 'api',
      phoneNumber: `+${phoneOf(seq)}`,
      header: 'ACMEIN',
      text: 'Your code is 1234',
      category: 'service_implicit',
    }),
  )
}

describe('a gateway with an idempotency key that accepts messages and loses every fiftieth response', () => {
  let gateway: Server
  let port: number
  /** Messages that each key delivered to a phone, and how often it was sent. */
  const keys = new Map<string, { arrived: number; requests: number }>()

  beforeAll(async () => {
    gateway = createServer((request, response) => {
      request.resume().on('end', () => {
        const key = String(request.headers['x-key'])
        const known = keys.get(key) ?? { arrived: 1, requests: 0 }
        known.requests += 1
        keys.set(key, known)
        if (known.requests === 1 && keys.size % 50 === 0) return request.socket.destroy()
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ id: `g-${key}` }))
      })
    })
    await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve))
    const address = gateway.address()
    port = typeof address === 'object' && address ? address.port : 0
  })

  afterAll(() => void gateway.close())

  function startGatewaySender(): Promise<Sender> {
    const config = httpGateway.config.parse({
      url: `http://127.0.0.1:${port}/send`,
      bodyTemplate: '{"to":"{{to}}","text":"{{text}}"}',
      idempotencyHeader: 'X-Key',
    })
    return startSender({
      database: opened.database,
      databaseUrl: opened.url,
      logger: createLogger('silent'),
      io: {
        clock: systemClock,
        readInstallationSettings: async () => undefined,
        egress: createEgress({ allowedPrivate: [`127.0.0.1:${port}`], allowedPorts: [], connections: 128 }),
      },
      loadConnection: async () => ({
        provider: httpGateway as never,
        config,
        ratePerSecond: Number.POSITIVE_INFINITY,
        callbackUrl: '',
        idempotent: httpGateway.idempotent(config),
      }),
      applyEvents: async () => undefined,
    })
  }

  test('everyone gets one message, and all end as sent', async () => {
    const campaignId = await buildCampaign(opened.database, { owner: manager, senderId, total: 1000, chunkSize: 250 })
    sender = await startGatewaySender()
    await until(async () => (await countBy(campaignId))['sent'] === 980, 'those with an answer')
    expect(await countBy(campaignId)).toEqual({ sent: 980 })
    await skipWait()
    await until(() => isCompleted(opened.database, campaignId), 'completion')
    expect(await countBy(campaignId)).toEqual({ sent: 1000 })
    expect([keys.size, [...keys.values()].filter(({ requests }) => requests === 2).length]).toEqual([1000, 20])
    await foldCounters(opened.database.systemPool)
    expect(
      await query('select submitted, sent, unknown, failed, cost from counters where campaign_id = $1', [campaignId]),
    ).toEqual([{ submitted: 1000, sent: 1000, unknown: 0, failed: 0, cost: 1_000_000 }])
    const { posted, held } = await asSystem(opened.database, (db) => getBalance(db, manager))
    expect({ posted, held }).toEqual({ posted: 1000 * 4000 - 1_000_000, held: 0 })
  })
})

test('a single send whose response was lost is sent again with the same reference', async () => {
  await buildCampaign(opened.database, { owner: manager, senderId, total: 10, status: 'paused' })
  const answers: SendOutcome[] = [lost, { kind: 'accepted', providerMessageIds: ['p-1'] }]
  fake.answer = () => answers.shift() ?? lost
  const { messageId } = await sendOne(1)
  sender = await startTestSender(opened, { provider: fake })
  await until(async () => (await skipWait(), (await countBy(messageId))['sent'] === 1), 'the repeat')
  expect(fake.handedOver.map(({ reference }) => reference)).toEqual([
    fake.handedOver[0]?.reference,
    fake.handedOver[0]?.reference,
  ])
  expect(await asSystem(opened.database, (db) => getBalance(db, manager))).toMatchObject({
    posted: 10 * 4000 - 1000,
  })
})

test('when no attempt gets a response, the message is unknown and not yet charged', async () => {
  fake.answer = () => lost
  const campaignId = await buildCampaign(opened.database, { owner: manager, senderId, total: 2 })
  const { messageId } = await sendOne(1)
  sender = await startTestSender(opened, { provider: fake })
  await until(async () => (await skipWait(), (await countBy(campaignId))['unknown'] === 2), 'the last attempt')
  await until(
    async () => (await skipWait(), (await countBy(messageId))['unknown'] === 1),
    'the last attempt of the other',
  )
  expect(fake.handedOver).toHaveLength(3 * 6)
  expect(new Set(fake.handedOver.map(({ reference }) => reference)).size).toBe(3)
  await until(() => isCompleted(opened.database, campaignId), 'completion')
  expect(await asSystem(opened.database, (db) => getBalance(db, manager))).toMatchObject({ posted: 2 * 4000, held: 0 })
})

test.each([
  [
    'discarded',
    (campaignId: string) =>
      query(`update campaigns set status = 'discarded', run_epoch = run_epoch + 1 where id = $1`, [campaignId]),
  ],
  [
    'over',
    (campaignId: string) =>
      query(`update campaigns set expires_at = now() - interval '1 second' where id = $1`, [campaignId]),
  ],
])('a lost response of a campaign that is %s is unknown, not failed', async (_, end) => {
  fake.answer = ({ to }) => (Number(to.slice(1)) % 2 === 0 ? lost : { kind: 'accepted', providerMessageIds: [to] })
  const campaignId = await buildCampaign(opened.database, {
    owner: manager,
    senderId,
    total: 4,
    body: `${'x'.repeat(170)}{#var#}`,
  })
  sender = await startTestSender(opened, { provider: fake })
  await until(async () => (await countBy(campaignId))['sent'] === 2, 'the others')
  await end(campaignId)
  await until(async () => {
    await settleStopped(opened.database.systemPool)
    await isCompleted(opened.database, campaignId)
    return (await countBy(campaignId))['unknown'] === 2
  }, 'the end')
  expect(await query('select distinct parts, price from messages where campaign_id = $1', [campaignId])).toEqual([
    { parts: 2, price: 2000 },
  ])
  expect(await query('select from retries where campaign_id = $1', [campaignId])).toEqual([])
})

describe('after a lost response', () => {
  const soon = new Date(Date.now() + 3_600_000)
  const refused = { kind: 'rejected', code: 'x', detail: 'No' } as const
  test.each([
    ['a refusal of the message', { ...refused, reason: 'invalid_number', scope: 'message' }, soon, 'failed'],
    ['our own word that it is too late', { ...refused, reason: 'expired', scope: 'message' }, soon, 'unknown'],
    ['a refusal of the sender', { ...refused, reason: 'channel_auth', scope: 'sender' }, soon, 'retry'],
    ['another lost answer', lost, soon, 'retry'],
    ['another lost answer, too late', lost, new Date(0), 'unknown'],
    [
      'a throttle, too late',
      { kind: 'retry', afterMs: 0, reason: 'throughput_limited', code: '88', detail: '', throttled: true },
      new Date(0),
      'unknown',
    ],
  ] as const)('%s', (_, outcome, expiresAt, kind) => {
    const verdict = classifyOutcome({ attempt: 1, unanswered: true }, outcome, { expiresAt, isIdempotent: true })
    expect(verdict.kind).toBe(kind)
    if (verdict.kind === 'retry') expect(verdict.unanswered).toBe(true)
  })

  test('a provider without a key is not tried again', () => {
    const terms = { expiresAt: soon, isIdempotent: false }
    expect(classifyOutcome({ attempt: 0, unanswered: false }, lost, terms)).toEqual({ kind: 'unknown' })
  })
})
