import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DeliveryReport, IdReading, ProviderEvent } from '../../../channels/provider.ts'
import { asSystem } from '../../../db/pool.ts'
import { buildManager, type Account } from '../../../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../../../testing/database.ts'
import { checkInvariants } from '../../balance/index.ts'
import { applyProviderEvents } from './apply-provider-events.ts'
import { forgetDay, lastDayOf, rememberDay } from './receipt-profile.ts'
import { buildCampaign, buildSender, phoneOf } from '../test-lane.ts'

let opened: TestDatabase
let manager: Account
let today: string

beforeAll(async () => {
  opened = await testDatabase()
  manager = await buildManager(opened.database)
  const { rows } = await opened.database.systemPool.query<{ today: string }>('select current_date::text as today')
  today = rows[0]?.today ?? ''
})

afterAll(async () => {
  expect(await asSystem(opened.database, checkInvariants)).toEqual([])
  await opened.drop()
})

type Sent = { id: string; phone: number; status: 'sent' | 'delivered' | 'failed'; secondsAgo: number; daysAgo: number }
type ReportCase = {
  id: string
  phone: number | undefined
  status: 'sent' | 'delivered' | 'failed'
  /** A time after the message was sent, if it was sent `secondsAgo`. */
  secondsAgo: number
  submittedSecondsAgo: number | undefined
}
type Fixtures = { messages: Sent[]; batches: ReportCase[][]; learned: IdReading }

const readings = ['same', 'decimal', 'hexadecimal'] as const

/** The possible meanings of a receipt's id: the same text, a decimal number stored in hexadecimal, a hexadecimal one stored in decimal. */
const candidatesOf = (id: string) => [id, Number(id).toString(16), String(Number.parseInt(id, 16))]

async function buildFixtures({ messages, learned }: Fixtures) {
  const { organizationId } = manager
  const pool = opened.database.systemPool
  const senderId = await buildSender(opened.database, manager)
  const campaignId = await buildCampaign(opened.database, {
    owner: manager,
    senderId,
    total: messages.length,
    status: 'paused',
  })
  await pool.query(
    `insert into receipt_profiles (organization_id, sender_id, id_votes, clock_votes) values ($1, $2, $3, '{"0": 500}')`,
    [organizationId, senderId, JSON.stringify({ [learned]: 500 })],
  )
  const now = Date.now()
  for (const [seq, { id, phone, status, secondsAgo, daysAgo }] of messages.entries()) {
    const sentAt = new Date(now - secondsAgo * 1000 - daysAgo * 86_400_000)
    const endedAt = new Date(sentAt.getTime() + 500)
    await pool.query(
      `insert into messages (organization_id, created_on, campaign_id, seq, leg, sender_id, phone, status, parts, price, billable_on, provider_message_id,
        sent_at, delivered_at, failed_at)
      values ($1, current_date - $2::int, $3, $4, 1, $5, $6, $7, 1, 1000, 'sent', $8, $9, $10, $11)`,
      [
        organizationId,
        daysAgo,
        campaignId,
        seq,
        senderId,
        phoneOf(phone),
        status,
        id,
        sentAt,
        status === 'delivered' ? endedAt : null,
        status === 'failed' ? endedAt : null,
      ],
    )
  }
  return { key: { organizationId, senderId }, campaignId, now }
}

function reportOf({ id, phone, status, secondsAgo, submittedSecondsAgo }: ReportCase, now: number): ProviderEvent {
  const instant = (seconds: number) => new Date(now - seconds * 1000)
  const report: DeliveryReport = {
    kind: 'delivery-report',
    providerMessageIds: candidatesOf(id),
    status,
    at: instant(secondsAgo),
    match: {
      readings: [...readings],
      numbers: phone === undefined ? [] : [String(phoneOf(phone))],
      isLocalTime: true,
      ...(submittedSecondsAgo === undefined ? {} : { submittedAt: instant(submittedSecondsAgo) }),
    },
    ...(status === 'failed' ? { code: '1', reason: 'undelivered' as const } : {}),
  }
  return { ...report, raw: 'raw' }
}

/** The results of the messages (times in milliseconds before now) and of the reports; certain ones applied directly, or all by selection. */
async function play(fixtures: Fixtures, isCertainFirst: boolean) {
  const { key, campaignId, now } = await buildFixtures(fixtures)
  for (const batch of fixtures.batches) {
    if (isCertainFirst) rememberDay(key, today)
    else forgetDay(key)
    await applyProviderEvents(
      opened.database.systemPool,
      key,
      batch.map((reportFacts) => reportOf(reportFacts, now)),
    )
  }
  const { rows: messages } = await opened.database.systemPool.query(
    `select seq, status, code, round(extract(epoch from delivered_at) * 1000 - $2)::int as delivered,
      round(extract(epoch from failed_at) * 1000 - $2)::int as failed
    from messages where campaign_id = $1 order by seq`,
    [campaignId, now],
  )
  const { rows: waiting } = await opened.database.systemPool.query(
    `select provider_message_id as id, status, count(*)::int as count from early_reports where sender_id = $1 group by 1, 2 order by 1, 2`,
    [key.senderId],
  )
  const { rows: counts } = await opened.database.systemPool.query(
    `select sum(sent)::int as sent, sum(delivered)::int as delivered, sum(failed)::int as failed from counter_deltas where campaign_id = $1`,
    [campaignId],
  )
  return { messages, waiting, counts, day: lastDayOf(key) }
}

/** Few ids, so that they repeat; '10', 'a' and '16' are the same number in different bases. */
const id = fc.constantFrom('10', '16', '22', '7')
const phone = fc.nat({ max: 1 })
const ages = fc.constantFrom(5, 60, 300, 1200)
const status = fc.constantFrom('sent' as const, 'delivered' as const, 'failed' as const)

const message = fc.record({
  id: fc.oneof(id, fc.constantFrom('a', 'b')),
  phone,
  status: fc.constantFrom('sent' as const, 'sent' as const, 'delivered' as const, 'failed' as const),
  secondsAgo: ages,
  daysAgo: fc.constantFrom(0, 0, 0, 1),
})

const reportFacts = fc.record({
  id,
  phone: fc.option(phone, { nil: undefined }),
  status,
  secondsAgo: fc.constantFrom(1, 30, 200),
  submittedSecondsAgo: fc.option(ages, { nil: undefined }),
})

const fixtures = fc.record({
  messages: fc.array(message, { minLength: 1, maxLength: 5 }),
  batches: fc.array(fc.array(reportFacts, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 2 }),
  learned: fc.constantFrom('same' as const, 'decimal' as const),
})

test('directly applied reports match the same messages as the full selection', async () => {
  await fc.assert(
    fc.asyncProperty(fixtures, async (each) => {
      const { day: _, ...atOnce } = await play(each, true)
      const { day: __, ...chosen } = await play(each, false)
      expect(atOnce).toEqual(chosen)
    }),
    { numRuns: 80 },
  )
})

const sent: Sent = { id: '10', phone: 0, status: 'sent', secondsAgo: 60, daysAgo: 0 }
const delivered: ReportCase = { id: '10', phone: 0, status: 'delivered', secondsAgo: 30, submittedSecondsAgo: 60 }

test('an unambiguous report is applied directly, and its sender stays in this mode', async () => {
  const each: Fixtures = { messages: [sent], batches: [[delivered]], learned: 'same' }
  expect(await play(each, true)).toMatchObject({ messages: [{ status: 'delivered' }], waiting: [], day: today })
})

test('a sender whose reports are mostly ambiguous leaves this mode', async () => {
  const each: Fixtures = {
    messages: [sent, { ...sent, secondsAgo: 2000 }],
    batches: [[{ ...delivered, phone: 1 }, delivered, { ...delivered, phone: undefined }]],
    learned: 'same',
  }
  expect((await play(each, true)).day).toBeUndefined()
})

test('a clock that is slightly off records no end before the sending, or later than now', async () => {
  const early: ReportCase = { ...delivered, id: '7', secondsAgo: 65 }
  const each: Fixtures = {
    messages: [sent, { ...sent, id: '7' }],
    batches: [[{ ...delivered, secondsAgo: -30 }, early]],
    learned: 'same',
  }
  const { messages, day } = await play(each, true)
  expect(day).toBe(today)
  expect(messages).toMatchObject([{ status: 'delivered' }, { status: 'delivered', delivered: -60_000 }])
  expect(messages[0].delivered).toBeLessThan(20_000)
})
