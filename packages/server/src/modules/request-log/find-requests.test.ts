import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildKey, type TestKey } from '../../testing/api-keys.ts'
import { buildTree, buildUser, type Account } from '../../testing/builders.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { buildSender } from '../messages/test-lane.ts'
import { buildShop, message, post as postTo, readLog, type LogQuery } from '../../testing/request-log.ts'

let server: TestServer
let manager: Account
let key: TestKey

beforeAll(async () => {
  server = await testServer({ environment: { TRUST_PROXY: '1' }, flags: ['--run=web'] })
})
beforeEach(async () => {
  manager = await buildShop(server)
  key = await buildKey(server.database, manager, { name: 'Shop' })
})
afterAll(() => server.close())

const post = (path: string, body: unknown, options: { as?: TestKey; key?: string } = {}) =>
  postTo(server, path, { as: key, body, ...options })
const log = (count: number, as = manager) => readLog(server).log(as, count)
const list = (as: Account, query: LogQuery = {}) => readLog(server).list(as, query)
const details = (id: string, as = manager) => readLog(server).details(as, id)
const sent = (id: string, query: { page?: number } = {}) => readLog(server).sent(manager, id, query)
const query = <Row extends object>(text: string, values: unknown[] = []) => readLog(server).query<Row>(text, values)

async function only() {
  const [request] = await log(1)
  return details(request?.id ?? '')
}

describe('the list', () => {
  test('is newest first, paged, and filtered by key, channel, time and status', async () => {
    const other = await buildKey(server.database, manager, { name: 'Other' })
    await post('messages', message())
    await post('messages', message(), { as: other })
    await post('messages', { to: 'no number' }, { as: other })
    const requests = await log(3)
    expect(requests.map((request) => request.key.name)).toEqual(['Other', 'Other', 'Shop'])
    const [third, second, first] = requests.map(({ id }) => id)
    const from = requests[1]?.createdAt
    const ids = async (more: LogQuery) => (await list(manager, more)).map(({ id }) => id)
    expect(await ids({ limit: 2 })).toEqual([third, second])
    expect(await ids({ limit: 2, page: 2 })).toEqual([first])
    expect(await ids({ key: other.id })).toEqual([third, second])
    expect(await ids({ channel: 'sms' })).toEqual([second, first])
    expect(await ids({ channel: 'whatsapp' })).toEqual([])
    expect(await ids({ status: 'rejected' })).toEqual([third])
    expect(await ids({ status: 'accepted' })).toEqual([second, first])
    expect(await ids({ status: 'accepted', limit: 1, page: 2 })).toEqual([first])
    expect(await ids({ status: 'completed' })).toEqual([])
    expect(await ids({ from })).toEqual([third, second])
    expect(await ids({ to: from })).toEqual([first])
    const page = await server.ask('support.list', { as: manager, query: { kind: 'api_send', limit: 2 } })
    expect(page.pagination).toEqual({ page: 1, limit: 2, total: 3, totalPages: 2 })
  })

  test('of support requests has none of them, and each kind has its own statuses', async () => {
    await post('messages', message())
    await log(1)
    expect((await server.ask('support.list', { as: manager })).data).toEqual([])
    for (const wrong of [{ status: 'accepted' }, { kind: 'api_send', status: 'open' }] as const)
      expect(await server.call('support.list', { as: manager, query: wrong })).toMatchObject({
        status: 400,
        body: { details: [{ field: 'status' }] },
      })
  })

  test('follows the messages of test keys', async () => {
    const tester = await buildKey(server.database, manager, { environment: 'test' })
    const to = (digits: string) => message({ to: `+9199999000${digits}` })
    await post('messages', to('00'), { as: tester })
    await post('messages', to('03'), { as: tester })
    await post('messages', to('04'), { as: tester })
    await post('messages/batch', { messages: [to('00'), to('03')] }, { as: tester })
    await post('messages/batch', { messages: [to('00'), {}] }, { as: tester })
    await log(5)
    await expect
      .poll(async () => (await list(manager)).map(({ status }) => status).toReversed(), { timeout: 5000 })
      .toEqual(['completed', 'failed', 'processing', 'partially_failed', 'partially_failed'])
    const [, mixed] = await list(manager)
    expect(mixed).toMatchObject({ environment: 'test', counts: { delivered: 1, failed: 1 }, cost: 0 })
    expect(await sent(mixed?.id ?? '')).toMatchObject([
      { status: 'delivered', cost: 0 },
      { status: 'failed', reason: 'operator_rejected', code: 'sandbox_rejected' },
    ])
    expect((await list(manager, { status: 'partially_failed' })).map(({ id }) => id)).toContain(mixed?.id)
  })
})

describe('a message with legs', () => {
  test('of a test key is delivered if its leg is', async () => {
    const tester = await buildKey(server.database, manager, { environment: 'test' })
    await post('messages', message({ to: '+919999900003', legs: [{ text: 'Again' }] }), { as: tester })
    await log(1)
    await expect.poll(async () => (await list(manager))[0]?.status, { timeout: 5000 }).toBe('completed')
    const [request] = await list(manager)
    expect(request?.counts).toMatchObject({ accepted: 1, delivered: 1, failed: 0 })
    expect(await sent(request?.id ?? '')).toMatchObject([{ status: 'failed', legs: [{ channel: 'sms' }] }])
  })

  test('has no final status while a leg may follow or is on its way', async () => {
    const { data } = await post('messages', message({ legs: [{ text: 'Again' }] }))
    await log(1)
    const status = async () => (await list(manager))[0]?.status
    expect(await status()).toBe('accepted')
    const handOver = (id: string, outcome: string) =>
      query(
        `insert into messages (organization_id, created_on, campaign_id, seq, leg, sender_id, phone, status, parts, price, billable_on, attempt, left_on)
         select organization_id, created_on, id, 0, 0, sender_id, phone, $2::message_status, 1, 1500, 'sent', 1, current_date from single_sends where id = $1`,
        [id, outcome],
      )
    await handOver(data.id, 'failed')
    expect(await status()).toBe('processing')
    const second = (await post('messages', message({ text: 'Again' }))).data.id
    await query(
      `insert into single_legs (organization_id, message_id, leg, channel, reason, sent_as) values ($1, $2, 1, 'sms', 'failed', $3)`,
      [manager.organizationId, data.id, second],
    )
    await query('delete from single_failovers where message_id = $1', [data.id])
    const first = async () => (await log(2))[1]
    expect((await first())?.status).toBe('processing')
    await handOver(second, 'delivered')
    expect(await first()).toMatchObject({ status: 'completed', counts: { delivered: 1, failed: 0 } })
  })
})

describe('a request', () => {
  test('is seen by the owner of its key and by accounts above, and by no other account', async () => {
    const tree = await buildTree(server.database)
    await buildSender(server.database, tree.manager)
    const own = await buildKey(server.database, tree.user, { environment: 'test' })
    await post('messages', message(), { as: own })
    const [request] = await log(1, tree.user)
    const id = request?.id ?? ''
    for (const as of [tree.user, tree.head, tree.manager, tree.reseller, tree.admin]) {
      expect((await list(as)).map((each) => each.id)).toContain(id)
      expect((await details(id, as)).createdBy._id).toBe(tree.user.id)
    }
    const colleague = await buildUser(server.database, { parent: tree.manager })
    for (const as of [tree.foreign, colleague]) {
      expect((await list(as)).map((each) => each.id)).not.toContain(id)
      for (const name of ['support.get', 'support.messages'] as const)
        expect(await server.call(name, { as, path: { id } })).toMatchObject({
          status: 404,
          body: { message: 'Request not found' },
        })
    }
  })

  test('stays when its key is deactivated', async () => {
    await post('messages', message())
    await log(1)
    await server.ask('apiKeys.deactivate', { as: manager, path: { id: key.id } })
    expect(await only()).toMatchObject({ key: { id: key.id, name: 'Shop' } })
  })

  test('is not found without the module of the API', async () => {
    const { manager: parent, user } = await buildTree(server.database)
    await buildSender(server.database, parent)
    await post('messages', message(), { as: await buildKey(server.database, user, { environment: 'test' }) })
    const [request] = await log(1, user)
    await server.ask('permissions.grant', {
      as: parent,
      body: { userId: user.id, modulePermissions: [{ moduleName: 'api', granted: false }] },
    })
    expect(await server.call('support.get', { as: user, path: { id: request?.id ?? '' } })).toMatchObject({
      status: 404,
    })
    expect(await server.call('support.list', { as: user, query: { kind: 'api_send' } })).toMatchObject({
      status: 403,
      body: { code: 'module_forbidden' },
    })
  })

  test('is dropped with its day', async () => {
    await post('messages', message())
    await log(1)
    await query('select ensure_partitions(current_date - 31, current_date - 31)')
    await query(
      `update api_requests set created_on = created_on - 31, created_at = created_at - interval '31 days' where account_id = $1`,
      [manager.id],
    )
    expect(await list(manager)).toHaveLength(1)
    await server.database.systemPool.query('select drop_partitions(30)')
    expect(await list(manager)).toEqual([])
  })
})
