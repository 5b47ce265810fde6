import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem, type Db } from '../db/pool.ts'
import { queueMail } from '../modules/mails/index.ts'
import { enqueueLineSync } from '../modules/senders/index.ts'
import { enqueueTemplateSync } from '../modules/templates/index.ts'
import { buildManager, type Account } from '../testing/builders.ts'
import { sampleConnection } from '../testing/meta-ids.ts'
import { openPostOffice, type PostOffice } from '../testing/post-office.ts'
import { testServer, type TestServer } from '../testing/server.ts'
import { until } from '../testing/until.ts'

/** A provider that answers at first, and later receives requests for lists and never answers. Each job requests one list. */
function createProvider() {
  const held: ServerResponse[] = []
  const provider = { isHanging: false, held, abandoned: 0, lists: 0, server: createServer() }
  provider.server.on('request', ({ url }, response) => {
    const isList = /\/(?:phone_numbers|message_templates)\?/.test(url ?? '')
    if (isList) provider.lists += 1
    if (!isList || !provider.isHanging) return answer(response)
    held.push(response)
    response.on('close', () => (provider.abandoned += 1))
  })
  return provider
}

const answer = (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"data": []}')

const hanging = createProvider()
const healthy = createProvider()
let post: PostOffice
let server: TestServer
/** Has accounts with the provider that answers. */
let other: Account

beforeAll(async () => {
  post = await openPostOffice()
  const addresses = await Promise.all([listen(hanging), listen(healthy)])
  server = await testServer({ environment: { SMTP_URL: post.url, EGRESS_ALLOW: addresses.join(',') } })
  other = await buildManager(server.database)
  await connect(other, healthy)
})
afterAll(async () => {
  for (const provider of [hanging, healthy]) {
    provider.server.closeAllConnections()
    provider.server.close()
  }
  post.close()
  await server.close()
})

type Provider = ReturnType<typeof createProvider>

async function listen({ server: http }: Provider): Promise<string> {
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  return `127.0.0.1:${portOf(http)}`
}

// A server on a port has the address of one.
const portOf = (http: Provider['server']) => (http.address() as AddressInfo).port

const connect = (as: Account, provider: Provider) =>
  server.call('wabas.connect', {
    as,
    body: sampleConnection(`http://127.0.0.1:${portOf(provider.server)}`),
  })

const run = <Result>(work: (db: Db) => Promise<Result>) => asSystem(server.database, work)

/** Both jobs for every account of the organisation. */
async function enqueueSyncs({ organizationId }: Account): Promise<void> {
  const accounts = await run((db) =>
    db.selectFrom('provider_accounts').select('id').where('organization_id', '=', organizationId).execute(),
  )
  for (const { id: accountId } of accounts)
    await run(async (db) => {
      await enqueueLineSync(db, { organizationId, accountId })
      await enqueueTemplateSync(db, { organizationId, accountId })
    })
}

async function isQueueEmpty(): Promise<boolean> {
  const { rows } = await server.database.ownerPool.query('select from graphile_worker.jobs where run_at <= now()')
  return rows.length === 0
}

/** A mail, an import, and the jobs of an organisation whose provider answers. */
async function expectOtherJobsDone(subject: string): Promise<void> {
  const before = healthy.lists
  await enqueueSyncs(other)
  await run((db) => queueMail(db, { organizationId: other.organizationId, to: 'asha@test.example', subject, body: '' }))
  const { _id } = await server.ask('audience.create', {
    as: other,
    body: {},
    files: { file: { name: 'people.csv', content: 'Name,Mobile\nAsha,9845011101\n' } },
  })
  await until(() => post.received.some((mail) => mail.includes(`Subject: ${subject}`)), 'the mail')
  await until(
    async () => (await server.ask('audience.get', { as: other, path: { id: _id } })).status === 'ready',
    'the import',
  )
  await until(() => healthy.lists >= before + 2, 'the other organisation’s jobs')
}

async function release(): Promise<void> {
  hanging.isHanging = false
  for (const response of hanging.held.splice(0)) answer(response)
  await until(isQueueEmpty, 'the jobs that waited')
  hanging.abandoned = 0
}

test('of an organisation whose provider never answers, one job waits for it; other jobs run meanwhile', async () => {
  const manager = await buildManager(server.database)
  for (let account = 0; account < 6; account += 1) await connect(manager, hanging)
  await until(isQueueEmpty, 'an empty queue')
  hanging.isHanging = true
  await enqueueSyncs(manager)
  await until(() => hanging.held.length > 0, 'a job that waits')
  await expectOtherJobsDone('One hangs')
  expect(hanging.held).toHaveLength(1)
  expect(hanging.abandoned).toBe(0)
  await release()
})

test('while the providers of fifty organisations never answer, the jobs of others run', async () => {
  const managers = await Promise.all(Array.from({ length: 50 }, () => buildManager(server.database)))
  for (const manager of managers) await connect(manager, hanging)
  await until(isQueueEmpty, 'an empty queue')
  hanging.isHanging = true
  for (const manager of managers) await enqueueSyncs(manager)
  await until(() => hanging.held.length === managers.length, 'a waiting job of each')
  await expectOtherJobsDone('Fifty hang')
  expect(hanging.held).toHaveLength(managers.length)
  expect(hanging.abandoned).toBe(0)
  await release()
}, 90_000)

test('while the mail server never answers, imports and the jobs of providers run', async () => {
  post.isSilent = true
  const mail = { organizationId: other.organizationId, to: 'asha@test.example', body: '' }
  for (let count = 0; count < 8; count += 1) await run((db) => queueMail(db, { ...mail, subject: `Silence ${count}` }))
  const before = healthy.lists
  await enqueueSyncs(other)
  const { _id } = await server.ask('audience.create', {
    as: other,
    body: {},
    files: { file: { name: 'people.csv', content: 'Name,Mobile\nAsha,9845011102\n' } },
  })
  await until(
    async () => (await server.ask('audience.get', { as: other, path: { id: _id } })).status === 'ready',
    'the import',
  )
  await until(() => healthy.lists >= before + 2, 'the jobs of a provider')
  const { rows } = await server.database.ownerPool.query(
    `select from mails where subject like 'Silence%' and attempts = 0`,
  )
  expect(rows).toHaveLength(8)
})
