import type { FailureClass, MessageStatus } from '@carillon/contract/campaign-records'
import { LegResult } from '@carillon/contract/campaign-records'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SendOutcome } from '../../../channels/provider.ts'
import type { SmsMessage } from '../../../channels/sms/message.ts'
import { asSystem } from '../../../db/pool.ts'
import type { Account } from '../../../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../../../testing/database.ts'
import { until } from '../../../testing/until.ts'
import { foldCounters } from '../housekeeping/fold-counters.ts'
import { watchLegs } from '../housekeeping/watch-legs.ts'
import { parseReference } from '../reference.ts'
import { applyProviderEvents } from '../reports/apply-provider-events.ts'
import { buildCampaign, buildLane, startTestSender, type FakeProvider } from '../test-lane.ts'
import type { RecipientFilter } from './choose-recipients.ts'
import { failoverNumbers } from './failover-numbers.ts'
import { legNumbers } from './leg-numbers.ts'
import { listResponses } from './responses.ts'
import { findMismatches } from '../test-proof.ts'

let opened: TestDatabase
let manager: Account
let senderId: string
let fake: FakeProvider
let campaignId: string

const total = 400
const halves = total / 2
const inTime = 'not_delivered_in_time'

/** Planned legs: the first is tried again twice a day later; the second and the third have a leg for each of two countries. */
const planned = [
  { leg: 1, draftLeg: 0 },
  { leg: 2, draftLeg: 0, reasons: ['user_marketing_cap'], delay: 86_400 },
  { leg: 3, draftLeg: 0, reasons: ['user_marketing_cap'], delay: 172_800 },
  { leg: 4, draftLeg: 1, reasons: ['undelivered', 'expired', inTime], after: 600, range: [0, halves] },
  { leg: 5, draftLeg: 1, reasons: ['undelivered', 'expired', inTime], after: 600, range: [halves, total] },
  { leg: 6, draftLeg: 2, reasons: ['undelivered', inTime], after: 600, range: [0, halves] },
  { leg: 7, draftLeg: 2, reasons: ['undelivered', inTime], after: 600, range: [halves, total] },
]
const draftLegs = [0, 1, 2]
const draftLegOf = (leg: number) => planned.find((each) => each.leg === leg)?.draftLeg

type Script = { at: 'submit' | 'report'; reason: FailureClass } | 'delivered' | 'read' | 'silent'
const scripts: Script[] = [
  'delivered',
  'read',
  'silent',
  { at: 'submit', reason: 'user_marketing_cap' },
  { at: 'report', reason: 'user_marketing_cap' },
  { at: 'submit', reason: 'undelivered' },
  { at: 'report', reason: 'undelivered' },
  { at: 'report', reason: 'expired' },
  { at: 'report', reason: 'content_blocked' },
]

/** The same numbers in every run. */
function pick(...of: number[]): number {
  let hash = 2_166_136_261
  for (const part of of) hash = Math.imul(hash ^ part, 16_777_619) ^ (hash >>> 13)
  return hash >>> 4
}
const scriptOf = ({ seq, leg }: Place): Script => scripts[pick(seq, leg, 7) % scripts.length] ?? 'silent'
/** Reported after everything else: long after the next message. */
const lateOf = ({ seq, leg }: Place): 'delivered' | 'read' | undefined =>
  [undefined, undefined, 'delivered', 'read'][pick(seq, leg, 11) % 4] as 'delivered' | 'read' | undefined

type Place = { seq: number; leg: number }
const placeOf = ({ reference }: SmsMessage): Place => parseReference(reference) ?? { seq: -1, leg: -1 }

type Report = { status: 'delivered' | 'read' | 'failed'; reason?: FailureClass }

async function report(reports: (Place & Report)[]) {
  await applyProviderEvents(
    opened.database.systemPool,
    { organizationId: manager.organizationId, senderId },
    reports.map(({ seq, leg, status, reason }) => ({
      kind: 'delivery-report' as const,
      providerMessageIds: [`p-${campaignId.replaceAll('-', '')}.${leg}.${seq}`],
      status,
      at: new Date(),
      ...(reason ? { reason, code: reason } : {}),
      raw: '',
    })),
  )
}

async function passTime() {
  const { ownerPool } = opened.database
  await ownerPool.query(`update messages set sent_at = now() - interval '1 hour' where campaign_id = $1`, [campaignId])
  await ownerPool.query('update leg_watches set due_at = now() where campaign_id = $1', [campaignId])
  await ownerPool.query('update retries set due_at = now() where campaign_id = $1', [campaignId])
  await watchLegs(opened.database.systemPool)
}

type Message = Place & { status: MessageStatus; reason: string | null; wasAccepted: boolean }

async function readMessages(): Promise<Message[]> {
  const { rows } = await opened.database.systemPool.query<Message>(
    `select seq, leg, status, reason, status in ('sent', 'delivered', 'read') or (status = 'failed' and previous_status is not null) as "wasAccepted"
    from messages where campaign_id = $1 order by seq, leg`,
    [campaignId],
  )
  return rows
}

/** Sends everything and reports it as its script says, until no one has another leg to enter. */
async function sendAll() {
  const sender = await startTestSender(opened, { provider: fake })
  const done = new Set<string>()
  const { ownerPool } = opened.database
  await until(async () => {
    const open = (await readMessages()).filter(({ seq, leg }) => !done.has(`${seq}.${leg}`))
    for (const { seq, leg } of open) done.add(`${seq}.${leg}`)
    await report(
      open.flatMap(({ seq, leg }): (Place & Report)[] => {
        const script = scriptOf({ seq, leg })
        if (script === 'silent') return []
        if (typeof script === 'string') return [{ seq, leg, status: script }]
        return script.at === 'report' ? [{ seq, leg, status: 'failed', reason: script.reason }] : []
      }),
    )
    await passTime()
    const { rows } = await ownerPool.query(
      `select from leg_entries where campaign_id = $1 and after = 'queued' union all select from retries where campaign_id = $1`,
      [campaignId],
    )
    return done.size >= total && open.length === 0 && rows.length === 0
  }, 'every message')
  await sender.stop()
}

beforeAll(async () => {
  opened = await testDatabase()
  ;({ manager, senderId, fake } = await buildLane(opened.database))
  fake.answer = (message): SendOutcome => {
    const script = scriptOf(placeOf(message))
    if (typeof script === 'object' && script.at === 'submit')
      return { kind: 'rejected', reason: script.reason, code: script.reason, detail: '', scope: 'message' }
    return { kind: 'accepted', providerMessageIds: [`p-${message.reference}`] }
  }
  campaignId = await buildCampaign(opened.database, { owner: manager, senderId, total, price: 4000, status: 'paused' })
  const { ownerPool } = opened.database
  await ownerPool.query('update campaign_legs set price = 100 where campaign_id = $1', [campaignId])
  for (const { leg, draftLeg, reasons, after, delay, range } of planned.slice(1))
    await ownerPool.query(
      `insert into campaign_legs (organization_id, campaign_id, leg, draft_leg, channel, sender_id, content, price, enter_reasons,
        enter_after_seconds, enter_delay_seconds, lo, hi)
      select organization_id, campaign_id, $2, $3, 'sms', sender_id, content, price, $4, $5, $6, $7, $8
      from campaign_legs where campaign_id = $1 and leg = 1`,
      [campaignId, leg, draftLeg, reasons, after ?? null, delay ?? 0, range?.[0] ?? null, range?.[1] ?? null],
    )
  await ownerPool.query(`update campaigns set status = 'queued' where id = $1`, [campaignId])
  await sendAll()
  // In an order of their own, in small batches: of three messages of a person the last may be reported first.
  const late = (await readMessages())
    .filter(({ wasAccepted }) => wasAccepted)
    .flatMap(({ seq, leg }) => {
      const status = lateOf({ seq, leg })
      return status ? [{ seq, leg, status }] : []
    })
    .toSorted((one, other) => pick(one.seq, one.leg, 3) - pick(other.seq, other.leg, 3))
  for (let next = 0; next < late.length; next += 40) await report(late.slice(next, next + 40))
  await foldCounters(opened.database.systemPool)
}, 120_000)
afterAll(async () => {
  expect(await findMismatches(opened.database)).toEqual([])
  await opened.drop()
})

const isDelivered = ({ status }: Message) => status === 'delivered' || status === 'read'
const rank = { delivered: 1, read: 2 } as Partial<Record<MessageStatus, number>>

/** The message by which a person counts: the best that arrived, of several the last, else the last. */
const bestOf = (messages: readonly Message[]) =>
  messages.toSorted((one, other) => (rank[one.status] ?? 0) - (rank[other.status] ?? 0) || one.leg - other.leg).at(-1)

const expiredReasons = ['expired', 'revoked']
const isOf: Record<Exclude<LegResult, 'starters' | 'entered' | 'sent'>, (message: Message) => boolean> = {
  delivered: isDelivered,
  read: ({ status }) => status === 'read',
  failed: ({ status }) => status === 'failed',
  expired: ({ status, reason }) => status === 'failed' && expiredReasons.includes(reason ?? ''),
  skipped: ({ status }) => status === 'skipped',
}

/** The people of a result of a leg, found one by one. */
function peopleOf(messages: readonly Message[], leg: number, result: LegResult): number[] {
  if (result === 'starters') return leg === 0 ? [...Array(total).keys()] : []
  const own = Map.groupBy(
    messages.filter((message) => draftLegOf(message.leg) === leg),
    ({ seq }) => seq,
  )
  const people = [...own].filter(([, tries]) => {
    if (result === 'entered') return leg > 0
    if (result === 'sent') return tries.some(({ wasAccepted }) => wasAccepted)
    const best = bestOf(tries)
    return best !== undefined && isOf[result](best)
  })
  return people.map(([seq]) => seq)
}

/** All pages by number, and all again from where the last one ended. */
async function list(filter: RecipientFilter & { number?: string }) {
  const query = { organizationId: manager.organizationId, campaignId, limit: 37, ...filter }
  return asSystem(opened.database, async (db) => {
    const byPage: { seq: number; status: MessageStatus }[] = []
    let expected = 1
    for (let page = 1; byPage.length < expected; page += 1) {
      const { responses, total: counted } = await listResponses(db, { ...query, page })
      byPage.push(...responses)
      expected = counted
      if (responses.length === 0) break
    }
    const byPlace: number[] = []
    for (let after: number | undefined; ;) {
      const { responses } = await listResponses(db, { ...query, page: 1, after })
      byPlace.push(...responses.map(({ seq }) => seq))
      after = responses.at(-1)?.seq
      if (after === undefined) break
    }
    expect(byPlace).toEqual(byPage.map(({ seq }) => seq))
    return { rows: byPage, seqs: byPlace, total: expected }
  })
}

const cases = draftLegs.flatMap((leg) => LegResult.options.map((result) => ({ leg, result })))

test.each(cases)('leg $leg, $result: the number, its list and the messages agree', async ({ leg, result }) => {
  const expected = peopleOf(await readMessages(), leg, result)
  const found = await list({ leg, result })
  expect(found.seqs).toEqual(expected)
  expect(found.total).toBe(expected.length)
  if (result === 'starters') return
  const key = { organizationId: manager.organizationId, campaignId, hasEntries: true }
  const { rows } = await opened.database.systemPool.query<{ createdOn: string }>(
    'select created_on as "createdOn" from campaigns where id = $1',
    [campaignId],
  )
  const numbers = await asSystem(opened.database, (db) =>
    legNumbers(db, { ...key, createdOn: rows[0]?.createdOn ?? null }),
  )
  expect(numbers.get(leg)?.[result]).toBe(expected.length)
})

test.each(['sent', 'delivered', 'read', 'failed', 'skipped'] as const)(
  '%s on any leg: the number of the campaign and its list agree',
  async (result) => {
    const people = Map.groupBy(await readMessages(), ({ seq }) => seq)
    const expected = [...people].filter(([, own]) => {
      if (result === 'sent') return own.some(({ wasAccepted }) => wasAccepted)
      const best = bestOf(own)
      return best !== undefined && isOf[result](best)
    })
    const found = await list({ result })
    expect(found.seqs).toEqual(expected.map(([seq]) => seq))
    expect(found.total).toBe(expected.length)
  },
)

test('everyone with two or more delivered messages is counted once, whichever legs they are of', async () => {
  const messages = await readMessages()
  const delivered = Map.groupBy(messages.filter(isDelivered), ({ seq }) => seq)
  const expected = [...delivered].filter(([, own]) => own.length > 1).map(([seq]) => seq)
  // Also across a leg in between, and three of them.
  const between = [...delivered.values()].filter(([one, other]) => {
    const legs = messages.filter(({ seq }) => seq === one?.seq).map(({ leg }) => leg)
    return one && other && legs.indexOf(other.leg) - legs.indexOf(one.leg) > 1
  })
  expect(between.length).toBeGreaterThan(0)
  expect([...delivered.values()].some((own) => own.length > 2)).toBe(true)
  const found = await list({ both: 'true' })
  expect(found.seqs).toEqual(expected)
  expect(found.total).toBe(expected.length)
  expect(found.rows.every(({ status }) => status === 'delivered' || status === 'read')).toBe(true)
})

test.each(['queued', 'sent', 'delivered', 'read', 'failed', 'skipped', 'unconfirmed'] as const)(
  'status %s: each person once, by the message that counts',
  async (status) => {
    const people = Map.groupBy(await readMessages(), ({ seq }) => seq)
    const expected = [...people].filter(([, own]) => bestOf(own)?.status === status).map(([seq]) => seq)
    const found = await list({ status })
    expect(found.seqs).toEqual(expected)
    expect(found.total).toBe(expected.length)
    const all = await list({})
    expect(all.rows.filter((row) => row.status === status).map(({ seq }) => seq)).toEqual(expected)
  },
)

test('the numbers of the campaign count each person once', async () => {
  const messages = await readMessages()
  const people = Map.groupBy(messages, ({ seq }) => seq)
  const key = { organizationId: manager.organizationId, campaignIds: [campaignId] }
  const numbers = (await asSystem(opened.database, (db) => failoverNumbers(db, key))).get(campaignId)
  const { rows } = await opened.database.systemPool.query<Record<string, number>>(
    `select sum(submitted)::int as submitted, sum(sent)::int as sent, sum(delivered)::int as delivered, sum(read)::int as read,
      sum(failed)::int as failed from counters where campaign_id = $1`,
    [campaignId],
  )
  const counted = rows[0] ?? {}
  for (const status of ['sent', 'delivered', 'read', 'failed'] as const)
    expect((counted[status] ?? 0) - (numbers?.outranked[status] ?? 0)).toBe(
      [...people.values()].filter((own) => bestOf(own)?.status === status).length,
    )
  expect((counted['submitted'] ?? 0) - (numbers?.twice ?? 0)).toBe(
    [...people.values()].filter((own) => own.some(({ wasAccepted }) => wasAccepted)).length,
  )
})

test('recipients who clicked: of all, and of each other filter', async () => {
  const everyThird = [...Array(total).keys()].filter((seq) => seq % 3 === 0)
  await opened.database.systemPool.query(
    `insert into campaign_clickers (organization_id, campaign_id, seq, number, first_at) select $1, $2, seq, 1, now() from unnest($3::int[]) seq`,
    [manager.organizationId, campaignId, everyThird],
  )
  await opened.database.systemPool.query(
    `insert into campaign_links (organization_id, campaign_id, leg, position, variable, host, url, first_people)
    values ($1, $2, 0, 0, 'value1', 'shop.example', 'https://shop.example/', $3)`,
    [manager.organizationId, campaignId, everyThird.length],
  )
  const clicked = 'true'
  const all = await list({})
  const shown = await list({ clicked })
  expect(shown.rows).toEqual(all.rows.filter(({ seq }) => seq % 3 === 0))
  const filters: RecipientFilter[] = [
    { status: 'read' },
    { status: 'failed' },
    { both: 'true' },
    { leg: 1 },
    { leg: 1, status: 'failed' },
    { leg: 0, result: 'delivered' },
    { result: 'sent' },
    { leg: 0, result: 'starters' },
  ]
  for (const filter of filters) {
    const expected = (await list(filter)).seqs.filter((seq) => seq % 3 === 0)
    const found = await list({ ...filter, clicked })
    expect(found.seqs).toEqual(expected)
    expect(found.total).toBe(expected.length)
    expect(expected.length).toBeGreaterThan(0)
  }
})

test('filters are combined: the last leg, a status and the start of a number', async () => {
  const messages = await readMessages()
  const last = [...Map.groupBy(messages, ({ seq }) => seq).values()].flatMap((own) => own.slice(-1))
  const ofSecond = last.filter(({ leg }) => draftLegOf(leg) === 1)
  expect((await list({ leg: 1 })).seqs).toEqual(ofSecond.map(({ seq }) => seq))
  expect((await list({ leg: 1, status: 'failed' })).seqs).toEqual(
    ofSecond.filter(({ status }) => status === 'failed').map(({ seq }) => seq),
  )
  const reached = peopleOf(messages, 0, 'delivered').filter((seq) => seq >= 100 && seq < 200)
  expect((await list({ leg: 0, result: 'delivered', number: '9198000001' })).seqs).toEqual(reached)
  expect((await list({ leg: 9, result: 'failed' })).total).toBe(0)
})
