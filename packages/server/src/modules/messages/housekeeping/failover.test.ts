import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { SendOutcome } from '../../../channels/provider.ts'
import { asSystem } from '../../../db/pool.ts'
import type { Account } from '../../../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../../../testing/database.ts'
import { until } from '../../../testing/until.ts'
import { checkInvariants } from '../../balance/index.ts'
import { applyProviderEvents } from '../reports/apply-provider-events.ts'
import { failoverNumbers } from '../reads/failover-numbers.ts'
import { foldCounters } from './fold-counters.ts'
import { listResponses } from '../reads/responses.ts'
import type { Sender } from '../engine/sender.ts'
import {
  buildCampaign,
  buildLane,
  buildSender,
  type FakeProvider,
  isCompleted,
  phoneOf,
  startTestSender,
} from '../test-lane.ts'
import { settleStopped } from './complete-finished.ts'
import { watchLegs } from './watch-legs.ts'
import { findMismatches } from '../test-proof.ts'

let opened: TestDatabase
let manager: Account
let first: string
let second: string
let fake: FakeProvider
let sender: Sender

beforeAll(async () => {
  opened = await testDatabase()
})
afterAll(async () => {
  expect(await findMismatches(opened.database)).toEqual([])
  await opened.drop()
})

beforeEach(async () => {
  ;({ manager, senderId: first, fake } = await buildLane(opened.database))
  second = await buildSender(opened.database, manager)
})

type Terms = { reasons: string[]; afterSeconds?: number; unless?: 'delivered' | 'read' }

/** A campaign whose second leg is for recipients not reached by the first. */
async function buildTwoLegs(total: number, { reasons, afterSeconds, unless = 'delivered' }: Terms): Promise<string> {
  const campaignId = await buildCampaign(opened.database, { owner: manager, senderId: first, total, status: 'paused' })
  await opened.database.ownerPool.query(
    `insert into campaign_legs (organization_id, campaign_id, leg, channel, sender_id, content, price, billable_on,
      enter_reasons, enter_after_seconds, enter_unless)
    select organization_id, campaign_id, 2, 'sms', $3, content || '{"header":"BACKUP"}', 0, billable_on, $4, $5, $6
    from campaign_legs where organization_id = $1 and campaign_id = $2`,
    [manager.organizationId, campaignId, second, reasons, afterSeconds ?? null, unless],
  )
  await setStatus(campaignId, 'queued')
  return campaignId
}

async function setStatus(campaignId: string, status: 'queued' | 'paused') {
  await opened.database.ownerPool.query('update campaigns set status = $2 where id = $1', [campaignId, status])
}

/** Numbers by the leg whose header they came from. */
const reached = (header: string) =>
  fake.handedOver.filter(({ from }) => from === header).map(({ to }) => Number(to.slice(1)) - phoneOf(0))

async function countResults(campaignId: string): Promise<Record<string, number>> {
  const { rows } = await opened.database.systemPool.query<{ leg: number; status: string; count: number }>(
    'select leg, status, count(*)::int from messages where campaign_id = $1 group by 1, 2 order by 1, 2',
    [campaignId],
  )
  return Object.fromEntries(rows.map(({ leg, status, count }) => [`${leg} ${status}`, count]))
}

async function report(campaignId: string, seqs: number[], status: 'delivered' | 'failed') {
  await applyProviderEvents(
    opened.database.systemPool,
    { organizationId: manager.organizationId, senderId: first },
    seqs.map((seq) => ({
      kind: 'delivery-report',
      providerMessageIds: [`p-${referenceOf(seq)}`],
      status,
      at: new Date(),
      ...(status === 'failed' ? { reason: 'number_unreachable' as const, code: '131026' } : {}),
      raw: `${campaignId} ${seq} ${status}`,
    })),
  )
}

const referenceOf = (seq: number) =>
  fake.handedOver.find(({ from, to }) => from === 'ACMEIN' && Number(to.slice(1)) === phoneOf(seq))?.reference ?? ''

async function hasEnded(campaignId: string): Promise<boolean> {
  await watchLegs(opened.database.systemPool)
  return isCompleted(opened.database, campaignId)
}

/** Moves times back, as if the campaign's wait had passed. */
async function passTime(campaignId: string) {
  await opened.database.ownerPool.query(
    `update leg_watches set due_at = now() - interval '1 second', until = until - interval '2 days' where campaign_id = $1`,
    [campaignId],
  )
  await opened.database.ownerPool.query(
    `update messages set sent_at = sent_at - interval '1 hour', unknown_at = unknown_at - interval '1 hour' where campaign_id = $1 and leg = 1`,
    [campaignId],
  )
}

async function sendFirstLeg(total: number) {
  sender = await startTestSender(opened, { provider: fake })
  await until(async () => reached('ACMEIN').length === total, 'the first leg')
}

async function finish(campaignId: string) {
  await until(() => hasEnded(campaignId), 'completion')
  await sender.stop()
  await foldCounters(opened.database.systemPool)
  expect(await asSystem(opened.database, checkInvariants)).toEqual([])
  expect(await countPoints()).toEqual(await countMessages())
}

/** The counters of each sender over all campaigns so far. */
async function countPoints() {
  const { rows } = await opened.database.systemPool.query(`
    select sender_id, sum(sent)::int as sent, sum(delivered + read)::int as delivered, sum(failed)::int as failed,
      sum(unknown + unconfirmed)::int as unconfirmed
    from sender_points group by sender_id order by sender_id`)
  return rows
}

async function countMessages() {
  const { rows } = await opened.database.systemPool.query(`
    select sender_id, count(*) filter (where status = 'sent')::int as sent,
      count(*) filter (where status in ('delivered', 'read'))::int as delivered,
      count(*) filter (where status = 'failed')::int as failed,
      count(*) filter (where status in ('unknown', 'unconfirmed'))::int as unconfirmed
    from messages group by sender_id order by sender_id`)
  return rows
}

test('only recipients rejected at once or reported as not reached fail over, each once', async () => {
  const refused: SendOutcome = {
    kind: 'rejected',
    reason: 'number_unreachable',
    code: '1',
    detail: '',
    scope: 'message',
  }
  const other: SendOutcome = { kind: 'rejected', reason: 'content_blocked', code: '2', detail: '', scope: 'message' }
  fake.answer = ({ from, to, reference }) => {
    const seq = Number(to.slice(1)) - phoneOf(0)
    if (from === 'ACMEIN' && seq === 0) return refused
    if (from === 'ACMEIN' && seq === 1) return other
    return { kind: 'accepted', providerMessageIds: [`p-${reference}`] }
  }
  const campaignId = await buildTwoLegs(50, { reasons: ['number_unreachable'] })
  await sendFirstLeg(50)
  await until(async () => (await countResults(campaignId))['1 sent'] === 48, 'results')
  await report(campaignId, [5, 6], 'failed')
  // Repeats, also late and in reverse order: no recipient is messaged twice, and a late delivery stays counted.
  await report(campaignId, [6, 5], 'failed')
  await until(async () => reached('BACKUP').length === 3, 'the second leg')
  await report(campaignId, [5], 'delivered')
  await passTime(campaignId)
  await finish(campaignId)
  expect(reached('BACKUP').toSorted((one, next) => one - next)).toEqual([0, 5, 6])
  expect(await countResults(campaignId)).toEqual({ '1 delivered': 1, '1 failed': 3, '1 sent': 46, '2 sent': 3 })
  const key = { organizationId: manager.organizationId, campaignIds: [campaignId] }
  const numbers = await asSystem(opened.database, (db) => failoverNumbers(db, key))
  expect(numbers.get(campaignId)).toEqual({
    campaignId,
    entered: 3,
    // The late delivery counts, not the message after it.
    outranked: { failed: 2, sent: 1 },
    // Messages rejected at once were accepted by the second provider only.
    twice: 2,
    sent: 3,
    delivered: 0,
    both: 0,
    waiting: undefined,
  })
  const { responses } = await asSystem(opened.database, (db) =>
    listResponses(db, { organizationId: manager.organizationId, campaignId, page: 1, limit: 10 }),
  )
  // Each person once, with the message that was delivered, else the last.
  expect(responses.map(({ seq, status }) => `${seq} ${status}`)).toEqual([
    '0 sent',
    '1 failed',
    ...[2, 3, 4, 5, 6, 7, 8, 9].map((seq) => `${seq} ${seq === 5 ? 'delivered' : 'sent'}`),
  ])
})

test('a recipient not reached in time fails over; one that was reached, or has a report despite a lost response, does not', async () => {
  fake.answer = ({ from, to, reference }) =>
    from === 'ACMEIN' && Number(to.slice(1)) === phoneOf(7)
      ? { kind: 'unknown', code: 'timeout', detail: 'No answer' }
      : { kind: 'accepted', providerMessageIds: [`p-${reference}`] }
  const campaignId = await buildTwoLegs(20, { reasons: ['not_delivered_in_time'], afterSeconds: 600 })
  await sendFirstLeg(20)
  await until(async () => (await countResults(campaignId))['1 sent'] === 19, 'results')
  await report(campaignId, [0, 1, 2, 3, 4, 5], 'delivered')
  expect(await hasEnded(campaignId)).toBe(false)
  expect(reached('BACKUP')).toEqual([])
  await passTime(campaignId)
  await hasEnded(campaignId)
  await finish(campaignId)
  expect(reached('BACKUP').toSorted((one, next) => one - next)).toEqual([
    6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
  ])
})

test('no recipient of a paused campaign fails over until it resumes', async () => {
  const campaignId = await buildTwoLegs(10, {
    reasons: ['number_unreachable', 'not_delivered_in_time'],
    afterSeconds: 60,
  })
  await sendFirstLeg(10)
  await until(async () => (await countResults(campaignId))['1 sent'] === 10, 'results')
  await setStatus(campaignId, 'paused')
  await report(campaignId, [3], 'failed')
  await passTime(campaignId)
  await watchLegs(opened.database.systemPool)
  expect(reached('BACKUP')).toEqual([])
  await setStatus(campaignId, 'queued')
  await finish(campaignId)
  expect(reached('BACKUP')).toHaveLength(10)
})

test('no recipient of a finished campaign fails over', async () => {
  const campaignId = await buildTwoLegs(10, { reasons: ['number_unreachable'] })
  await sendFirstLeg(10)
  await until(async () => (await countResults(campaignId))['1 sent'] === 10, 'results')
  await passTime(campaignId)
  await until(() => hasEnded(campaignId), 'completion')
  await report(campaignId, [1, 2], 'failed')
  await finish(campaignId)
  expect(reached('BACKUP')).toEqual([])
  const { rows } = await opened.database.ownerPool.query('select from retries where campaign_id = $1', [campaignId])
  expect(rows).toEqual([])
})

test.each(['expires', 'is cancelled'])(
  'who got the first message stays delivered when the campaign %s before the next is sent',
  async (ends) => {
    const campaignId = await buildTwoLegs(6, { reasons: ['not_delivered_in_time'], afterSeconds: 60 })
    await sendFirstLeg(6)
    await until(async () => (await countResults(campaignId))['1 sent'] === 6, 'results')
    await opened.database.ownerPool.query('update senders set is_active = false where id = $1', [second])
    await passTime(campaignId)
    await watchLegs(opened.database.systemPool)
    await report(campaignId, [0, 1], 'delivered')
    const end =
      ends === 'expires'
        ? "expires_at = now() - interval '1 second'"
        : "status = 'cancelled', run_epoch = run_epoch + 1"
    await opened.database.ownerPool.query(`update campaigns set ${end} where id = $1`, [campaignId])
    if (ends === 'expires') await finish(campaignId)
    else await settleStopped(opened.database.systemPool)
    expect(reached('BACKUP')).toEqual([])
    const isExpired = ends === 'expires'
    expect(await countResults(campaignId)).toEqual({
      '1 delivered': 2,
      '1 sent': 4,
      ...(isExpired ? { '2 failed': 4 } : {}),
    })
    const key = { organizationId: manager.organizationId, campaignIds: [campaignId] }
    const numbers = await asSystem(opened.database, (db) => failoverNumbers(db, key))
    expect(numbers.get(campaignId)).toMatchObject({ entered: 4, outranked: { sent: 4 } })
    if (!isExpired) await sender.stop()
  },
)

test('two processes with the same chunk, and a report meanwhile, fail a person over once', async () => {
  const campaignId = await buildTwoLegs(200, {
    reasons: ['number_unreachable', 'not_delivered_in_time'],
    afterSeconds: 60,
  })
  await sendFirstLeg(200)
  await until(async () => (await countResults(campaignId))['1 sent'] === 200, 'results')
  await passTime(campaignId)
  await Promise.all([
    watchLegs(opened.database.systemPool),
    report(campaignId, [...Array(200).keys()], 'failed'),
    watchLegs(opened.database.systemPool),
    report(campaignId, [...Array(200).keys()].reverse(), 'failed'),
  ])
  await finish(campaignId)
  expect(reached('BACKUP').toSorted((one, next) => one - next)).toEqual([...Array(200).keys()])
})
