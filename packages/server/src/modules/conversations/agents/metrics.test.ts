import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import { buildManager, buildUser, type Account } from '../../../testing/builders.ts'
import { testServer, type TestServer } from '../../../testing/server.ts'
import { buildAgent, receiveChats } from '../test-agents.ts'
import { buildLine } from '../test-inbox.ts'

let server: TestServer
let manager: Account
let user: Account

beforeAll(async () => {
  server = await testServer({ flags: ['--run=web'] })
})
afterAll(() => server.close())
beforeEach(async () => {
  manager = await buildManager(server.database)
  user = await buildUser(server.database, { parent: manager })
  await buildAgent(server.database, user, { availability: 'offline' })
})

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await server.database.ownerPool.query<Row>(text, values)).rows

type Fact = { kind: string; seconds?: number; businessSeconds?: number; at?: string }

/** `at` is an expression of SQL; by default a moment ago, but today. */
async function addFacts(facts: Fact[]) {
  for (const { kind, seconds, businessSeconds, at = startOfToday } of facts)
    await query(
      `insert into agent_facts (organization_id, account_id, at, kind, conversation_id, seconds, business_seconds)
        values ($1, $2, ${at}, $3, $4, $5, $6)`,
      [manager.organizationId, user.id, kind, newId(), seconds ?? null, businessSeconds ?? null],
    )
}

const startOfToday = `(date_trunc('day', now() at time zone 'Asia/Kolkata') at time zone 'Asia/Kolkata')`
const metrics = (period: 'day' | 'week' | 'month' = 'day') =>
  server.ask('agents.metrics', { as: user, path: { id: user.id }, query: { period } })
const none = { count: 0, avg: null, p50: null, p90: null }

test('are zero or absent without facts', async () => {
  const empty = await metrics()
  expect(empty).toMatchObject({
    assigned: 0,
    resolved: 0,
    messagesIn: 0,
    firstResponseTime: { clock: none, businessHours: none },
    responseTime: { clock: none, businessHours: none },
    resolutionTime: { clock: none, businessHours: none },
    onlineSeconds: 0,
    csat: { avg: null, count: 0 },
  })
  expect(empty.byHour).toEqual(Array.from({ length: 24 }, () => ({ messagesIn: 0, messagesOut: 0 })))
})

test('count facts, and durations as average, median and 90th percentile, by the clock and in business hours', async () => {
  await addFacts([
    ...[10, 20, 30, 40, 100].map((seconds) => ({ kind: 'first_response', seconds, businessSeconds: seconds / 2 })),
    { kind: 'response', seconds: 60, businessSeconds: 0 },
    { kind: 'resolution', seconds: 600 },
    ...['assigned', 'assigned', 'opened', 'resolved', 'reopened', 'transfer_in', 'transfer_out', 'sla_breach'].map(
      (kind) => ({ kind }),
    ),
    { kind: 'rating', seconds: 5 },
    { kind: 'rating', seconds: 4 },
  ])
  expect(await metrics()).toMatchObject({
    period: 'day',
    assigned: 2,
    opened: 1,
    resolved: 1,
    reopened: 1,
    transfersIn: 1,
    transfersOut: 1,
    slaBreaches: 1,
    csat: { avg: 4.5, count: 2 },
    firstResponseTime: {
      clock: { count: 5, avg: 40, p50: 30, p90: 76 },
      businessHours: { count: 5, avg: 20, p50: 15, p90: 38 },
    },
    responseTime: { clock: { count: 1, avg: 60, p50: 60, p90: 60 }, businessHours: { count: 1, p50: 0 } },
    resolutionTime: { clock: { count: 1, avg: 600 }, businessHours: none },
  })
})

test('have the days of the organisation, and messages by its hours', async () => {
  await addFacts([
    { kind: 'message_in', at: `${startOfToday} + interval '10 minutes'` },
    { kind: 'message_in', at: `${startOfToday} + interval '20 minutes'` },
    { kind: 'message_out', at: `${startOfToday} + interval '5 hours'` },
    { kind: 'message_in', at: `${startOfToday} - interval '1 second'` },
    { kind: 'resolved', at: `${startOfToday} - interval '6 days'` },
    { kind: 'resolved', at: `${startOfToday} - interval '6 days 1 second'` },
    { kind: 'resolved', at: `${startOfToday} - interval '29 days'` },
    { kind: 'resolved', at: `${startOfToday} - interval '29 days 1 second'` },
  ])
  const day = await metrics()
  expect([day.messagesIn, day.messagesOut, day.resolved]).toEqual([2, 1, 0])
  expect(day.byHour[0]).toEqual({ messagesIn: 2, messagesOut: 0 })
  expect(day.byHour[5]).toEqual({ messagesIn: 0, messagesOut: 1 })
  const week = await metrics('week')
  expect([week.messagesIn, week.resolved]).toEqual([3, 1])
  expect((await metrics('month')).resolved).toBe(3)
  const { agents } = await server.ask('agents.list', { as: user, query: { period: 'month' } })
  expect(agents).toMatchObject([{ resolved: 3, firstResponseSeconds: null }])
})

test('sum the time online and busy within the period', async () => {
  await query('delete from live_agent_spans where account_id = $1', [user.id])
  const spans = [
    ['online', `- interval '1 hour'`, `+ interval '10 seconds'`],
    ['busy', `+ interval '10 seconds'`, `+ interval '15 seconds'`],
    ['offline', `+ interval '15 seconds'`, undefined],
  ]
  for (const [availability, from, to] of spans)
    await query(
      `insert into live_agent_spans (organization_id, account_id, availability, began_at, ended_at)
        values ($1, $2, $3, ${startOfToday} ${from}, ${to ? `${startOfToday} ${to}` : 'null'})`,
      [manager.organizationId, user.id, availability],
    )
  expect(await metrics()).toMatchObject({ onlineSeconds: 10, busySeconds: 5 })
  const { day, timezone, spans: shown } = await server.ask('agents.day', { as: manager, path: { id: user.id } })
  expect(timezone).toBe('Asia/Kolkata')
  expect(shown.slice(0, 2)).toMatchObject([{ availability: 'online' }, { availability: 'busy' }])
  expect(shown[0]?.from).toBe(new Date(`${day}T00:00:00+05:30`).toISOString())
  const before = new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10)
  const yesterday = await server.ask('agents.day', { as: manager, path: { id: user.id }, query: { day: before } })
  expect(yesterday.spans).toEqual([
    {
      availability: 'online',
      from: new Date(`${before}T23:00:00+05:30`).toISOString(),
      to: new Date(`${day}T00:00:00+05:30`).toISOString(),
    },
  ])
})

test('the day lists the open conversations that the agent holds', async () => {
  const line = await buildLine(server.database, manager, 'sms')
  const [open, resolved] = await receiveChats(server.database, line, [{ from: '919845011102' }, {}])
  await query('update conversations set assignee_id = $1 where id = any($2)', [user.id, [open, resolved]])
  await query(`update conversations set status = 'resolved' where id = $1`, [resolved])
  const { conversations } = await server.ask('agents.day', { as: user, path: { id: user.id } })
  expect(conversations).toEqual([
    { chatId: open, name: '+919845011102', channel: 'sms', unread: 1, lastAt: expect.any(String) },
  ])
  const { agents } = await server.ask('agents.list', { as: user })
  expect(agents).toMatchObject([{ activeChats: 1 }])
})
