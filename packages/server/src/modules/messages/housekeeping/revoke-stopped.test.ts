import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { asSystem } from '../../../db/pool.ts'
import type { Account } from '../../../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../../../testing/database.ts'
import { until } from '../../../testing/until.ts'
import { checkInvariants } from '../../balance/index.ts'
import { accept, buildLane, type FakeProvider, startTestSender } from '../test-lane.ts'
import { buildRevocable, price } from '../test-revocations.ts'
import { settleStopped } from './complete-finished.ts'
import { foldCounters } from './fold-counters.ts'
import { forgetRevocations, queueRevocations } from './revoke-stopped.ts'
import { settleRevocations } from './settle-revocations.ts'

let opened: TestDatabase
let manager: Account
let first: string
let fake: FakeProvider
let own: Awaited<ReturnType<typeof buildRevocable>>

beforeAll(async () => {
  opened = await testDatabase({ app: 4, system: 30, owner: 3 })
})
afterAll(() => opened.drop())
beforeEach(async () => {
  ;({ manager, senderId: first, fake } = await buildLane(opened.database, { revokes: true }))
  own = await buildRevocable(opened, manager, first)
})

const stop = (campaignId: string) =>
  own.query(
    `update campaigns set status = 'cancelled', run_epoch = run_epoch + 1, completed_at = now() where id = $1`,
    [campaignId],
  )

const countRevocations = async (campaignId: string) => {
  const [row] = await own.query<{ count: number }>('select count(*)::int from revocations where campaign_id = $1', [
    campaignId,
  ])
  return row?.count ?? 0
}

test('a discarded campaign revokes undelivered messages, charges nothing for them, and no recipient fails over', async () => {
  fake.answerRevoke = ({ reference }) => (reference.endsWith('.3') ? { kind: 'not_found' } : { kind: 'requested' })
  const campaignId = await own.start({ total: 6 })
  const sender = await startTestSender(opened, { provider: fake })
  await until(async () => Object.keys(await own.statusesOf(campaignId)).length === 6, 'the first leg')
  await own.report(campaignId, 1, [
    { seq: 0, status: 'delivered' },
    { seq: 1, status: 'failed', reason: 'bad_request' },
  ])
  await stop(campaignId)
  await settleStopped(opened.database.systemPool)
  await queueRevocations(opened.database.systemPool)
  await until(() => fake.revoked.length === 4, 'the requests')
  await until(async () => {
    await own.passGrace(campaignId)
    return (await countRevocations(campaignId)) === 1
  }, 'the failures')
  await own.report(campaignId, 1, [{ seq: 5, status: 'delivered' }])
  await sender.stop()
  expect(await own.statusesOf(campaignId)).toEqual({
    '0.1': 'delivered',
    '1.1': 'failed bad_request',
    '2.1': 'failed revoked',
    '3.1': 'sent',
    '4.1': 'failed revoked',
    '5.1': 'delivered',
  })
  await foldCounters(opened.database.systemPool)
  const [counted] = await own.query(
    `select sent::int, delivered::int, failed::int, (cost - refunded)::int as net from counters where campaign_id = $1`,
    [campaignId],
  )
  expect(counted).toEqual({ sent: 1, delivered: 2, failed: 3, net: 3 * price })
  expect(await asSystem(opened.database, checkInvariants)).toEqual([])
  // What the provider called delivered is forgotten after a week.
  await own.query(`update revocations set due_at = now() - interval '8 days' where campaign_id = $1`, [campaignId])
  await forgetRevocations(opened.database.systemPool)
  expect(await countRevocations(campaignId)).toBe(0)
})

test('a message that may not have been accepted is charged only if it is delivered after all', async () => {
  fake.answer = (message) =>
    message.reference.endsWith('.0') ? accept(message) : { kind: 'unknown', code: 'timeout', detail: '' }
  const campaignId = await own.start({ total: 3, billableOn: 'sent' })
  const sender = await startTestSender(opened, { provider: fake })
  await until(async () => Object.keys(await own.statusesOf(campaignId)).length === 3, 'the first leg')
  await stop(campaignId)
  await settleStopped(opened.database.systemPool)
  await queueRevocations(opened.database.systemPool)
  await until(() => fake.revoked.length === 3, 'the requests')
  await until(async () => {
    await own.passGrace(campaignId)
    return (await countRevocations(campaignId)) === 0
  }, 'the failures')
  await own.report(campaignId, 1, [{ seq: 2, status: 'delivered' }])
  await sender.stop()
  expect(await own.statusesOf(campaignId)).toEqual({
    '0.1': 'failed revoked',
    '1.1': 'failed revoked',
    '2.1': 'delivered',
  })
  await foldCounters(opened.database.systemPool)
  const [counted] = await own.query(`select (cost - refunded)::int as net from counters where campaign_id = $1`, [
    campaignId,
  ])
  expect(counted).toEqual({ net: 2 * price })
  expect(await asSystem(opened.database, checkInvariants)).toEqual([])
})

test('a campaign whose provider revokes nothing is not searched', async () => {
  const campaignId = await own.start({ total: 2 })
  await opened.database.ownerPool.query('update campaign_legs set revoke_grace_seconds = null where campaign_id = $1', [
    campaignId,
  ])
  await stop(campaignId)
  await settleStopped(opened.database.systemPool)
  expect(await own.query('select from revocation_scans where campaign_id = $1', [campaignId])).toEqual([])
})

test('100,000 messages are queued a range at a time, and all are revoked', async () => {
  const total = 100_000
  const campaignId = await own.start({ total })
  await own.query('update chunks set watermark = hi, recorded = hi, done_at = now() where campaign_id = $1', [
    campaignId,
  ])
  await own.query('select begin_campaign($1, $2, null)', [manager.organizationId, campaignId])
  await own.query(
    `insert into messages (organization_id, created_on, campaign_id, seq, leg, sender_id, phone, status, parts, price, billable_on,
      provider_message_id, sent_at)
    select $1, campaign.created_on, campaign.id, seq, 1, $3, 919800000000 + seq, 'sent', 1, 0, 'delivered',
      'p-' || replace(campaign.id::text, '-', '') || '.1.' || seq, now()
    from campaigns campaign, generate_series(0, $4::int - 1) as seq where campaign.id = $2`,
    [manager.organizationId, campaignId, first, total],
  )
  await stop(campaignId)
  await settleStopped(opened.database.systemPool)
  // The first call leaves the rest to the next ones.
  await queueRevocations(opened.database.systemPool)
  expect(await countRevocations(campaignId)).toBe(50_000)
  await queueRevocations(opened.database.systemPool)
  expect(await countRevocations(campaignId)).toBe(total)
  await queueRevocations(opened.database.systemPool)
  expect(await own.query('select from revocation_scans where campaign_id = $1', [campaignId])).toEqual([])

  const sender = await startTestSender(opened, { provider: fake })
  await until(() => fake.revoked.length === total, 'the requests', 120_000)
  const isAnswered = async () =>
    (await own.query(`select from revocations where campaign_id = $1 and outcome is null limit 1`, [campaignId]))
      .length === 0
  await until(isAnswered, 'the responses')
  await sender.stop()
  await own.query(`update revocations set due_at = now() where campaign_id = $1`, [campaignId])
  await settleRevocations(opened.database.systemPool)
  const [row] = await own.query(
    `select count(*) filter (where status = 'failed' and reason = 'revoked')::int as failed from messages where campaign_id = $1`,
    [campaignId],
  )
  expect(row).toEqual({ failed: total })
  expect(new Set(fake.revoked.map(({ reference }) => reference)).size).toBe(total)
}, 180_000)
