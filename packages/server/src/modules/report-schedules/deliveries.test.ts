import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { asSystem } from '../../db/pool.ts'
import { buildAdmin, buildManager, buildUser, type Account } from '../../testing/builders.ts'
import { emailOf } from '../../testing/email-of.ts'
import { openPostOffice, type PostOffice } from '../../testing/post-office.ts'
import { startS3, type S3Server } from '../../testing/s3-server.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { until } from '../../testing/until.ts'
import { startReceiver, verify, type Receiver } from '../../testing/webhook-receiver.ts'
import { noteMailAttempt } from './record-attempt.ts'
import { createSchedule, ended, runsOf, scheduleBody } from './test-schedules.ts'

const secretAccessKey = 'canary-secret-access-key'
const keys = { accessKeyId: 'AKIACARILLON', secretAccessKey, region: 'ap-south-1', bucket: 'carillon-reports' }

let post: PostOffice
let receiver: Receiver
let s3: S3Server
let server: TestServer
let admin: Account
let manager: Account
const log: string[] = []

beforeAll(async () => {
  post = await openPostOffice()
  receiver = await startReceiver()
  s3 = await startS3(keys)
  server = await testServer({
    log,
    environment: {
      SMTP_URL: post.url,
      MAIL_FROM: 'Carillon <mail@carillon.example>',
      PUBLIC_URL: 'https://messages.example',
      EGRESS_ALLOW: `127.0.0.1:${receiver.port},127.0.0.1:${s3.port}`,
    },
  })
  admin = await buildAdmin(server.database)
})
afterAll(async () => {
  await server.close()
  post.close()
  s3.close()
  await receiver.close()
})

beforeEach(async () => {
  manager = await buildManager(server.database, { parent: admin })
  receiver.reset()
  post.received = []
  post.refusals = []
})

const run = async (id: string, as = manager) => {
  await server.ask('reportSchedules.runNow', { as, path: { id }, body: {} })
  return ended(server, as, id)
}
const bucket = () => ({ type: 's3' as const, endpoint: s3.url, ...keys, prefix: 'daily reports' })

/** Undoes quoted-printable. */
const readable = (mail: string) =>
  mail
    .replaceAll('=\r\n', '')
    .replaceAll(/=([\dA-F]{2})/g, (_, code: string) => String.fromCodePoint(parseInt(code, 16)))

test('a mail has the sums, and a link to the report for those who may open it', async () => {
  const user = await buildUser(server.database, { parent: manager })
  const addresses = [await emailOf(server, manager), await emailOf(server, user)]
  const { scheduleId } = await createSchedule(server, { as: manager, destination: { type: 'email', addresses } })
  const { status, reportId, deliveries } = await run(scheduleId)
  expect(status).toBe('delivered')
  expect(deliveries).toEqual(
    addresses.map((target) => ({
      target,
      status: 'delivered',
      nextAttemptAt: null,
      attempts: [{ at: expect.any(String), error: null, response: '250 Taken' }],
    })),
  )
  const mailTo = (address: string) => readable(post.received.find((mail) => mail.includes(`To: ${address}`)) ?? '')
  const [own = '', others = ''] = addresses.map(mailTo)
  expect(own).toContain('Subject: Morning figures')
  expect(own).toContain('0 rows')
  expect(own).toContain('Delivered: 0')
  expect(own).toContain(`https://messages.example/organization/reports?c=${reportId}`)
  expect(others).not.toContain(reportId)
  expect(others).toContain('Your account has no access to the file')
})

test('a run whose deliveries end at the same time ends', async () => {
  const user = await buildUser(server.database, { parent: manager })
  const addresses = [await emailOf(server, manager), await emailOf(server, user)]
  const { scheduleId: id } = await createSchedule(server, { as: manager, destination: { type: 'email', addresses } })
  const { runId } = await run(id)
  const { organizationId } = manager
  const { rows } = await server.database.ownerPool.query<{ id: string; mail: string }>(
    `update report_deliveries set status = 'waiting' where run_id = $1 returning id, mail_id as mail`,
    [runId],
  )
  const both = Promise.withResolvers<undefined>()
  let begun = 0
  const note = ({ mail }: { mail: string }) =>
    asSystem(server.database, async (db) => {
      await db.selectFrom('mails').select('id').where('id', '=', mail).execute()
      begun += 1
      if (begun === rows.length) both.resolve(undefined)
      await both.promise
      await noteMailAttempt(db, { organizationId, id: mail, outcome: 'sent', response: '250 Taken' })
      await new Promise((resolve) => setTimeout(resolve, 100))
    })
  await Promise.all(rows.map(note))
  expect((await runsOf(server, manager, id))[0]?.status).toBe('delivered')
})

test('a mail that bounces is logged with the words of the mail server, and is sent again on request', async () => {
  const addresses = [await emailOf(server, manager)]
  const { scheduleId: id } = await createSchedule(server, { as: manager, destination: { type: 'email', addresses } })
  post.refusals = ['550 5.1.1 No such mailbox']
  const { runId, status, error, deliveries } = await run(id)
  expect({ status, error }).toEqual({ status: 'failed', error: `Not delivered to ${addresses[0]}.` })
  expect(deliveries[0]?.attempts).toMatchObject([{ error: expect.stringContaining('550 5.1.1 No such mailbox') }])
  const { rows } = await server.database.ownerPool.query(
    `select title, description from notifications where account_id = $1 and kind = 'report_schedule_failed'`,
    [manager.id],
  )
  expect(rows).toEqual([
    {
      title: 'A scheduled report was not delivered',
      description: `Morning figures: Not delivered to ${addresses[0]}.`,
    },
  ])
  await server.ask('reportSchedules.sendAgain', { as: manager, path: { id, runId }, body: {} })
  const again = await ended(server, manager, id)
  expect(again.status).toBe('delivered')
  expect(again.deliveries[0]?.attempts).toHaveLength(2)
  expect(await server.call('reportSchedules.sendAgain', { as: manager, path: { id, runId }, body: {} })).toMatchObject({
    status: 409,
    body: { message: 'No delivery of this run has failed' },
  })
})

test('a webhook gets a signed request with the record of the report, whose file an API key downloads', async () => {
  const { scheduleId: id } = await createSchedule(server, {
    as: manager,
    destination: { type: 'webhook', url: receiver.url() },
  })
  const { secret } = await server.ask('reportSchedules.newSecret', { as: manager, path: { id }, body: {} })
  const { reportId, status } = await run(id)
  expect(status).toBe('delivered')
  const [request] = receiver.received
  if (!request) throw new Error('Nothing was received')
  expect(verify(secret, request)).toMatchObject({
    type: 'report.ready',
    data: { reportId, scheduleId: id, format: 'csv', rows: 0, checksum: expect.stringMatching(/^[\da-f]{64}$/) },
  })
  expect(() => verify(`whsec_${Buffer.alloc(32).toString('base64')}`, request)).toThrow()
})

test('a webhook that fails is tried again later; one that answers 410 pauses the schedule', async () => {
  const destination = { type: 'webhook' as const, url: receiver.url() }
  const { scheduleId: id } = await createSchedule(server, { as: manager, destination })
  receiver.respond = (_, response) => response.writeHead(500).end('out of order')
  await server.ask('reportSchedules.runNow', { as: manager, path: { id }, body: {} })
  const delivery = async () => (await runsOf(server, manager, id))[0]?.deliveries[0]
  await until(async () => (await delivery())?.attempts.length === 1, 'the first attempt', 20_000)
  const first = await delivery()
  expect(first).toMatchObject({
    status: 'waiting',
    attempts: [{ error: 'The webhook answered 500', response: 'out of order' }],
  })
  expect(Date.parse(first?.nextAttemptAt ?? '')).toBeGreaterThan(Date.now() + 30_000)
  receiver.respond = (_, response) => response.writeHead(410).end()
  await server.database.ownerPool.query(
    `update graphile_worker._private_jobs set run_at = now() where task_id = (select id from graphile_worker._private_tasks where identifier = 'reports.deliver')`,
  )
  expect(await ended(server, manager, id)).toMatchObject({ status: 'failed' })
  await until(
    async () => (await server.ask('reportSchedules.get', { as: manager, path: { id } })).isPaused,
    'the pause',
    5000,
  )
  expect(await server.ask('reportSchedules.get', { as: manager, path: { id } })).toMatchObject({
    pausedReason: 'The webhook answered 410: it wants no more reports.',
  })
})

test('a bucket gets the file, signed and with its checksum', async () => {
  const { scheduleId: id } = await createSchedule(server, { as: manager, destination: bucket() })
  const { reportId, from, status, deliveries } = await run(id)
  expect(deliveries).toMatchObject([{ target: keys.bucket, attempts: [{ error: null }] }])
  expect(status).toBe('delivered')
  const stored = s3.objects.get(`/${keys.bucket}/daily reports/${from}_${from}_${reportId}.csv`)
  const report = await server.ask('reportFiles.details', { as: manager, path: { id: reportId ?? '' } })
  expect(stored?.contentType).toBe('text/csv; charset=utf-8')
  expect(
    createHash('sha256')
      .update(stored?.body ?? '')
      .digest('hex'),
  ).toBe(report.checksum)
})

test.each([
  [{}, true, 'Wrote and deleted carillon-reports/daily reports/carillon-test.txt'],
  [{ secretAccessKey: 'another' }, false, 'The secret access key is wrong (403 SignatureDoesNotMatch)'],
  [{ accessKeyId: 'AKIAOTHER' }, false, 'The access key ID is unknown (403 InvalidAccessKeyId)'],
  [{ region: 'eu-west-1' }, false, 'The region is wrong (400 AuthorizationHeaderMalformed)'],
  [{ bucket: 'another-bucket' }, false, 'The bucket does not exist (404 NoSuchBucket)'],
])('the test of a bucket with %j says what it answered', async (change, succeeded, response) => {
  const { scheduleId: id } = await createSchedule(server, { as: manager, destination: { ...bucket(), ...change } })
  const test = await server.ask('reportSchedules.testDestination', { as: manager, path: { id }, body: {} })
  expect(test).toEqual({ succeeded, response })
  expect([...s3.objects.keys()].filter((key) => key.endsWith('carillon-test.txt'))).toEqual([])
})

test('wrong keys of a bucket are logged in words', async () => {
  const destination = { ...bucket(), secretAccessKey: 'another' }
  const { scheduleId: id } = await createSchedule(server, { as: manager, destination })
  await server.ask('reportSchedules.runNow', { as: manager, path: { id }, body: {} })
  const delivery = async () => (await runsOf(server, manager, id))[0]?.deliveries[0]
  await until(async () => (await delivery())?.attempts.length === 1, 'the first attempt', 20_000)
  expect((await delivery())?.attempts).toMatchObject([
    { error: 'The secret access key is wrong (403 SignatureDoesNotMatch)', response: null },
  ])
})

test('a secret key is kept when a schedule is changed, but is not sent to another server', async () => {
  const { scheduleId: id } = await createSchedule(server, { as: manager, destination: bucket() })
  const { secretAccessKey: _, ...kept } = bucket()
  const update = (destination: typeof kept) =>
    server.call('reportSchedules.update', { as: manager, path: { id }, body: scheduleBody({ destination }) })
  expect((await update({ ...kept, prefix: 'other' })).status).toBe(200)
  expect(await server.ask('reportSchedules.testDestination', { as: manager, path: { id }, body: {} })).toMatchObject({
    succeeded: true,
  })
  expect(await update({ ...kept, endpoint: receiver.url('') })).toMatchObject({
    status: 400,
    body: { details: [{ field: 'destination.secretAccessKey', message: 'Enter the secret access key' }] },
  })
})

test('secrets are in no answer, log, audit or job, and only sealed in the database', async () => {
  const { scheduleId: id } = await createSchedule(server, { as: manager, destination: bucket() })
  const hook = { type: 'webhook' as const, url: receiver.url() }
  const { scheduleId: hookId } = await createSchedule(server, { as: manager, destination: hook })
  const { secret } = await server.ask('reportSchedules.newSecret', { as: manager, path: { id: hookId }, body: {} })
  await run(id)
  await run(hookId)
  const answers = await Promise.all([
    server.call('reportSchedules.list', { as: manager }),
    server.call('reportSchedules.get', { as: manager, path: { id } }),
    server.call('reportSchedules.deliveries', { as: manager, path: { id } }),
    server.call('reportSchedules.get', { as: manager, path: { id: hookId } }),
  ])
  const { rows } = await server.database.ownerPool.query(`
    select to_jsonb(t)::text as row from report_schedules t union all select to_jsonb(t)::text from audit_log t
    union all select to_jsonb(t)::text from report_deliveries t union all select to_jsonb(t)::text from graphile_worker._private_jobs t
    union all select to_jsonb(t)::text from mails t`)
  const seen = [...answers.map(({ text }) => text), ...log, ...rows.map((row) => String(row.row))].join('\n')
  for (const hidden of [secretAccessKey, secret, secret.replace('whsec_', '')]) expect(seen).not.toContain(hidden)
})

test('a member who left gets no mail', async () => {
  const user = await buildUser(server.database, { parent: manager })
  const addresses = [await emailOf(server, user)]
  const { scheduleId: id } = await createSchedule(server, { as: manager, destination: { type: 'email', addresses } })
  await server.database.ownerPool.query(`update accounts set status = 'closed' where id = $1`, [user.id])
  const { deliveries } = await run(id)
  expect(deliveries).toMatchObject([
    { status: 'failed', attempts: [{ error: 'Not an active member of the organization any more' }] },
  ])
  expect(post.received).toEqual([])
})
