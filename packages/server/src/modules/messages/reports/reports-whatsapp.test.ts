import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DeliveryReport, ProviderEvent } from '../../../channels/provider.ts'
import { readStatus } from '../../../channels/whatsapp/cloud-api/webhook-status.ts'
import { asSystem } from '../../../db/pool.ts'
import { buildManager, type Account } from '../../../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../../../testing/database.ts'
import { checkInvariants } from '../../balance/index.ts'
import { applyProviderEvents } from './apply-provider-events.ts'
import { joinEarlyReports } from './early-reports.ts'
import { foldCounters } from '../housekeeping/fold-counters.ts'
import { formatReference } from '../reference.ts'
import { buildCampaign, buildSender, phoneOf } from '../test-lane.ts'

let opened: TestDatabase
let manager: Account
let senderId: string

beforeAll(async () => {
  opened = await testDatabase()
  manager = await buildManager(opened.database)
  senderId = await buildSender(opened.database, manager)
})
afterAll(() => opened.drop())

const begin = 1_772_359_200

/** Meta sends the price with any status: usually with the first, with none, or with another that arrived earlier. */
const regular = { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' }
const free = { billable: false, pricing_model: 'PMP', type: 'free_customer_service', category: 'utility' }

/** Every status that Meta may send for one message, including a failure after the delivery and a delivery after the reading. */
const statuses: Record<string, unknown>[] = [
  { status: 'sent', timestamp: begin + 1, pricing: regular },
  { status: 'delivered', timestamp: begin + 2 },
  { status: 'read', timestamp: begin + 9, pricing: free },
  { status: 'read', timestamp: begin + 3 },
  { status: 'failed', timestamp: begin + 5, pricing: regular, errors: [{ code: 131026, title: 'Undeliverable' }] },
  { status: 'failed', timestamp: begin + 4, errors: [{ code: 131049, title: 'Enough for now' }] },
]

/** The expected result: it depends on the set of statuses, never on their order. */
function model(applied: readonly number[]) {
  const has = (...wanted: number[]) => wanted.some((index) => applied.includes(index))
  const status = has(2, 3) ? 'read' : has(1) ? 'delivered' : has(4, 5) ? 'failed' : 'sent'
  const at = (instants: [index: number, seconds: number][]) => {
    const times = instants.filter(([index]) => applied.includes(index)).map(([, seconds]) => begin + seconds)
    return times.length === 0 ? null : Math.min(...times)
  }
  const failedAt = at([[4, 5], [5, 4]]) // prettier-ignore
  return {
    status,
    deliveredAt: at([[1, 2]]),
    readAt: at([[2, 9], [3, 3]]), // prettier-ignore
    failedAt,
    code: failedAt === null ? null : applied.includes(5) ? '131049' : '131026',
    cost: status === 'failed' ? 0 : 1000,
  }
}

function* permutations<Value>(values: readonly Value[]): Generator<Value[]> {
  if (values.length === 0) yield []
  for (const [index, value] of values.entries()) {
    for (const rest of permutations(values.toSpliced(index, 1))) yield [value, ...rest]
  }
}

const subsets = (count: number): number[][] =>
  Array.from({ length: 2 ** count }, (_, bits) =>
    Array.from({ length: count }, (_, index) => index).filter((index) => bits & (2 ** index)),
  )

/** Every order of every selection of the statuses: one message each. */
const orders = subsets(statuses.length).flatMap((set) => [...permutations(set)])

function readStatusAt(index: number, { id, reference }: { id: string; reference: string }): ProviderEvent[] {
  const row = { id, recipient_id: '919812345678', ...statuses[index], biz_opaque_callback_data: reference }
  return readStatus(row, { messaging_product: 'whatsapp' })
}

/** Messages that Meta accepted, with the ids `<prefix><seq>`; or whose responses were lost. */
async function buildSent(count: number, { prefix, status }: { prefix: string; status: 'sent' | 'unknown' }) {
  const campaignId = await buildCampaign(opened.database, { owner: manager, senderId, total: count, status: 'paused' })
  const pool = opened.database.systemPool
  await insertMessages(campaignId, { count, prefix, status })
  const isSent = status === 'sent'
  if (isSent)
    await pool.query(
      `select capture_hold($1, hold_id, $3, 'capture:' || id, '') from campaigns where organization_id = $1 and id = $2`,
      [manager.organizationId, campaignId, count * 1000],
    )
  await pool.query(
    `insert into counter_deltas (organization_id, campaign_id, leg, account_id, channel, submitted, sent, unknown, parts, cost)
    values ($1, $2, 1, $3, 'sms', $4, $4, $5, $4, $4::int * 1000)`,
    [manager.organizationId, campaignId, manager.id, isSent ? count : 0, isSent ? 0 : count],
  )
  return campaignId
}

async function insertMessages(
  campaignId: string,
  { count, prefix, status }: { count: number; prefix: string; status: 'sent' | 'unknown' },
) {
  await opened.database.systemPool.query(
    `insert into messages (organization_id, created_on, campaign_id, seq, leg, sender_id, phone, status, parts, price, billable_on, provider_message_id, sent_at, unknown_at)
    select $1, current_date, $2, seq, 1, $3, $4::bigint + seq, $5::message_status, 1, 1000, 'delivered', case when $5 = 'sent' then $6 || seq end,
      case when $5 = 'sent' then now() end, case when $5 = 'unknown' then now() end
    from generate_series(0, $7::int - 1) seq`,
    [manager.organizationId, campaignId, senderId, phoneOf(0), status, prefix, count],
  )
}

async function endsOf(campaignId: string) {
  const { rows } = await opened.database.systemPool.query(
    `select status, extract(epoch from delivered_at)::int as "deliveredAt", extract(epoch from read_at)::int as "readAt",
      extract(epoch from failed_at)::int as "failedAt", code, charge_of(status, price, billable_on) as cost
    from messages where campaign_id = $1 order by seq`,
    [campaignId],
  )
  return rows
}

async function assertCounted(campaignId: string, ends: readonly { status: string; cost: number }[]) {
  await foldCounters(opened.database.systemPool)
  const { rows } = await opened.database.systemPool.query(
    'select sent, delivered, read, failed, unknown, (cost - refunded)::int as net from counters where campaign_id = $1',
    [campaignId],
  )
  const count = (wanted: string) => ends.filter(({ status }) => status === wanted).length
  const numbers = ['sent', 'delivered', 'read', 'failed', 'unknown'].map((status) => [status, count(status)])
  expect(rows).toEqual([{ ...Object.fromEntries(numbers), net: ends.reduce((sum, { cost }) => sum + cost, 0) }])
  expect(await asSystem(opened.database, checkInvariants)).toEqual([])
}

const apply = (events: ProviderEvent[]) =>
  applyProviderEvents(opened.database.systemPool, { organizationId: manager.organizationId, senderId }, events)

/** The first status of every message, then the second of every message, and so on; each arrives twice. */
async function applyAll(campaignId: string, prefix: string) {
  for (let step = 0; step < statuses.length; step += 1) {
    const events = orders.flatMap((order, seq) => {
      const reference = formatReference({ campaignId, leg: 1, seq })
      const index = order[step]
      return index === undefined ? [] : readStatusAt(index, { id: `${prefix}${seq}`, reference })
    })
    await apply([...events, ...events.slice(0, 100)])
    await apply(events.toReversed())
  }
}

test("every order and repeat of Meta's statuses of a message ends the same, and so does the money", async () => {
  expect(orders).toHaveLength(1957)
  const campaignId = await buildSent(orders.length, { prefix: 'wamid.', status: 'sent' })
  await applyAll(campaignId, 'wamid.')
  const ends = await endsOf(campaignId)
  expect(ends).toEqual(orders.map(model))
  await assertCounted(campaignId, ends)
})

test('the same after a lost response: the reference identifies the message', async () => {
  const campaignId = await buildSent(orders.length, { prefix: '', status: 'unknown' })
  await applyAll(campaignId, 'wamid.lost')
  const ends = await endsOf(campaignId)
  const nothing = { ...model([]), status: 'unknown', cost: 0 }
  expect(ends).toEqual(orders.map((order) => (order.length === 0 ? nothing : model(order))))
  await assertCounted(campaignId, ends)
})

test.each([
  { status: 'sent', prefix: 'wamid.early' },
  // The sender died before recording the response: the next owner of its lane records the message long after Meta's statuses.
  { status: 'unknown', prefix: '' },
] as const)('statuses that come before the message is recorded as $status wait for it', async ({ status, prefix }) => {
  const campaignId = await buildSent(0, { prefix, status })
  await applyAll(campaignId, prefix || 'wamid.dead')
  await insertMessages(campaignId, { count: orders.length, prefix, status })
  await joinEarlyReports(opened.database.systemPool, { since: '30 seconds' })
  await joinEarlyReports(opened.database.systemPool, { since: '30 seconds' })
  const expected = orders.map(model)
  if (status === 'unknown') expected[0] = { ...model([]), status, cost: 0 }
  expect(await endsOf(campaignId)).toEqual(expected)
})

test('through batches of any size, in any order', async () => {
  let round = 0
  const times = fc.array(fc.tuple(fc.nat(statuses.length - 1), fc.nat(3)), { minLength: 1, maxLength: 16 })
  await fc.assert(
    fc.asyncProperty(times, fc.integer({ min: 1, max: 6 }), async (picks, batch) => {
      const prefix = `wamid.batch${(round += 1)}-`
      const campaignId = await buildSent(4, { prefix, status: 'sent' })
      const events = picks.flatMap(([index, seq]) =>
        readStatusAt(index, { id: `${prefix}${seq}`, reference: formatReference({ campaignId, leg: 1, seq }) }),
      )
      for (let start = 0; start < events.length; start += batch) await apply(events.slice(start, start + batch))
      const ends = await endsOf(campaignId)
      const appliedTo = (seq: number) => picks.filter((pick) => pick[1] === seq).map(([index]) => index)
      expect(ends).toEqual([0, 1, 2, 3].map((seq) => model(appliedTo(seq))))
      await assertCounted(campaignId, ends)
    }),
    { numRuns: 25 },
  )
})

test('the price in a status changes no status', () => {
  const report = (index: Record<string, unknown>) => {
    const [event] = readStatus({ id: 'wamid.1', ...index }, {})
    const { raw: _raw, ...rest } = event as DeliveryReport & { raw: string }
    return rest
  }
  for (const { pricing: _pricing, ...bare } of statuses) {
    for (const pricing of [regular, free, null, {}, 'strange'])
      expect(report({ ...bare, pricing })).toEqual(report(bare))
  }
})
