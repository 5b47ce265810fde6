import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '../../db/pool.ts'
import { createLogger } from '../../lib/logger.ts'
import { buildAdmin, buildManager, buildReseller, type Account } from '../../testing/builders.ts'
import { setSmsPrice } from '../../testing/money.ts'
import { until } from '../../testing/until.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { getBalance } from '../balance/index.ts'
import { settleStopped } from '../messages/housekeeping/complete-finished.ts'
import { buildCampaign, buildSender, fakeProvider, startTestSender } from '../messages/test-lane.ts'
import { sendSingle } from '../messages/index.ts'
import { openRestoreGuard } from './index.ts'
import { pauseSending } from './pause-sending.ts'

let server: TestServer
let admin: Account
let manager: Account
let running: string
let paused: string
let ended: string

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await server.database.systemPool.query<Row>(text, values)).rows
const state = () => server.ask('sending.state', { as: admin })
const health = async () => (await (await fetch(`${server.url}/health/ready`)).json()) as object

async function sendOne(phoneNumber: string): Promise<string> {
  const [sender] = await query<{ id: string }>('select id from senders')
  const { organizationId, id: accountId, path } = manager
  const { messageId } = await asSystem(server.database, (db) =>
    sendSingle(db, {
      channel: 'sms',
      organizationId,
      accountId,
      path,
      senderId: sender?.id ?? '',
      kind: 'api',
      phoneNumber,
      header: 'ACMEIN',
      text: 'Your code is 123456',
      category: 'service_implicit',
    }),
  )
  return messageId
}

beforeAll(async () => {
  server = await testServer({ flags: ['--run=web'] })
  admin = await buildAdmin(server.database)
  manager = await buildManager(server.database, { parent: await buildReseller(server.database, { parent: admin }) })
  const senderId = await buildSender(server.database, manager)
  const build = () => buildCampaign(server.database, { owner: manager, senderId, total: 1000, chunkSize: 500 })
  ;[running, paused, ended] = [await build(), await build(), await build()]
  await query(`update campaigns set status = 'paused' where id = $1`, [paused])
  await query(`update campaigns set status = 'completed' where id = $1`, [ended])
  await query('update campaigns set started_at = now() where organization_id = $1', [manager.organizationId])
  await query('update chunks set watermark = 200, recorded = 120 where campaign_id = $1 and chunk_no = 0', [running])
})
afterAll(() => server.close())

test('sending is paused with --after-restore: only admins see the reason and what was under way', async () => {
  expect(await state()).toMatchObject({ isPaused: false, campaigns: [] })
  const guard = await openRestoreGuard({
    database: server.database,
    dataDirectory: server.dataDirectory,
    logger: createLogger('silent'),
    isEmbedded: false,
    isSender: true,
    trustsFailover: false,
    isAfterRestore: true,
  })
  expect(guard.notice()).toMatch('started with --after-restore')
  await guard.stop()
  expect(await state()).toMatchObject({
    isPaused: true,
    reason: 'The server was started with --after-restore',
    totalCampaigns: 2,
    campaigns: expect.arrayContaining([
      expect.objectContaining({ _id: running, status: 'queued', total: 1000, done: 120, inFlight: 80, waiting: 800 }),
      expect.objectContaining({ _id: paused, status: 'paused', done: 0, inFlight: 0, waiting: 1000 }),
    ]),
  })
  expect((await server.call('sending.state', { as: manager })).status).toBe(403)
  await until(async () => 'sending' in (await health()), 'the other process to notice')
  expect(await health()).toEqual({
    status: 'ready',
    version: 'test',
    sending: expect.stringContaining('started with --after-restore'),
  })
  const notifications = await server.call('notifications.list', { as: admin })
  expect(notifications.body).toMatchObject({
    data: { notifications: [{ kind: 'sending_paused', title: 'Sending is paused', link: { type: 'sending' } }] },
  })
})

test('single messages are accepted while sending is paused, and wait', async () => {
  await setSmsPrice(server.database, manager, 1500)
  const id = await sendOne('+919812345678')
  expect(await query('select submitting_epoch from priority_messages where id = $1', [id])).toEqual([
    { submitting_epoch: null },
  ])
})

test('each campaign needs a decision; a cancelled one releases its money, a continued one resumes', async () => {
  const resume = (body: object, as = admin) => server.call('sending.resume', { as, body })
  expect(await resume({})).toMatchObject({ status: 409, body: { message: 'Decide what happens to 2 more campaigns' } })
  const one = { campaigns: [{ campaignId: running, decision: 'cancel' }] }
  expect(await resume(one)).toMatchObject({
    status: 409,
    body: { message: 'Decide what happens to one more campaign' },
  })
  expect((await resume({ ...one, others: 'send' }, manager)).status).toBe(403)
  const held = async () => (await asSystem(server.database, (db) => getBalance(db, manager))).held
  const before = await held()

  expect(await resume({ ...one, others: 'send' })).toMatchObject({
    status: 200,
    body: { data: { cancelled: 1, continued: 1 } },
  })
  expect(await state()).toMatchObject({ isPaused: false, campaigns: [] })
  await until(async () => !('sending' in (await health())), 'the other process to notice')
  await settleStopped(server.database.systemPool)
  expect(before - (await held())).toBe(1000 * 1000)
  expect(
    await query('select id, status from campaigns where id = any($1) order by status', [[running, paused]]),
  ).toEqual([
    { id: paused, status: 'paused' },
    { id: running, status: 'cancelled' },
  ])
  const audit = await query<{ action: string; actor_id: string | null; details: object }>(
    `select action, actor_id, details from audit_log where action like 'sending.%' order by seq`,
  )
  expect(audit).toEqual([
    { action: 'sending.paused', actor_id: null, details: { reason: 'requested' } },
    { action: 'sending.resumed', actor_id: admin.id, details: { cancelled: 1, continued: 1 } },
  ])
  expect(await resume({ others: 'send' })).toMatchObject({ status: 409, body: { message: 'Sending is not paused' } })
})

test('single messages queued in the restored database end as unknown, those accepted since are sent', async () => {
  const fake = fakeProvider({ idempotent: true })
  await query('delete from priority_messages')
  const waiting = await sendOne('+919812345671')
  await asSystem(server.database, (db) => pauseSending(db, 'requested'))
  const since = await sendOne('+919812345672')
  expect((await server.call('sending.resume', { as: admin, body: { others: 'cancel' } })).status).toBe(200)

  const sender = await startTestSender({ database: server.database, url: server.databaseUrl }, { provider: fake })
  const statuses = () =>
    query('select campaign_id as id, status from messages where campaign_id = any($1) order by phone', [
      [waiting, since],
    ])
  await until(async () => (await statuses()).length === 2, 'both results')
  await sender.stop()
  expect(await statuses()).toEqual([
    { id: waiting, status: 'unknown' },
    { id: since, status: 'sent' },
  ])
  expect(fake.handedOver.map(({ to }) => to)).toEqual(['+919812345672'])
})
