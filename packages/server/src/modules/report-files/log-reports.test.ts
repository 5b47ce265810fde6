import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asSystem } from '../../db/pool.ts'
import { addJob } from '../../jobs/jobs.ts'
import { newId } from '../../lib/ids.ts'
import { addApiRequest, buildKey } from '../../testing/api-keys.ts'
import { buildTree, buildUser, type Account } from '../../testing/builders.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { until } from '../../testing/until.ts'
import { addWebhooks } from '../../testing/webhooks.ts'
import { buildAgent } from '../conversations/test-agents.ts'
import { prepareReportJob } from './request-report.ts'
import { prepare, readRowsOf, request, sumOfRows, today, type Wanted } from './test-reports.ts'

let server: TestServer
let tree: Awaited<ReturnType<typeof buildTree>>
let sibling: Account

beforeAll(async () => {
  server = await testServer()
  tree = await buildTree(server.database)
  sibling = await buildUser(server.database, { parent: tree.manager })
})
afterAll(() => server.close())

const query = (text: string, values: unknown[]) => server.database.systemPool.query(text, values)
const ofType = (type: NonNullable<Wanted['type']>) => (as: Account) => readRowsOf(server, { as, type })
const named = ({ username }: Account) => `Name of ${username}`

describe('API usage', () => {
  const usage = ofType('api_usage')

  /** Calls of the last two days, of which one sent a message and one was refused. */
  async function addCalls(owner: Account, calls: number) {
    const { id } = await buildKey(server.database, owner, { name: `Key of ${owner.username}` })
    await query(
      `insert into api_key_days (organization_id, api_key_id, day, requests, last_used_at, last_used_ip)
        select $1, $2, $3::date - back, $4, now() - back * interval '1 day', '203.0.113.7' from generate_series(0, 1) back`,
      [owner.organizationId, id, today, calls],
    )
    for (const status of [200, 422]) {
      const request = newId()
      const mark = `M${request}`
      await asSystem(server.database, (db) =>
        addApiRequest(db, owner, { mark, apiKey: id, apiRequest: request, singleSend: newId() }),
      )
      await query(
        `update api_requests set http_status = $2, accepted = $3, cost = $4 where id = $1`,
        status === 200 ? [request, status, 1, 1250] : [request, status, 0, null],
      )
    }
  }

  beforeAll(async () => {
    const { manager, user, foreign } = tree
    await addCalls(manager, 5)
    await addCalls(user, 7)
    await addCalls(sibling, 11)
    await addCalls(foreign, 13)
  })

  test('equals the usage of the keys that the account lists', async () => {
    const { manager, head, user } = tree
    for (const as of [manager, head, user, sibling]) {
      const rows = await usage(as)
      const keys = (await server.ask('apiKeys.list', { as, query: { limit: 100 } })).data
      expect(Object.fromEntries(rows.map((row) => [row['API key'], Number(row['Calls'])]))).toEqual(
        Object.fromEntries(keys.map(({ name, usage: { today: calls } }) => [name, calls])),
      )
      expect(new Set(rows.map((row) => row['Prefix']))).toEqual(new Set(keys.map(({ prefix }) => prefix)))
    }
  })

  test('has the messages and errors of the request log', async () => {
    const { manager, user } = tree
    const rows = await usage(manager)
    expect(rows).toHaveLength(3)
    expect(rows.find((row) => row['Account'] === named(user))).toMatchObject({
      'Sending calls': '2',
      'Refused sending calls': '1',
      Messages: '2',
      'Accepted messages': '1',
      'Reserved (₹)': '0.125',
      'Last address': '203.0.113.7',
    })
    const log = await server.ask('support.list', { as: manager, query: { kind: 'api_send', limit: 100 } })
    expect(sumOfRows(rows, 'Sending calls')).toBe(log.pagination.total)
  })
})

describe('webhook deliveries', () => {
  const deliveries = ofType('webhook_delivery')
  let endpointId: string

  beforeAll(async () => {
    for (const owner of [tree.user, sibling, tree.foreign]) {
      const own = { mark: `W${newId()}`, webhookEndpoint: newId(), webhookDelivery: newId(), eventListener: newId() }
      await asSystem(server.database, (db) => addWebhooks(db, owner, own))
      const attempt = { at: new Date().toISOString(), durationMs: 5 }
      const key = [owner.organizationId, own.webhookEndpoint, newId()]
      await query(
        `insert into webhook_deliveries (organization_id, endpoint_id, id, type, at, body, attempts, status, ended_at)
          values ($1, $2, $3, 'message.delivered', now(), '{}', $4, 'delivered', now())`,
        [...key, JSON.stringify([attempt, attempt, { ...attempt, status: 200 }])],
      )
      await query(
        `insert into webhook_queue (organization_id, endpoint_id, id, type, at, body, due_at)
          values ($1, $2, $3, 'message.delivered', now(), '{}', now() + interval '1 day')`,
        [...key.slice(0, 2), newId()],
      )
      if (owner === tree.user) endpointId = own.webhookEndpoint
    }
  })

  test('equal the deliveries of the endpoint, with retries', async () => {
    const { user } = tree
    const rows = await deliveries(user)
    const list = async (status?: 'delivered' | 'dead' | 'pending') =>
      (
        await server.ask('webhookEndpoints.deliveries', {
          as: user,
          path: { id: endpointId },
          query: { status, limit: 50 },
        })
      ).deliveries.length
    expect(rows.map((row) => row['Event'])).toEqual(['balance.low', 'message.delivered'])
    expect(sumOfRows(rows, 'Events')).toBe(await list())
    expect(sumOfRows(rows, 'Delivered')).toBe(await list('delivered'))
    expect(sumOfRows(rows, 'Failed')).toBe(await list('dead'))
    expect(sumOfRows(rows, 'Waiting')).toBe(await list('pending'))
    expect(rows.at(-1)).toMatchObject({ Day: today, Events: '2', Delivered: '1', Retries: '2', Disabled: '' })
  })

  test('a manager gets those of all accounts, a sibling and a foreign manager only their own', async () => {
    const { manager, head, user, foreign } = tree
    const accountsOf = async (as: Account) => [...new Set((await deliveries(as)).map((row) => row['Account']))]
    expect(await accountsOf(manager)).toEqual(expect.arrayContaining([named(sibling), named(user)]))
    expect(await accountsOf(manager)).toHaveLength(2)
    expect(await accountsOf(head)).toEqual([named(user)])
    expect(await accountsOf(sibling)).toEqual([named(sibling)])
    expect(await accountsOf(foreign)).toEqual([named(foreign)])
  })
})

describe('agents', () => {
  const agents = ofType('agent_performance')

  beforeAll(async () => {
    for (const agent of [tree.user, sibling, tree.foreign]) {
      await buildAgent(server.database, agent, { availability: 'offline' })
      const facts = [
        ...[10, 20, 60].map((seconds) => ({ kind: 'first_response', seconds })),
        { kind: 'resolved', seconds: null },
        { kind: 'message_out', seconds: null },
        { kind: 'rating', seconds: 4 },
        { kind: 'rating', seconds: 5 },
      ]
      for (const { kind, seconds } of facts)
        await query(
          `insert into agent_facts (organization_id, account_id, at, kind, conversation_id, seconds, business_seconds) values ($1, $2, now(), $3, $4, $5, $5)`,
          [agent.organizationId, agent.id, kind, newId(), seconds],
        )
    }
  })

  test('have the same figures as their metrics', async () => {
    const { user } = tree
    const [row] = await agents(user)
    const metrics = await server.ask('agents.metrics', { as: user, path: { id: user.id }, query: { period: 'day' } })
    const { clock } = metrics.firstResponseTime
    expect(row).toMatchObject({
      Agent: named(user),
      Resolved: String(metrics.resolved),
      'Messages out': String(metrics.messagesOut),
      'First response, average (s)': String(clock.avg),
      'First response, median (s)': String(clock.p50),
      'First response, 90 % (s)': String(clock.p90),
      'Response, average (s)': '',
      'Online (s)': String(metrics.onlineSeconds),
      Ratings: String(metrics.csat.count),
      'Average rating': String(metrics.csat.avg),
    })
  })

  test('are those whose metrics the account may see', async () => {
    const { manager, head, user, foreign } = tree
    const namesOf = async (as: Account) => new Set((await agents(as)).map((row) => row['Agent']))
    expect(await namesOf(manager)).toEqual(new Set([named(sibling), named(user)]))
    expect(await namesOf(head)).toEqual(new Set([named(user)]))
    expect(await namesOf(sibling)).toEqual(new Set([named(sibling)]))
    expect(await namesOf(foreign)).toEqual(new Set([named(foreign)]))
  })
})

describe('the audit log', () => {
  const audit = ofType('audit_log')

  test('has the entries of the call, in the order in which they were added', async () => {
    const { manager, user } = tree
    await request(server, { as: user, type: 'campaign_summary' })
    const rows = await audit(manager)
    const { entries } = await server.ask('audit.list', { as: manager, query: { limit: 100 } })
    const requested = entries.filter(({ action }) => action === 'report.requested').toReversed()
    const found = rows.filter((row) => row['Action'] === 'report.requested')
    expect(found.map((row) => [row['Actor'], row['Object ID']])).toEqual(
      requested.slice(0, found.length).map(({ actor, objectId }) => [actor, objectId]),
    )
    expect(found.length).toBeGreaterThanOrEqual(2)
    expect(new Set(rows.map((row) => row['Action']))).toEqual(new Set(entries.map(({ action }) => action)))
    expect(found[0]?.['Details']).toContain(today)
  })

  test('is for managers and admins: the organization of a manager, all organizations of an admin', async () => {
    const { admin, manager, head, user, foreign } = tree
    for (const as of [head, user]) {
      const refused = await request(server, { as, type: 'audit_log' })
      expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    }
    await request(server, { as: foreign, type: 'campaign_summary' })
    const actors = async (as: Account) => new Set((await audit(as)).map((row) => row['Actor']))
    expect(await actors(manager)).not.toContain(named(foreign))
    const all = await actors(admin)
    expect([...all]).toEqual(expect.arrayContaining([named(foreign), named(manager)]))
  })
})

describe('who may request which report', () => {
  test('types without channels and campaigns refuse these filters by field', async () => {
    const { manager } = tree
    for (const type of [
      'ledger_statement',
      'api_usage',
      'webhook_delivery',
      'agent_performance',
      'audit_log',
    ] as const) {
      const ofChannel = await request(server, { as: manager, type, channel: 'sms' })
      expect(ofChannel).toMatchObject({ status: 400, body: { details: [{ field: 'channel' }] } })
      const ofCampaign = await request(server, { as: manager, type, campaignId: newId() })
      expect(ofCampaign).toMatchObject({ status: 400, body: { details: [{ field: 'campaignId' }] } })
    }
  })

  test('types of a module need it, also when the report is prepared', async () => {
    const without = await buildUser(server.database, { parent: tree.manager, modules: ['campaign'] })
    for (const type of ['api_usage', 'webhook_delivery', 'agent_performance'] as const)
      expect(await request(server, { as: without, type })).toMatchObject({
        status: 403,
        body: { code: 'module_forbidden' },
      })
    const refused = await prepareWithoutModule('api_usage')
    expect(refused).toMatchObject({ status: 'failed', error: 'The report API usage needs the module api.' })
  })

  /** A report of an account that lost its modules after the request. */
  async function prepareWithoutModule(type: string) {
    const { id, organizationId, token } = await buildUser(server.database, { parent: tree.manager, modules: [] })
    const reportId = newId()
    await query(
      `insert into reports (organization_id, id, path, scope_path, account_id, type, name, channel, first_day, last_day, timezone, format, request_key, place)
        select organization_id, $2, path, path, id, $4, 'API usage', 'all', $3, $3, 'Asia/Kolkata', 'csv', 'x', 0 from accounts where id = $1`,
      [id, reportId, today, type],
    )
    await asSystem(server.database, (db) =>
      addJob(db, prepareReportJob, { payload: { organizationId, reportId, place: 0 } }),
    )
    const find = async () =>
      (await server.ask('reportFiles.list', { as: { token } })).reports.find((report) => report.reportId === reportId)
    await until(async () => (await find())?.status === 'failed', 'the refusal', 30_000)
    return find()
  }

  test('API keys get the ledger with the scope of balances, and no report for sessions only', async () => {
    const { manager } = tree
    const reports = ['reports:read', 'reports:write'] as const
    const plain = await buildKey(server.database, manager, { scopes: [...reports] })
    const paying = await buildKey(server.database, manager, { scopes: [...reports, 'balance:read'] })
    const ask = (key: { token: string }, type: 'ledger_statement' | 'audit_log') =>
      server.call('reportFiles.estimate', {
        as: key,
        query: { from: today, to: today, channel: 'all', campaignId: 'all', type },
      })
    expect(await ask(plain, 'ledger_statement')).toMatchObject({ status: 403, body: { code: 'scope_missing' } })
    expect(await ask(paying, 'ledger_statement')).toMatchObject({ status: 200 })
    expect(await ask(paying, 'audit_log')).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    const { reportId } = await prepare(server, { as: manager, type: 'ledger_statement' })
    const read = (key: { token: string }) => server.call('reportFiles.download', { as: key, path: { id: reportId } })
    expect((await read(plain)).status).toBe(403)
    expect((await read(paying)).status).toBe(200)
  })
})
