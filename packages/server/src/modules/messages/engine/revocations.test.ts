import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { RevokeOutcome } from '../../../channels/provider.ts'
import { asSystem } from '../../../db/pool.ts'
import type { Account } from '../../../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../../../testing/database.ts'
import { until } from '../../../testing/until.ts'
import { checkInvariants } from '../../balance/index.ts'
import { expireCampaigns } from '../housekeeping/expire-campaigns.ts'
import { foldCounters } from '../housekeeping/fold-counters.ts'
import { settleRevocations } from '../housekeeping/settle-revocations.ts'
import { parseReference } from '../reference.ts'
import { accept, buildLane, type FakeProvider, isCompleted, startTestSender } from '../test-lane.ts'
import { buildRevocable, failoversOf, handedOver, price } from '../test-revocations.ts'
import type { Sender } from './sender.ts'
import { findMismatches } from '../test-proof.ts'

let opened: TestDatabase
let manager: Account
let first: string
let fake: FakeProvider
let own: Awaited<ReturnType<typeof buildRevocable>>
let senders: Sender[] = []

beforeAll(async () => {
  opened = await testDatabase({ app: 4, system: 30, owner: 3 })
})
afterAll(async () => {
  expect(await findMismatches(opened.database)).toEqual([])
  await opened.drop()
})
beforeEach(async () => {
  ;({ manager, senderId: first, fake } = await buildLane(opened.database, { revokes: true }))
  own = await buildRevocable(opened, manager, first)
})
afterEach(async () => {
  await Promise.all(senders.map((sender) => sender.stop()))
  senders = []
  expect(await asSystem(opened.database, checkInvariants)).toEqual([])
})

async function startSender(provider = fake) {
  const sender = await startTestSender(opened, { provider })
  senders.push(sender)
  return sender
}

const seqOf = ({ reference }: { reference: string }) => parseReference(reference)?.seq ?? -1

const revokedSeqs = () => fake.revoked.map(seqOf).toSorted((one, other) => one - other)

const has = (campaignId: string, name: string, status: string) => async () =>
  (await own.statusesOf(campaignId))[name] === status

async function sendFirst(campaignId: string, total: number) {
  await startSender()
  await until(async () => Object.keys(await own.statusesOf(campaignId)).length === total, 'the first leg')
}

/** Ends the grace period of all responses so far, until no revocation is left that waits. */
async function settleAll(campaignId: string) {
  await until(async () => {
    await own.passGrace(campaignId)
    const open = await own.query(`select from revocations where campaign_id = $1 and outcome is distinct from 'kept'`, [
      campaignId,
    ])
    return open.length === 0
  }, 'the revocations')
}

async function spent(): Promise<number> {
  const [row] = await own.query<{ spent: number }>(
    `select sum(posted)::int as spent from ledger_accounts where organization_id = $1 and kind = 'spent'`,
    [manager.organizationId],
  )
  return row?.spent ?? 0
}

/** The counters of both legs are what the messages add up to. */
async function expectCounted(campaignId: string) {
  await foldCounters(opened.database.systemPool)
  const recount = await own.query(
    `select leg, count(*) filter (where status = 'sent')::int as sent, count(*) filter (where status = 'delivered')::int as delivered,
      count(*) filter (where status = 'failed')::int as failed, count(*) filter (where status = 'unknown')::int as unknown,
      sum(charge_of(status, price, billable_on))::int as net
    from messages where campaign_id = $1 group by leg order by leg`,
    [campaignId],
  )
  const counted = await own.query(
    `select leg, sent::int, delivered::int, failed::int, unknown::int, (cost - refunded)::int as net
    from counters where campaign_id = $1 order by leg`,
    [campaignId],
  )
  expect(counted).toEqual(recount)
}

test('each response to a revocation has its consequence, and only recipients without a delivery move on', async () => {
  const responses: Record<number, RevokeOutcome> = {
    1: { kind: 'requested' },
    2: { kind: 'not_found' },
    3: { kind: 'refused', code: 'FORBIDDEN', detail: 'Not allowed' },
    4: { kind: 'not_found' },
  }
  let isBusy = true
  fake.answerRevoke = (request) => {
    const seq = seqOf(request)
    if (seq === 5 && isBusy) {
      isBusy = false
      return { kind: 'retry', afterMs: 1, code: 'UNAVAILABLE', detail: 'Later' }
    }
    return responses[seq] ?? { kind: 'requested' }
  }
  fake.answer = (message) =>
    seqOf(message) === 4 && message.from === 'ACMEIN'
      ? { kind: 'unknown', code: 'timeout', detail: '' }
      : accept(message)
  const campaignId = await own.start({ total: 7 })
  await sendFirst(campaignId, 7)
  await own.report(campaignId, 1, [
    { seq: 0, status: 'delivered' },
    { seq: 6, status: 'failed', reason: 'expired' },
  ])
  await own.passTime(campaignId, [0, 1, 2, 3, 4, 5, 6])
  await until(() => fake.revoked.length === 6, 'the revocations, one of them twice')
  await until(has(campaignId, '6.2', 'sent'), 'the recipient whose message expired')
  expect(handedOver(fake, campaignId).filter((name) => name.endsWith('.2'))).toEqual(['6.2'])
  await settleAll(campaignId)
  await until(has(campaignId, '5.2', 'sent'), 'the second leg')

  expect(revokedSeqs()).toEqual([1, 2, 3, 4, 5, 5])
  expect(await own.statusesOf(campaignId)).toEqual({
    '0.1': 'delivered',
    '1.1': 'failed revoked',
    '1.2': 'sent',
    '2.1': 'sent',
    '3.1': 'failed revoked',
    '3.2': 'sent',
    '4.1': 'failed revoked',
    '4.2': 'sent',
    '5.1': 'failed revoked',
    '5.2': 'sent',
    '6.1': 'failed expired',
    '6.2': 'sent',
  })
  const codes = await own.query(
    `select seq, code from messages where campaign_id = $1 and reason = 'revoked' order by seq`,
    [campaignId],
  )
  expect(codes).toEqual([
    { seq: 1, code: 'revoked' },
    { seq: 3, code: 'FORBIDDEN' },
    { seq: 4, code: 'not_found' },
    { seq: 5, code: 'revoked' },
  ])
  // A delivery that the provider only implied is not asked about again, and does not keep the campaign open.
  await own.passTime(campaignId, [2])
  await own.report(
    campaignId,
    2,
    [1, 3, 4, 5, 6].map((seq) => ({ seq, status: 'delivered' as const })),
  )
  await until(async () => {
    await own.passTime(campaignId, [])
    return isCompleted(opened.database, campaignId)
  }, 'completion')
  expect(fake.revoked).toHaveLength(6)
  await expectCounted(campaignId)
  expect(await spent()).toBe(7 * price)
})

test('a delivery counts whenever it is reported, and a recipient gets two messages only if it comes last', async () => {
  const releases: (() => void)[] = []
  fake.answerRevoke = (request) =>
    seqOf(request) === 1
      ? new Promise((resolve) => releases.push(() => resolve({ kind: 'requested' })))
      : { kind: 'requested' }
  const campaignId = await own.start({ total: 4 })
  await sendFirst(campaignId, 4)
  // After it was queued, and before the provider is asked.
  await own.query(`update lanes set lease_until = now() + interval '1 minute', epoch = epoch + 1, owner = 'test' where sender_id = $1`, [first]) // prettier-ignore
  await own.passTime(campaignId, [0, 1, 2, 3])
  await own.report(campaignId, 1, [{ seq: 0, status: 'delivered' }])
  await own.query(`update lanes set lease_until = now() where sender_id = $1`, [first])
  await until(() => releases.length === 1, 'the requests')
  // Between request and response.
  await own.report(campaignId, 1, [{ seq: 1, status: 'delivered' }])
  for (const release of releases) release()
  const isAnswered = async () =>
    (await own.query(`select from revocations where campaign_id = $1 and outcome = 'given_up'`, [campaignId]))
      .length === 3
  await until(isAnswered, 'the responses')
  // In the grace period.
  await own.report(campaignId, 1, [{ seq: 2, status: 'delivered' }])
  await settleAll(campaignId)
  await until(has(campaignId, '3.2', 'sent'), 'the second leg')
  // After the second message.
  await own.report(campaignId, 2, [{ seq: 3, status: 'delivered' }])
  await own.report(campaignId, 1, [{ seq: 3, status: 'delivered' }])

  expect(revokedSeqs()).toEqual([1, 2, 3])
  expect(await own.statusesOf(campaignId)).toEqual({
    '0.1': 'delivered',
    '1.1': 'delivered',
    '2.1': 'delivered',
    '3.1': 'delivered',
    '3.2': 'delivered',
  })
  expect(await failoversOf(opened, manager, campaignId)).toMatchObject({ entered: 1, delivered: 1, both: 1 })
  await expectCounted(campaignId)
  expect(await spent()).toBe(5 * price)
})

test('a recipient who is reached before the second message is handed over does not get it', async () => {
  const campaignId = await own.start({ total: 3 })
  await sendFirst(campaignId, 3)
  await opened.database.ownerPool.query('update senders set is_active = false where id = $1', [own.second])
  await own.passTime(campaignId, [0, 1, 2])
  await until(() => fake.revoked.length === 3, 'the requests')
  await settleAll(campaignId)
  expect(await failoversOf(opened, manager, campaignId)).toMatchObject({ entered: 3 })
  await own.report(campaignId, 1, [
    { seq: 0, status: 'delivered' },
    { seq: 2, status: 'read' },
  ])
  await opened.database.ownerPool.query('update senders set is_active = true where id = $1', [own.second])
  await until(has(campaignId, '1.2', 'sent'), 'the second leg')
  await until(async () => {
    await own.passTime(campaignId, [])
    return isCompleted(opened.database, campaignId)
  }, 'completion')
  expect(await own.statusesOf(campaignId)).toEqual({
    '0.1': 'delivered',
    '1.1': 'failed revoked',
    '1.2': 'sent',
    '2.1': 'read',
  })
  expect(await failoversOf(opened, manager, campaignId)).toMatchObject({
    entered: 1,
    outranked: { failed: 1 },
    twice: 1,
    sent: 1,
    both: 0,
  })
})

test('a retry of the second message is not sent to a recipient who was reached meanwhile', async () => {
  fake.answer = (message) =>
    message.from === 'ACMEIN'
      ? accept(message)
      : { kind: 'retry', afterMs: 3_600_000, reason: 'operator_rejected', code: 'busy', detail: '', throttled: false }
  const campaignId = await own.start({ total: 2 })
  await sendFirst(campaignId, 2)
  await own.passTime(campaignId, [0, 1])
  await until(() => fake.revoked.length === 2, 'the requests')
  await settleAll(campaignId)
  const retries = () => own.query('select from retries where campaign_id = $1 and not is_entry', [campaignId])
  await until(async () => (await retries()).length === 2, 'the refused messages')
  await own.report(campaignId, 1, [{ seq: 0, status: 'delivered' }])
  fake.answer = accept
  await own.query('update retries set due_at = now() where campaign_id = $1', [campaignId])
  await until(has(campaignId, '1.2', 'sent'), 'the retry')
  await until(async () => (await retries()).length === 0, 'the end of the other')
  expect(await own.statusesOf(campaignId)).toEqual({ '0.1': 'delivered', '1.1': 'failed revoked', '1.2': 'sent' })
  expect(await failoversOf(opened, manager, campaignId)).toMatchObject({ entered: 1, outranked: { failed: 1 } })
})

test('where the next leg waits for the message to be read, delivered messages are not revoked', async () => {
  fake.answerRevoke = (request) => (seqOf(request) === 2 ? { kind: 'not_found' } : { kind: 'requested' })
  const campaignId = await own.start({ total: 4, unless: 'read' })
  await sendFirst(campaignId, 4)
  await own.report(campaignId, 1, [
    { seq: 0, status: 'read' },
    { seq: 1, status: 'delivered' },
  ])
  await own.passTime(campaignId, [0, 1, 2, 3])
  await until(() => fake.revoked.length === 2, 'the requests')
  await settleAll(campaignId)
  await until(async () => Object.keys(await own.statusesOf(campaignId)).length === 7, 'the second leg')
  expect(revokedSeqs()).toEqual([2, 3])
  expect(await own.statusesOf(campaignId)).toMatchObject({
    '0.1': 'read',
    '1.1': 'delivered',
    '1.2': 'sent',
    '2.1': 'sent',
    '2.2': 'sent',
    '3.1': 'failed revoked',
    '3.2': 'sent',
  })
})

test('an owner that ends after asking loses nothing: the next one asks again, and a 404 then proves nothing', async () => {
  fake.answerRevoke = () => ({ kind: 'not_found' })
  const campaignId = await own.start({ total: 2 })
  await sendFirst(campaignId, 2)
  await Promise.all(senders.splice(0).map((sender) => sender.stop()))
  await own.passTime(campaignId, [0, 1])
  // Of the first the previous owner had asked, and not recorded the response.
  await own.query(`update revocations set submitting_epoch = 0 where campaign_id = $1 and seq = 0`, [campaignId])
  await startSender()
  await until(() => fake.revoked.length === 2, 'the requests')
  await settleAll(campaignId)
  await until(has(campaignId, '0.2', 'sent'), 'the second leg')
  expect(await own.statusesOf(campaignId)).toEqual({ '0.1': 'failed revoked', '0.2': 'sent', '1.1': 'sent' })
})

test('of two owners only the one that holds the lane records a response', async () => {
  let release = () => {}
  const stuck = new Promise<RevokeOutcome>((resolve) => (release = () => resolve({ kind: 'not_found' })))
  fake.answerRevoke = () => stuck
  const campaignId = await own.start({ total: 3 })
  await sendFirst(campaignId, 3)
  await own.passTime(campaignId, [0, 1, 2])
  await until(() => fake.revoked.length === 3, 'the requests of the first owner')
  await own.query(
    `update lanes set owner = 'someone else', epoch = epoch + 1, lease_until = now() - interval '1 second' where sender_id = $1`,
    [first],
  )
  fake.answerRevoke = () => ({ kind: 'requested' })
  await startSender()
  await until(() => fake.revoked.length === 6, 'the requests of the second owner')
  release()
  const outcomes = () => own.query('select outcome, code from revocations where campaign_id = $1', [campaignId])
  const expected = Array.from({ length: 3 }, () => ({ outcome: 'given_up', code: 'revoked' }))
  await until(async () => JSON.stringify(await outcomes()) === JSON.stringify(expected), 'the responses')
  await settleAll(campaignId)
  await until(async () => Object.keys(await own.statusesOf(campaignId)).length === 6, 'the second leg')
  expect(handedOver(fake, campaignId)).toHaveLength(6)
})

test('a recipient is reached although no process can send the revocation', async () => {
  const campaignId = await own.start({ total: 1 })
  await sendFirst(campaignId, 1)
  await opened.database.ownerPool.query('update senders set is_active = false where id = $1', [first])
  const lane = () => own.query('select from lanes where sender_id = $1 and owner is null', [first])
  await until(async () => (await lane()).length === 1, 'the end of the lane')
  await own.passTime(campaignId, [0])
  await settleRevocations(opened.database.systemPool)
  expect(await own.statusesOf(campaignId)).toEqual({ '0.1': 'sent' })
  await own.query(`update revocations set due_at = now() - interval '16 minutes' where campaign_id = $1`, [campaignId])
  await settleRevocations(opened.database.systemPool)
  await until(has(campaignId, '0.2', 'sent'), 'the second leg')
  expect(fake.revoked).toEqual([])
})

test('a pause revokes nothing, and the end of a campaign deletes pending revocations', async () => {
  const campaignId = await own.start({ total: 2 })
  await sendFirst(campaignId, 2)
  await own.query(`update campaigns set status = 'paused' where id = $1`, [campaignId])
  await own.passTime(campaignId, [0, 1])
  expect(await own.query('select from revocations where campaign_id = $1', [campaignId])).toEqual([])
  await own.query(`update campaigns set status = 'running' where id = $1`, [campaignId])
  await opened.database.ownerPool.query('update senders set is_active = false where id = $1', [first])
  const lane = () => own.query('select from lanes where sender_id = $1 and owner is null', [first])
  await until(async () => (await lane()).length === 1, 'the end of the lane')
  await own.passTime(campaignId, [0, 1])
  expect(await own.query('select from revocations where campaign_id = $1', [campaignId])).toHaveLength(2)
  await own.query('update campaigns set expires_at = now() where id = $1', [campaignId])
  await expireCampaigns(opened.database.systemPool)
  await until(() => isCompleted(opened.database, campaignId), 'completion')
  expect(await own.query('select from revocations where campaign_id = $1', [campaignId])).toEqual([])
  expect(fake.revoked).toEqual([])
})
