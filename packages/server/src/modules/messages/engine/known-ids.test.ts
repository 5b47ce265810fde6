import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { asSystem, inScope } from '../../../db/pool.ts'
import type { Account } from '../../../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../../../testing/database.ts'
import { setSmsPrice } from '../../../testing/money.ts'
import { until } from '../../../testing/until.ts'
import { issue } from '../../balance/index.ts'
import { endRetries } from '../housekeeping/end-retries.ts'
import { applyProviderEvents } from '../reports/apply-provider-events.ts'
import { sendSingle } from '../single-sends/send-single.ts'
import { buildCampaign, buildLane, type FakeProvider, phoneOf, startTestSender } from '../test-lane.ts'
import { inTransaction } from '../statements.ts'

let opened: TestDatabase
let manager: Account
let senderId: string
let fake: FakeProvider

beforeAll(async () => {
  opened = await testDatabase()
})
afterAll(() => opened.drop())
beforeEach(async () => {
  ;({ manager, senderId, fake } = await buildLane(opened.database, { revokes: true }))
  fake.answer = () => ({ kind: 'unknown', code: 'timeout', detail: '' })
})

const query = async <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  (await opened.database.systemPool.query<Row>(text, values)).rows

const statuses = (campaignId: string) =>
  query<{ seq: number; status: string }>('select seq, status from messages where campaign_id = $1 order by seq', [
    campaignId,
  ])

/** Reports the delivery by the provider's id alone. */
async function deliver(references: readonly string[]) {
  await applyProviderEvents(
    opened.database.systemPool,
    { organizationId: manager.organizationId, senderId },
    references.map((reference) => ({
      kind: 'delivery-report',
      providerMessageIds: [`p-${reference}`],
      status: 'delivered',
      at: new Date(),
      raw: '',
    })),
  )
}

const referenceOf = (campaignId: string, leg: number, seq: number) => `${campaignId.replaceAll('-', '')}.${leg}.${seq}`

/** The previous owner handed over the first two messages of the chunk, and claimed the retry of the third. */
async function leaveInFlight(campaignId: string) {
  await query('insert into lanes (organization_id, sender_id, epoch) values ($1, $2, 7) on conflict (organization_id, sender_id) do update set epoch = 7', [manager.organizationId, senderId]) // prettier-ignore
  await query('update chunks set lane_epoch = 7, watermark = 3 where campaign_id = $1', [campaignId])
  await query(
    `insert into retries (organization_id, campaign_id, leg, seq, sender_id, due_at, attempt, reason, code, submitting_epoch)
    values ($1, $2, 1, 2, $3, now(), 1, 'unknown', 'timeout', 7)`,
    [manager.organizationId, campaignId, senderId],
  )
}

test('a report by the provider’s id reaches a message without a response, however that was lost', async () => {
  const campaignId = await buildCampaign(opened.database, { owner: manager, senderId, total: 5 })
  await leaveInFlight(campaignId)
  const sender = await startTestSender(opened, { provider: fake })
  await until(async () => (await statuses(campaignId)).length === 5, 'the results')
  await sender.stop()
  expect(fake.handedOver).toHaveLength(2)
  expect((await statuses(campaignId)).map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'unknown'))
  await deliver([0, 1, 2, 3, 4].map((seq) => referenceOf(campaignId, 1, seq)))
  expect((await statuses(campaignId)).map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'delivered'))
})

test('single sends too', async () => {
  await setSmsPrice(opened.database, manager, 1500)
  const { organizationId, id: accountId, path } = manager
  await asSystem(opened.database, (db) =>
    issue(db, {
      issuer: { organizationId, accountId },
      organizationId,
      accountId,
      amount: 100_000,
      opKey: `fund ${accountId}`,
      reference: '',
    }),
  )
  const send = async (seq: number) => {
    const { messageId } = await inScope(opened.database, { organizationId, path, descends: false }, (db) =>
      sendSingle(db, {
        channel: 'sms',
        organizationId,
        accountId,
        path,
        senderId,
        kind: 'test',
        phoneNumber: `+${phoneOf(seq)}`,
        header: 'ACMEIN',
        text: 'Your code is 1234',
        category: 'service_implicit',
      }),
    )
    return messageId
  }
  const ids = [await send(0), await send(1)]
  await query('update priority_messages set submitting_epoch = 0 where id = $1', [ids[0]])
  const sender = await startTestSender(opened, { provider: fake })
  const ofBoth = async () => (await Promise.all(ids.map(statuses))).flat().map(({ status }) => status)
  await until(async () => (await ofBoth()).length === 2, 'the results')
  await sender.stop()
  expect(await ofBoth()).toEqual(['unknown', 'unknown'])
  await deliver(ids.map((id) => referenceOf(id, 0, 0)))
  expect(await ofBoth()).toEqual(['delivered', 'delivered'])
})

test('and messages that still waited to be repeated when their campaign ended', async () => {
  const campaignId = await buildCampaign(opened.database, { owner: manager, senderId, total: 2 })
  await query('select begin_campaign($1, $2, null)', [manager.organizationId, campaignId])
  await query(
    `insert into retries (organization_id, campaign_id, leg, seq, sender_id, due_at, attempt, reason, code, unanswered)
    select $1, $2, 1, seq, $3, now() + interval '1 hour', 1, 'unknown', 'timeout', true from generate_series(0, 1) as seq`,
    [manager.organizationId, campaignId, senderId],
  )
  await inTransaction(opened.database.systemPool, (db) =>
    endRetries(
      db,
      { organizationId: manager.organizationId, campaignId },
      { isExpired: true, providers: [fake.provider] },
    ),
  )
  expect((await statuses(campaignId)).map(({ status }) => status)).toEqual(['unknown', 'unknown'])
  await deliver([referenceOf(campaignId, 1, 1)])
  expect((await statuses(campaignId)).map(({ status }) => status)).toEqual(['unknown', 'delivered'])
})
