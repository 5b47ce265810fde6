import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildAdmin, buildManager, buildUser, type Account } from '../../testing/builders.ts'
import { emailOf } from '../../testing/email-of.ts'
import { killedProcesses } from '../../testing/killed-process.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { createSchedule, dueAt, runAt, runsOf, scheduleBody } from './test-schedules.ts'

/** Prepares nothing by itself. */
let server: TestServer
let admin: Account
let manager: Account
let user: Account
let destination: { type: 'email'; addresses: string[] }

beforeAll(async () => {
  server = await testServer({ flags: ['--run=web'] })
  admin = await buildAdmin(server.database)
})
afterAll(() => server.close())

beforeEach(async () => {
  manager = await buildManager(server.database, { parent: admin })
  user = await buildUser(server.database, { parent: manager })
  destination = { type: 'email', addresses: [await emailOf(server, manager)] }
})

const create = (wanted: Partial<Parameters<typeof createSchedule>[1]> = {}) =>
  createSchedule(server, { as: manager, destination, ...wanted })
const read = (id: string, as = manager) => server.ask('reportSchedules.get', { as, path: { id } })

test('a due schedule requests the report of the day before, once, and moves to its next run', async () => {
  const { scheduleId: id } = await create()
  await dueAt(server, id, '2027-03-01T03:30:00Z')
  await runAt(server, '2027-03-01T03:30:20Z')
  await runAt(server, '2027-03-01T03:31:20Z')
  const [run, ...others] = await runsOf(server, manager, id)
  expect(others).toEqual([])
  expect(run).toMatchObject({
    dueAt: '2027-03-01T03:30:00.000Z',
    from: '2027-02-28',
    to: '2027-02-28',
    status: 'preparing',
    isManual: false,
    error: null,
  })
  const report = await server.ask('reportFiles.details', { as: manager, path: { id: run?.reportId ?? '' } })
  expect(report).toMatchObject({
    name: 'Morning figures 2027-02-28',
    type: 'campaign_summary',
    from: '2027-02-28',
    format: 'csv',
    status: 'queued',
  })
  expect(await read(id)).toMatchObject({ nextRunAt: '2027-03-02T03:30:00.000Z', lastRun: { runId: run?.runId } })
})

test.each([
  [{ frequency: 'weekly', weekday: 1 }, '2027-03-01T03:30:00Z', '2027-02-22', '2027-02-28'],
  [{ frequency: 'monthly', dayOfMonth: 1 }, '2027-03-01T03:30:00Z', '2027-02-01', '2027-02-28'],
  [{ frequency: 'monthly', dayOfMonth: 31 }, '2027-02-28T03:30:00Z', '2027-01-31', '2027-02-27'],
  // In the zone of the organization, it is the next day.
  [
    { frequency: 'daily', timezone: 'America/New_York', time: '18:00' },
    '2027-03-01T23:00:00Z',
    '2027-03-01',
    '2027-03-01',
  ],
] as const)('a report of %j at %s has the days from %s to %s', async (rule, at, from, to) => {
  const { scheduleId: id } = await create(rule)
  await dueAt(server, id, at)
  await runAt(server, at)
  expect((await runsOf(server, manager, id))[0]).toMatchObject({ from, to })
})

test('of missed runs, only the last one is made up', async () => {
  const { scheduleId: id } = await create()
  await dueAt(server, id, '2027-03-01T03:30:00Z')
  await runAt(server, '2027-03-04T10:00:00Z')
  const runs = await runsOf(server, manager, id)
  expect(runs.map(({ dueAt: at, from }) => [at, from])).toEqual([['2027-03-04T03:30:00.000Z', '2027-03-03']])
  expect((await read(id)).nextRunAt).toBe('2027-03-05T03:30:00.000Z')
})

test('two workers at once run a schedule once', async () => {
  const { scheduleId: id } = await create()
  await dueAt(server, id, '2027-03-01T03:30:00Z')
  await Promise.all(Array.from({ length: 4 }, () => runAt(server, '2027-03-01T03:30:10Z')))
  expect(await runsOf(server, manager, id)).toHaveLength(1)
})

test('a worker that is killed between claim and request loses no run', async () => {
  const { scheduleId: id } = await create()
  await dueAt(server, id, new Date(Date.now() - 60_000).toISOString())
  const before = await server.database.ownerPool.query('select next_run_at from report_schedules where id = $1', [id])
  const killed = killedProcesses(server)
  const { exited } = await killed.startKilledAt('report-schedule-claimed', { role: 'worker' })
  await server.database.ownerPool.query(`select enqueue_job('reports.run_schedules', '{}'::json, null, null, null)`)
  await exited
  const after = await server.database.ownerPool.query('select next_run_at from report_schedules where id = $1', [id])
  expect(after.rows).toEqual(before.rows)
  expect(await runsOf(server, manager, id)).toEqual([])
  await runAt(server, new Date().toISOString())
  expect(await runsOf(server, manager, id)).toHaveLength(1)
  killed.end()
}, 60_000)

test.each([
  ['suspended', { status: 'suspended' }, 'The account of this schedule is suspended.'],
  ['closed', { status: 'closed' }, 'The account of this schedule is closed.'],
  ['given another role', { role: 'reseller' }, 'The account of this schedule may no longer request reports.'],
] as const)('a schedule whose owner was %s is refused with words, and pauses', async (_, change, error) => {
  const own = { type: 'email' as const, addresses: [await emailOf(server, user)] }
  const { scheduleId: id } = await create({ as: user, destination: own })
  await dueAt(server, id, '2027-03-01T03:30:00Z')
  const [[column, value] = []] = Object.entries(change)
  await server.database.ownerPool.query(`update accounts set ${column} = $2 where id = $1`, [user.id, value])
  await runAt(server, '2027-03-01T03:30:10Z')
  expect(await runsOf(server, manager, id)).toMatchObject([{ status: 'failed', error, reportId: null, deliveries: [] }])
  expect(await read(id)).toMatchObject({ isPaused: true, pausedReason: error, nextRunAt: null })
  const { rows } = await server.database.ownerPool.query(
    'select kind, description from notifications where account_id = $1',
    [user.id],
  )
  expect(rows).toEqual([{ kind: 'report_schedule_failed', description: `Morning figures: ${error}` }])
  await runAt(server, '2027-03-02T03:30:10Z')
  expect(await runsOf(server, manager, id)).toHaveLength(1)
})

test('a schedule that is paused does not run, and runs that were due meanwhile are not made up', async () => {
  const { scheduleId: id } = await create()
  await dueAt(server, id, '2026-01-01T03:30:00Z')
  await server.ask('reportSchedules.pause', { as: manager, path: { id }, body: { isPaused: true } })
  await runAt(server, new Date().toISOString())
  const { nextRunAt } = await server.ask('reportSchedules.pause', {
    as: manager,
    path: { id },
    body: { isPaused: false },
  })
  expect(Date.parse(nextRunAt ?? '')).toBeGreaterThan(Date.now())
  await runAt(server, new Date().toISOString())
  expect(await runsOf(server, manager, id)).toEqual([])
})

test('a run on request has the last complete period, and is refused while another is prepared', async () => {
  const { scheduleId: id } = await create()
  const run = await server.ask('reportSchedules.runNow', { as: manager, path: { id }, body: {} })
  expect(run).toMatchObject({ isManual: true, status: 'preparing', deliveries: [] })
  expect(await server.call('reportSchedules.runNow', { as: manager, path: { id }, body: {} })).toMatchObject({
    status: 409,
    body: { message: 'A run of this schedule is being prepared: wait until it is ready' },
  })
  // The report that was deleted is no longer waited for.
  await server.ask('reportFiles.delete', { as: manager, path: { id: run.reportId ?? '' } })
  expect(await runsOf(server, manager, id)).toMatchObject([
    { status: 'failed', error: 'The report was deleted before it was ready' },
  ])
  await server.ask('reportSchedules.runNow', { as: manager, path: { id }, body: {} })
})

test('a manager sees the schedules of the organization; its user their own; another organization none', async () => {
  const { scheduleId: ofManager } = await create()
  const own = { type: 'email' as const, addresses: [await emailOf(server, user)] }
  const { scheduleId: ofUser } = await create({ as: user, destination: own })
  const foreign = await buildManager(server.database, { parent: admin })
  const ids = async (as: Account) =>
    (await server.ask('reportSchedules.list', { as })).schedules.map(({ scheduleId }) => scheduleId)
  expect(await ids(manager)).toEqual([ofUser, ofManager])
  expect(await ids(user)).toEqual([ofUser])
  expect(await ids(foreign)).toEqual([])
  const missing = { status: 404, body: { message: 'Schedule not found' } }
  for (const [as, id] of [
    [user, ofManager],
    [foreign, ofUser],
  ] as const) {
    const path = { id }
    expect(await server.call('reportSchedules.get', { as, path })).toMatchObject(missing)
    expect(await server.call('reportSchedules.deliveries', { as, path })).toMatchObject(missing)
    expect(await server.call('reportSchedules.runNow', { as, path, body: {} })).toMatchObject(missing)
    expect(await server.call('reportSchedules.delete', { as, path })).toMatchObject(missing)
    expect(await server.call('reportSchedules.testDestination', { as, path, body: {} })).toMatchObject(missing)
  }
})

test('a schedule is changed by its manager and remains that of its owner; when deleted, its log is', async () => {
  const own = { type: 'email' as const, addresses: [await emailOf(server, user)] }
  const { scheduleId: id } = await create({ as: user, destination: own })
  const body = scheduleBody({
    name: 'Evening figures',
    frequency: 'weekly',
    weekday: 5,
    time: '18:00',
    destination: own,
  })
  const changed = await server.ask('reportSchedules.update', { as: manager, path: { id }, body })
  expect(changed).toMatchObject({ name: 'Evening figures', weekday: 5, dayOfMonth: null, owner: { _id: user.id } })
  await server.ask('reportSchedules.delete', { as: manager, path: { id } })
  expect((await server.call('reportSchedules.get', { as: user, path: { id } })).status).toBe(404)
})

test.each([
  [{ frequency: 'weekly' as const }, 'weekday', 'Choose a day of the week'],
  [{ frequency: 'monthly' as const }, 'dayOfMonth', 'Choose a day of the month'],
  [
    { destination: { type: 'email' as const, addresses: ['someone@else.example'] } },
    'destination.addresses',
    'Not an active member of your organization: someone@else.example',
  ],
  [
    { destination: { type: 'webhook' as const, url: 'https://10.0.0.1/hook' } },
    'destination.url',
    '10.0.0.1 is not a public address; the operator of the server can allow it with EGRESS_ALLOW',
  ],
  [
    { destination: { type: 'webhook' as const, url: 'http://93.184.216.34/hook' } },
    'destination.url',
    'Only https URLs can be used here',
  ],
])('%j is refused', async (wanted, field, message) => {
  const body = scheduleBody({ destination, ...wanted })
  expect(await server.call('reportSchedules.create', { as: manager, body })).toMatchObject({
    status: 400,
    body: { details: [{ field, message }] },
  })
})

test('a schedule needs what its report needs, when it is created and when it runs', async () => {
  const body = (wanted: Partial<Parameters<typeof scheduleBody>[0]>) => scheduleBody({ destination, ...wanted })
  const refused = await server.call('reportSchedules.create', { as: user, body: body({ type: 'audit_log' }) })
  expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  const limited = await server.call('reportSchedules.create', {
    as: manager,
    body: body({ type: 'audit_log', channel: 'sms' }),
  })
  expect(limited).toMatchObject({ status: 400, body: { details: [{ field: 'channel' }] } })
  const { scheduleId: id } = await create({ as: user, type: 'api_usage' })
  await server.database.ownerPool.query('delete from account_modules where account_id = $1', [user.id])
  await dueAt(server, id, '2027-03-01T03:30:00Z')
  await runAt(server, '2027-03-01T03:30:20Z')
  const reason = 'The report API usage needs the module api.'
  expect((await runsOf(server, user, id))[0]).toMatchObject({ status: 'failed', error: reason })
  expect(await read(id, user)).toMatchObject({ isPaused: true, pausedReason: reason })
})
