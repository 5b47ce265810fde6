import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { asSystem } from '../../../db/pool.ts'
import type { Account } from '../../../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../../../testing/database.ts'
import { until } from '../../../testing/until.ts'
import { checkInvariants } from '../../balance/index.ts'
import {
  accept,
  buildCampaign,
  buildLane,
  buildSender,
  isCompleted,
  phoneOf,
  startTestSender,
  type FakeProvider,
} from '../test-lane.ts'
import { findLaneWork } from './lanes.queries.ts'
import { planCampaign } from './plan-campaign.ts'
import type { Sender } from './sender.ts'

let opened: TestDatabase
let manager: Account
let first: string
let second: string
let fake: FakeProvider
let sender: Sender | undefined

beforeAll(async () => {
  opened = await testDatabase()
})

beforeEach(async () => {
  ;({ manager, senderId: first, fake } = await buildLane(opened.database))
  second = await buildSender(opened.database, manager)
})

afterEach(async () => {
  await sender?.stop()
  sender = undefined
})

afterAll(async () => {
  expect(await asSystem(opened.database, checkInvariants)).toEqual([])
  await opened.drop()
})

const query = async <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  (await opened.database.ownerPool.query<Row>(text, values)).rows

/** A second leg for failed recipients of the first. */
async function addLeg(campaignId: string, { header = 'BACKUP' } = {}) {
  await query(
    `insert into campaign_legs (organization_id, campaign_id, leg, channel, sender_id, content, price, billable_on, enter_reasons)
    select organization_id, campaign_id, 2, 'sms', $2, content || jsonb_build_object('header', $3::text), 0, billable_on, '{number_unreachable}'
    from campaign_legs where campaign_id = $1`,
    [campaignId, second, header],
  )
}

/** Recipients whose first message has failed and who wait for the second leg. */
async function enterSecondLeg(campaignId: string, total: number) {
  await query(`update chunks set done_at = now(), watermark = hi, recorded = hi where campaign_id = $1`, [campaignId])
  await query(
    `insert into messages (organization_id, created_on, campaign_id, seq, leg, sender_id, phone, status, parts, price, billable_on, attempt)
    select organization_id, created_on, id, seq, 1, $2, 0, 'failed', 1, 0, 'sent', 1
    from campaigns, generate_series(0, $3::int - 1) seq where id = $1`,
    [campaignId, first, total],
  )
  await query(
    `select enter_next_leg(organization_id, id, 1::smallint, array(select generate_series(0, $2::int - 1)),
      array_fill('number_unreachable'::text, array[$2::int]), array_fill('failed'::message_status, array[$2::int]),
      array_fill(false, array[$2::int])) from campaigns where id = $1`,
    [campaignId, total],
  )
}

/** For each message, in the order of sending: the leg's header and the position in the audience. */
const sent = () => fake.handedOver.map(({ from, to }) => ({ from, seq: Number(to.slice(1)) - phoneOf(0) }))

const build = (options: Partial<Parameters<typeof buildCampaign>[1]> = {}) =>
  buildCampaign(opened.database, { owner: manager, senderId: first, total: 100, ...options })

const finish = (campaignId: string) => until(() => isCompleted(opened.database, campaignId), 'the campaign to end')

test('thousands of recipients entering a leg share the lane with another campaign', async () => {
  const [large, small] = [
    await build({ total: 6000, status: 'paused' }),
    await build({ senderId: second, total: 300, chunkSize: 100, status: 'paused' }),
  ]
  await addLeg(large)
  await query(`update campaigns set status = 'queued' where id = any($1::uuid[])`, [[large, small]])
  await enterSecondLeg(large, 6000)
  sender = await startTestSender(opened, { provider: fake, chunksAtOnce: 1 })
  await finish(small)
  await finish(large)
  const order = sent()
  expect(order).toHaveLength(6300)
  expect(new Set(order.map(({ from, seq }) => `${from} ${seq}`)).size).toBe(6300)
  const lastOfSmall = order.findLastIndex(({ from }) => from === 'ACMEIN')
  const before = order.slice(0, lastOfSmall).filter(({ from }) => from === 'BACKUP')
  expect(before.length).toBeLessThanOrEqual(4000)
})

test('an entry below the watermark of its leg is sent in a later chunk', async () => {
  const campaignId = await build({ total: 50, chunkSize: 10, status: 'paused' })
  await addLeg(campaignId)
  await query(`update campaigns set status = 'queued' where id = $1`, [campaignId])
  fake.answer = (message) => {
    const seq = Number(message.to.slice(1)) - phoneOf(0)
    const fails = message.from === 'ACMEIN' && seq % 7 === 3
    return fails
      ? { kind: 'rejected', reason: 'number_unreachable', code: '27', detail: '', scope: 'message' }
      : accept(message)
  }
  sender = await startTestSender(opened, { provider: fake })
  await until(async () => sent().filter(({ from }) => from === 'BACKUP').length === 7, 'the second leg')
  await query(`update leg_watches set until = now(), due_at = now() where campaign_id = $1`, [campaignId])
  const backup = sent().flatMap(({ from, seq }) => (from === 'BACKUP' ? [seq] : []))
  expect(backup.toSorted((one, other) => one - other)).toEqual([3, 10, 17, 24, 31, 38, 45])
})

test('after a crash only the members of a chunk are unknown', async () => {
  const campaignId = await build({ total: 40, status: 'paused' })
  await addLeg(campaignId)
  await query(`update campaigns set status = 'queued' where id = $1`, [campaignId])
  await query(`update chunks set done_at = now(), watermark = hi, recorded = hi where campaign_id = $1`, [campaignId])
  await query('insert into lanes (organization_id, sender_id, epoch) values ($1, $2, 1) on conflict do nothing', [
    manager.organizationId,
    second,
  ])
  await query(
    `insert into chunks (organization_id, campaign_id, leg, chunk_no, sender_id, lo, hi, watermark, recorded, vtime, lane_epoch, members)
    values ($1, $2, 2, 0, $3, 3, 31, 18, 3, 1, 1, '{3,9,17,30}')`,
    [manager.organizationId, campaignId, second],
  )
  sender = await startTestSender(opened, { provider: fake })
  await finish(campaignId)
  expect(sent()).toEqual([{ from: 'BACKUP', seq: 30 }])
  expect(await query('select seq, status from messages where campaign_id = $1 order by seq', [campaignId])).toEqual([
    { seq: 3, status: 'unknown' },
    { seq: 9, status: 'unknown' },
    { seq: 17, status: 'unknown' },
    { seq: 30, status: 'sent' },
  ])
})

test('a leg for some recipients is planned and entered for those alone', async () => {
  const campaignId = await build({ total: 2500, status: 'paused' })
  await query('delete from chunks where campaign_id = $1', [campaignId])
  await query(
    `insert into campaign_legs (organization_id, campaign_id, leg, channel, sender_id, content, price, billable_on)
    select organization_id, campaign_id, 2, 'sms', $2, content || '{"header":"OTHERS"}', price, billable_on
    from campaign_legs where campaign_id = $1`,
    [campaignId, second],
  )
  // Even recipients to leg 1, odd ones to leg 2; bit 0 of a block is its first recipient.
  await query(
    `insert into leg_members (organization_id, campaign_id, leg, block, members)
    select $1, $2, leg, block, repeat(case leg when 1 then '10' else '01' end, 512)::bit(1024)
    from generate_series(1, 2) leg, generate_series(0, 2) block`,
    [manager.organizationId, campaignId],
  )
  await asSystem(opened.database, async (db) => {
    const plan = { organizationId: manager.organizationId, campaignId, lo: 0, hi: 2500, weight: 1, chunkSize: 400 }
    await planCampaign(db, { ...plan, leg: 1, senderId: first })
    await planCampaign(db, { ...plan, leg: 2, senderId: second })
  })
  await query(`update campaigns set status = 'queued' where id = $1`, [campaignId])
  sender = await startTestSender(opened, { provider: fake })
  await finish(campaignId)
  const order = sent()
  expect(order).toHaveLength(2500)
  expect(order.every(({ from, seq }) => from === (seq % 2 === 0 ? 'ACMEIN' : 'OTHERS'))).toBe(true)
  expect(new Set(order.map(({ seq }) => seq)).size).toBe(2500)
})

test('recipients enter only a leg that they are members of', async () => {
  const campaignId = await build({ total: 10, status: 'paused' })
  await addLeg(campaignId)
  await query(
    `insert into leg_members (organization_id, campaign_id, leg, block, members)
    values ($1, $2, 2, 0, rpad('0001000001', 1024, '0')::bit(1024))`,
    [manager.organizationId, campaignId],
  )
  await query(`update campaigns set status = 'queued' where id = $1`, [campaignId])
  await enterSecondLeg(campaignId, 10)
  expect(await query('select seq from leg_entries where campaign_id = $1 order by seq', [campaignId])).toEqual([
    { seq: 3 },
    { seq: 9 },
  ])
})

test('due messages of a paused campaign are no work for its lane', async () => {
  const campaignId = await build({ total: 10, status: 'paused' })
  await addLeg(campaignId)
  await query(`update campaigns set status = 'queued' where id = $1`, [campaignId])
  await enterSecondLeg(campaignId, 10)
  await query(
    `insert into lanes (organization_id, sender_id, owner, epoch) values ($1, $2, $3, 1)
    on conflict (organization_id, sender_id) do update set owner = $3`,
    [manager.organizationId, second, second],
  )
  const work = async () =>
    (await findLaneWork(opened.database.ownerPool, second)).map(({ hasRetries, hasChunks }) => ({
      hasRetries,
      hasChunks,
    }))
  expect(await work()).toEqual([{ hasRetries: false, hasChunks: true }])
  await query(`update retries set is_entry = false where campaign_id = $1`, [campaignId])
  expect(await work()).toEqual([{ hasRetries: true, hasChunks: false }])
  await query(`update campaigns set status = 'paused' where id = $1`, [campaignId])
  expect(await work()).toEqual([{ hasRetries: false, hasChunks: false }])
})
