import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DeliveryReport, InboundMessage, ProviderEvent } from '../../../channels/provider.ts'
import { asSystem } from '../../../db/pool.ts'
import { buildManager, type Account } from '../../../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../../../testing/database.ts'
import { checkInvariants } from '../../balance/index.ts'
import { applyProviderEvents } from './apply-provider-events.ts'
import { joinEarlyReports } from './early-reports.ts'
import { chargeOf, merge, type Evidence } from './evidence.ts'
import { foldCounters } from '../housekeeping/fold-counters.ts'
import { confirmNothing } from '../housekeeping/housekeeping.ts'
import { formatReference } from '../reference.ts'
import { listResponses } from '../reads/responses.ts'
import { buildCampaign, buildSender, phoneOf } from '../test-lane.ts'

let opened: TestDatabase
let manager: Account
let senderId: string

beforeAll(async () => {
  opened = await testDatabase()
  manager = await buildManager(opened.database)
  senderId = await buildSender(opened.database, manager)
})

afterAll(async () => {
  expect(await asSystem(opened.database, checkInvariants)).toEqual([])
  await opened.drop()
})

const begin = Date.parse('2026-03-01T10:00:00Z')

/** Every report that a provider may send for one message, contradictions included. */
const reportFacts: Pick<DeliveryReport, 'status' | 'at' | 'code' | 'reason'>[] = [
  { status: 'sent', at: new Date(begin) },
  { status: 'failed', at: new Date(begin + 5000), code: '5', reason: 'undelivered' },
  { status: 'failed', at: new Date(begin + 5000), code: '2', reason: 'expired' },
  { status: 'delivered', at: new Date(begin + 2000) },
  { status: 'delivered', at: new Date(begin + 9000) },
  { status: 'read', at: new Date(begin + 3000) },
]

function* permutations<Value>(values: readonly Value[]): Generator<Value[]> {
  if (values.length === 0) yield []
  for (const [index, value] of values.entries()) {
    for (const rest of permutations(values.toSpliced(index, 1))) yield [value, ...rest]
  }
}

function subsets<Value>(values: readonly Value[]): Value[][] {
  return values.reduce<Value[][]>((sets, value) => [...sets, ...sets.map((set) => [...set, value])], [[]])
}

function statusOf(reports: readonly (typeof reportFacts)[number][]): Evidence {
  return reports.reduce<Evidence>(
    (known, { status, at, code }) => merge(known, { status, at: at.getTime(), ...(code ? { code } : {}) }),
    { status: 'sent', at: 0 },
  )
}

test('status and charge follow from the set of reports: every order and repeat of up to six', () => {
  for (const set of subsets(reportFacts)) {
    const expected = statusOf(set)
    for (const order of permutations(set)) {
      const actual = statusOf([...order, ...order.slice(0, 2)])
      expect(actual).toEqual(expected)
      expect(chargeOf(actual.status, 1000, 'delivered')).toBe(chargeOf(expected.status, 1000, 'delivered'))
    }
  }
})

/** Messages that were handed over a moment ago, one part each, with the provider's ids `<prefix><seq>`. */
async function buildSent({
  count,
  prefix,
  billableOn = 'delivered',
  status = 'sent',
  daysAgo = 0,
}: {
  count: number
  prefix: string
  billableOn?: 'sent' | 'delivered'
  status?: string
  daysAgo?: number
}) {
  const { organizationId } = manager
  const campaignId = await buildCampaign(opened.database, {
    owner: manager,
    senderId,
    total: count,
    billableOn,
    status: 'paused',
  })
  const pool = opened.database.systemPool
  await pool.query(
    `insert into messages (organization_id, created_on, campaign_id, seq, leg, sender_id, phone, status, parts, price, billable_on, provider_message_id, sent_at, unknown_at)
    select $1, current_date - $9::int, $2, seq, 1, $3, $4::bigint + seq, $7::message_status, 1, 1000, $5, case when $7 = 'sent' then $6 || seq end,
      case when $7 = 'sent' then now() end, case when $7 = 'unknown' then now() - interval '1 hour' end
    from generate_series(0, $8::int - 1) seq`,
    [organizationId, campaignId, senderId, phoneOf(0), billableOn, prefix, status, count, daysAgo],
  )
  if (status === 'sent') {
    await pool.query(
      `select capture_hold($1, hold_id, $3, 'capture:' || id, '') from campaigns where organization_id = $1 and id = $2`,
      [organizationId, campaignId, count * 1000],
    )
  }
  await pool.query(
    `insert into counter_deltas (organization_id, campaign_id, leg, account_id, channel, submitted, sent, unknown, parts, cost)
    values ($1, $2, 1, $3, 'sms', $4, $4, $5, $4, $4::int * 1000)`,
    [organizationId, campaignId, manager.id, status === 'sent' ? count : 0, status === 'unknown' ? count : 0],
  )
  return campaignId
}

type Row = { seq: number; status: string; code: string | null; delivered_at: Date | null; cost: number }

async function messagesOf(campaignId: string): Promise<Row[]> {
  const { rows } = await opened.database.systemPool.query<Row>(
    `select seq, status, code, delivered_at, charge_of(status, price, billable_on) as cost from messages where campaign_id = $1 order by seq`,
    [campaignId],
  )
  return rows
}

async function assertCounted(campaignId: string) {
  const pool = opened.database.systemPool
  await foldCounters(pool)
  const { rows } = await pool.query(
    `select sent, delivered, read, failed, unknown, unconfirmed, (cost - refunded)::int as net from counters where campaign_id = $1`,
    [campaignId],
  )
  const { rows: counted } = await pool.query(
    `select count(*) filter (where status = 'sent')::int as sent, count(*) filter (where status = 'delivered')::int as delivered,
      count(*) filter (where status = 'read')::int as read, count(*) filter (where status = 'failed')::int as failed,
      count(*) filter (where status = 'unknown')::int as unknown, count(*) filter (where status = 'unconfirmed')::int as unconfirmed,
      sum(charge_of(status, price, billable_on))::int as net
    from messages where campaign_id = $1`,
    [campaignId],
  )
  expect(rows).toEqual(counted)
  expect(await asSystem(opened.database, checkInvariants)).toEqual([])
}

const reportOf = (id: string, facts: (typeof reportFacts)[number]): ProviderEvent => ({
  kind: 'delivery-report',
  providerMessageIds: [id],
  ...facts,
  raw: 'raw words',
})

const apply = (events: ProviderEvent[]) =>
  applyProviderEvents(opened.database.systemPool, { organizationId: manager.organizationId, senderId }, events)

test('through the database: any order, any batches, any repeats end the same, and so does the money', async () => {
  let round = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(reportFacts.length - 1), fc.nat(3)), { minLength: 1, maxLength: 14 }),
      fc.integer({ min: 1, max: 6 }),
      fc.infiniteStream(fc.nat(1000)),
      async (picks, batch, random) => {
        const prefix = `perm${(round += 1)}-`
        const campaignId = await buildSent({ count: 8, prefix })
        const picked = picks.map(([index, message]) => ({
          message,
          facts: reportFacts[index] ?? (reportFacts[0] as (typeof reportFacts)[number]),
        }))
        // Messages 0 to 3 get the reports in this order, 4 to 7 in another.
        const shuffled = picked
          .map((value) => ({ value, place: random.next().value as number }))
          .sort((one, other) => one.place - other.place)
        const events = [
          ...picked.map(({ message, facts }) => reportOf(`${prefix}${message}`, facts)),
          ...shuffled.map(({ value: { message, facts } }) => reportOf(`${prefix}${message + 4}`, facts)),
        ]
        for (let start = 0; start < events.length; start += batch) await apply(events.slice(start, start + batch))
        const rows = await messagesOf(campaignId)
        for (let message = 0; message < 4; message += 1) {
          const expected = statusOf(picked.filter((one) => one.message === message).map(({ facts }) => facts))
          expect(rows[message]).toMatchObject({ status: expected.status })
          expect({ ...rows[message + 4], seq: message }).toEqual(rows[message])
        }
        await assertCounted(campaignId)
      },
    ),
    { numRuns: 30 },
  )
})

test('parallel batches over the same messages count exactly', async () => {
  const campaignId = await buildSent({ count: 100, prefix: 'race-' })
  const events = Array.from({ length: 600 }, (_, index) =>
    reportOf(`race-${(index * 37) % 100}`, reportFacts[index % reportFacts.length] as (typeof reportFacts)[number]),
  )
  await Promise.all(Array.from({ length: 6 }, (_, part) => apply(events.filter((_, index) => index % 6 === part))))
  await assertCounted(campaignId)
  expect((await messagesOf(campaignId)).every(({ status }) => status !== 'sent')).toBe(true)
})

test('an id that was assigned twice means the newer message, whatever the older one still waits for', async () => {
  const older = await buildSent({ count: 2, prefix: 'twice-' })
  const younger = await buildSent({ count: 2, prefix: 'twice-' })
  const delivered = reportOf('twice-0', { status: 'delivered', at: new Date() })
  await apply([delivered])
  await apply([delivered, reportOf('twice-1', { status: 'sent', at: new Date() })])
  expect(await messagesOf(older)).toMatchObject([{ status: 'sent' }, { status: 'sent' }])
  expect(await messagesOf(younger)).toMatchObject([{ status: 'delivered' }, { status: 'sent' }])
  await assertCounted(older)
  await assertCounted(younger)
})

test('an id may be in another base; the reference matches a message whose response was lost', async () => {
  const campaignId = await buildSent({ count: 2, prefix: 'base-' })
  await apply([
    {
      kind: 'delivery-report',
      providerMessageIds: ['62617365', 'base-0'],
      status: 'delivered',
      at: new Date(begin),
      raw: '',
    },
  ])
  expect(await messagesOf(campaignId)).toMatchObject([{ status: 'delivered' }, { status: 'sent' }])
  const lost = await buildSent({ count: 2, prefix: '', status: 'unknown' })
  const reference = formatReference({ campaignId: lost, leg: 1, seq: 1 })
  await apply([
    { kind: 'delivery-report', providerMessageIds: [], reference, status: 'delivered', at: new Date(begin), raw: '' },
  ])
  expect(await messagesOf(lost)).toMatchObject([
    { status: 'unknown', cost: 0 },
    { status: 'delivered', cost: 1000 },
  ])
  await assertCounted(lost)
})

test('a lost response without a report becomes unconfirmed, and a late report still counts', async () => {
  const campaignId = await buildSent({ count: 2, prefix: '', status: 'unknown' })
  await confirmNothing(opened.database.systemPool)
  expect(await messagesOf(campaignId)).toMatchObject([{ status: 'unconfirmed' }, { status: 'unconfirmed' }])
  const reference = formatReference({ campaignId, leg: 1, seq: 0 })
  await apply([
    { kind: 'delivery-report', providerMessageIds: [], reference, status: 'failed', at: new Date(begin), raw: '' },
  ])
  expect(await messagesOf(campaignId)).toMatchObject([{ status: 'failed', cost: 0 }, { status: 'unconfirmed' }])
  await assertCounted(campaignId)
})

test('the raw text of every event is kept, repeats included', async () => {
  await buildSent({ count: 1, prefix: 'raw-' })
  const event = {
    ...reportOf('raw-0', reportFacts[3] as (typeof reportFacts)[number]),
    raw: 'id:raw-0 stat:"DELIVRD", \\ done',
  }
  await apply([event, event])
  const { rows } = await opened.database.systemPool.query(
    `select kind, raws from provider_events where raws::text like '%raw-0%'`,
  )
  expect(rows).toEqual([{ kind: 'delivery-report', raws: [event.raw, event.raw] }])
})

test('a message is never reported delivered before it was sent', async () => {
  const campaignId = await buildSent({ count: 2, prefix: 'minute-' })
  await apply([
    reportOf('minute-0', { status: 'delivered', at: new Date(begin) }),
    reportOf('minute-1', { status: 'failed', at: new Date(begin), reason: 'undelivered' }),
  ])
  const { organizationId } = manager
  const { responses } = await asSystem(opened.database, (db) =>
    listResponses(db, { organizationId, campaignId, page: 1, limit: 10 }),
  )
  expect(responses[0]?.deliveredAt).toBe(responses[0]?.sentAt)
  expect(responses[1]?.failedAt).toBe(responses[1]?.sentAt)
})

test('a report that comes before its message waits for it', async () => {
  await apply([
    reportOf('early-0', reportFacts[3] as (typeof reportFacts)[number]),
    reportOf('early-0', reportFacts[0] as (typeof reportFacts)[number]),
  ])
  const campaignId = await buildSent({ count: 1, prefix: 'early-' })
  await joinEarlyReports(opened.database.systemPool, { since: '30 seconds' })
  expect(await messagesOf(campaignId)).toMatchObject([{ status: 'delivered', delivered_at: new Date(begin + 2000) }])
  const { rows } = await opened.database.systemPool.query(
    `select from early_reports where provider_message_id = 'early-0'`,
  )
  expect(rows).toEqual([])
  await assertCounted(campaignId)
})

test('reports match their messages on whatever day their campaign was created', async () => {
  await opened.database.ownerPool.query('select ensure_partitions(current_date - 9, current_date)')
  const days = [5, 0, 1, 9]
  const campaigns = new Map<number, string>()
  for (const daysAgo of days) campaigns.set(daysAgo, await buildSent({ count: 4, prefix: `day${daysAgo}-`, daysAgo }))
  const facts = reportFacts[3] as (typeof reportFacts)[number]
  // Together, then one day alone and another after it: what is learned from one batch must not affect the next.
  await apply(days.map((day) => reportOf(`day${day}-0`, facts)))
  await apply([reportOf('day9-1', facts), reportOf('day9-2', facts)])
  await apply([reportOf('day0-1', facts), reportOf('day9-3', facts)])
  await apply([reportOf('day5-1', facts)])
  const delivered = async (daysAgo: number) =>
    (await messagesOf(campaigns.get(daysAgo) ?? '')).filter(({ status }) => status === 'delivered').length
  expect(await Promise.all(days.map(delivered))).toEqual([2, 2, 1, 4])
  for (const campaignId of campaigns.values()) await assertCounted(campaignId)
})

test('a long message is delivered when all its parts are, and failed when one is', async () => {
  const campaignId = await buildSent({ count: 2, prefix: 'unused-' })
  const pool = opened.database.systemPool
  await pool.query('update messages set provider_message_id = null, parts = 2 where campaign_id = $1', [campaignId])
  await pool.query(
    `insert into message_parts (organization_id, created_on, sender_id, provider_message_id, campaign_id, seq, leg, part)
    select $1, current_date, $2, 'part-' || seq || part, $3, seq, 1, part from generate_series(0, 1) seq, generate_series(0, 1) part`,
    [manager.organizationId, senderId, campaignId],
  )
  const delivered = reportFacts[3] as (typeof reportFacts)[number]
  await apply([reportOf('part-00', delivered)])
  expect(await messagesOf(campaignId)).toMatchObject([{ status: 'sent' }, { status: 'sent' }])
  await Promise.all([
    apply([reportOf('part-01', delivered)]),
    apply([reportOf('part-10', delivered)]),
    apply([reportOf('part-11', reportFacts[1] as (typeof reportFacts)[number])]),
  ])
  expect(await messagesOf(campaignId)).toMatchObject([{ status: 'delivered' }, { status: 'failed', code: '5' }])
})

test.each([
  ['STOP', true],
  [' stop. ', true],
  ['Unsubscribe', true],
  ['रोकें', true],
  ['बंद करें', true],
  ['please stop calling', false],
  ['ok', false],
])('"%s" opts out: %s', async (text, optsOut) => {
  const phone = phoneOf(Math.floor(Math.random() * 1e8))
  const inbound = (text: string): InboundMessage & { raw: string } => ({
    kind: 'inbound-message',
    from: String(phone),
    to: '56161',
    text,
    dedupeKey: `${phone}${text}`,
    at: new Date(),
    raw: text,
  })
  const { inbound: stored } = await apply([inbound(text)])
  expect(stored).toHaveLength(1)
  expect((await apply([inbound(text)])).inbound).toEqual([])
  const listed = async () =>
    (
      await opened.database.systemPool.query('select from opt_outs where organization_id = $1 and phone = $2', [
        manager.organizationId,
        phone,
      ])
    ).rowCount
  expect(await listed()).toBe(optsOut ? 1 : 0)
  await apply([inbound('शुरू')])
  expect(await listed()).toBe(0)
})
