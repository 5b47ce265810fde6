import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { register } from 'prom-client'
import type { AnsweredCall } from '../../http/answered-calls.ts'
import { newId } from '../../lib/ids.ts'
import { createLogger } from '../../lib/logger.ts'
import { buildKey, type TestKey } from '../../testing/api-keys.ts'
import { buildManager, type Account } from '../../testing/builders.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { createRequestLog } from './request-log.ts'

let server: TestServer
let manager: Account
let key: TestKey

beforeAll(async () => {
  server = await testServer({ flags: ['--run=worker'] })
})
beforeEach(async () => {
  manager = await buildManager(server.database)
  key = await buildKey(server.database, manager)
})
afterAll(() => server.close())

const limits = { rows: 20, bytes: 1_000_000, insertRows: 4, insertBytes: 100_000 }

function create(more: Partial<typeof limits> = {}) {
  const lines: string[] = []
  const logger = createLogger('trace', { write: (line) => lines.push(line) })
  return { lines, log: createRequestLog({ database: server.database, logger, limits: { ...limits, ...more } }) }
}

function call(path: string, requestBody: unknown = {}): AnsweredCall {
  const { id: accountId, organizationId } = manager
  return {
    requestId: newId(),
    call: 'publicMessages.send',
    actor: {
      kind: 'user',
      accountId,
      organizationId,
      role: 'manager',
      username: '',
      email: '',
      timezone: 'Asia/Kolkata',
      modules: new Set(['api']),
      scope: { organizationId, path: 'x', descends: false },
      sessionId: undefined,
      impersonatedBy: undefined,
      isSuspended: false,
      mustSetPassword: false,
      apiKey: { id: key.id, prefix: '', environment: 'live', scopes: new Set(['messages:send']), config: undefined },
    },
    method: 'POST',
    path,
    clientAddress: '203.0.113.7',
    idempotencyKey: undefined,
    isReplay: false,
    receivedAt: new Date(),
    durationMs: 3,
    requestBody,
    status: 400,
    responseBody: { success: false, code: 'bad_request', message: 'Wrong' },
  }
}

const stored = async () =>
  (
    await server.database.ownerPool.query<{ path: string }>(
      'select path from api_requests where account_id = $1 order by id',
      [manager.id],
    )
  ).rows.map(({ path }) => path)

async function countLost(reason: string): Promise<number> {
  const line = (await register.metrics())
    .split('\n')
    .find((each) => each.startsWith(`carillon_request_log_lost_total{reason="${reason}"}`))
  return Number(line?.split(' ')[1] ?? 0)
}

test('what waits is written in batches, in order, also when the process stops', async () => {
  const { log } = create()
  const paths = Array.from({ length: 11 }, (_, index) => `/${index}`)
  for (const path of paths) log.note(call(path))
  expect(await stored()).toEqual([])
  await log.start().stop()
  expect(await stored()).toEqual(paths)
})

test('calls are written within a second, and none twice', async () => {
  const { log } = create()
  const writing = log.start()
  try {
    for (const path of ['/1', '/2', '/3']) {
      log.note(call(path))
      await expect.poll(stored, { timeout: 2000 }).toContain(path)
    }
  } finally {
    await writing.stop()
  }
  expect(await stored()).toEqual(['/1', '/2', '/3'])
})

test('a full buffer drops later calls, counts them and says so once', async () => {
  const before = await countLost('full')
  const { log, lines } = create({ rows: 3 })
  for (const path of ['/1', '/2', '/3', '/4', '/5']) log.note(call(path))
  await log.start().stop()
  expect(await stored()).toEqual(['/1', '/2', '/3'])
  expect((await countLost('full')) - before).toBe(2)
  expect(lines.filter((line) => line.includes('missing in the request log'))).toEqual([
    expect.stringContaining('"dropped":2'),
  ])
})

test('the buffer is limited by its size as well', async () => {
  const { log } = create({ bytes: 100_000 })
  for (const path of ['/1', '/2', '/3', '/4'])
    log.note(call(path, { messages: Array.from({ length: 1000 }, () => ({ text: 'Hello' })) }))
  await log.start().stop()
  expect(await stored()).toEqual(['/1', '/2'])
})

test('calls stay in the buffer while the database does not answer', async () => {
  const { log, lines } = create()
  const { ownerPool } = server.database
  await ownerPool.query('alter table api_requests rename to api_requests_away')
  const writing = log.start()
  try {
    log.note(call('/1'))
    await expect.poll(() => lines.some((line) => line.includes('is retried'))).toBe(true)
  } finally {
    await ownerPool.query('alter table api_requests_away rename to api_requests')
  }
  log.note(call('/2'))
  await writing.stop()
  expect(await stored()).toEqual(['/1', '/2'])
})

test('a call that the database refuses is counted, and does not stop others', async () => {
  const before = await countLost('refused')
  const { log, lines } = create({ insertRows: 1 })
  log.note({ ...call('/1'), receivedAt: new Date('2001-01-01') })
  log.note(call('/2'))
  await log.start().stop()
  expect(await stored()).toEqual(['/2'])
  expect((await countLost('refused')) - before).toBe(1)
  expect(lines.some((line) => line.includes('refused calls of the request log'))).toBe(true)
})
