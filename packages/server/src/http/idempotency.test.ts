import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asSystem } from '../db/pool.ts'
import { buildManager, type Account } from '../testing/builders.ts'
import { testServer, type TestServer } from '../testing/server.ts'
import { sweepIdempotencyKeys } from './idempotency.ts'

let server: TestServer
let manager: Account

beforeAll(async () => {
  server = await testServer()
  manager = await buildManager(server.database)
})
afterAll(() => server.close())

type Upload = { key: string; pixels: string; name?: string; as?: Account }

async function upload({ key, pixels, name = 'picture.png', as = manager }: Upload) {
  const { status, body } = await server.call('uploads.create', {
    as,
    headers: { 'idempotency-key': key },
    body: { channel: 'sms' },
    files: { fileContent: { name, content: Buffer.from(`89504e470d0a1a0a${pixels}`, 'hex'), type: 'image/png' } },
  })
  return { status, body }
}

async function countUploads(as = manager): Promise<number> {
  return (await server.ask('uploads.list', { as, query: { channel: 'sms' } })).length
}

test('a repeat returns the first response and does nothing', async () => {
  const first = await upload({ key: 'once', pixels: '00' })
  const before = await countUploads()
  expect(await upload({ key: 'once', pixels: '00' })).toEqual(first)
  expect(await countUploads()).toBe(before)
})

test('the same key with other bytes is a different request', async () => {
  await upload({ key: 'bytes', pixels: '00' })
  expect(await upload({ key: 'bytes', pixels: '01' })).toMatchObject({
    status: 422,
    body: { success: false, message: 'This Idempotency-Key was used for a different request' },
  })
})

test('two concurrent uploads with one key are one upload', async () => {
  const before = await countUploads()
  const answers = await Promise.all(Array.from({ length: 4 }, () => upload({ key: 'twins', pixels: '02' })))
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(await countUploads()).toBe(before + 1)
})

test('a key belongs to its account', async () => {
  const other = await buildManager(server.database)
  const mine = await upload({ key: 'shared', pixels: '03' })
  const theirs = await upload({ key: 'shared', pixels: '04', as: other })
  expect({ mine: mine.status, theirs: theirs.status }).toEqual({ mine: 200, theirs: 200 })
})

test.each([
  ['an empty key', '', 400],
  ['a key of 256 characters', 'k'.repeat(256), 400],
  ['a key of 255 characters', 'k'.repeat(255), 200],
])('%s', async (_, key, status) => {
  expect(await upload({ key, pixels: '05' })).toMatchObject({ status })
})

test('a rejected call leaves its key free', async () => {
  const call = (channel: 'sms' | 'rcs') =>
    server.call('uploads.create', {
      as: manager,
      headers: { 'idempotency-key': 'again' },
      body: { channel },
      files: { fileContent: { name: 'page.html', content: channel === 'sms' ? '%PDF-1.7\n' : '<html>' } },
    })
  expect((await call('rcs')).status).toBeGreaterThanOrEqual(400)
  expect((await call('sms')).status).toBe(200)
})

test('keys are deleted after seven days, some at a time', async () => {
  const insert = (key: string, age: string) =>
    asSystem(server.database, (db) =>
      sql`insert into idempotency_keys (organization_id, account_id, endpoint, key, request_hash, status, created_at)
        values (${manager.organizationId}, ${manager.id}, 'swept', ${key}, '', 200, now() - ${age}::interval)`.execute(
        db,
      ),
    )
  for (const day of [8, 9, 10]) await insert(`of day ${day}`, `${day} days`)
  await insert('recent', '6 days 23 hours')
  const keys = async () => {
    const { rows } = await asSystem(server.database, (db) =>
      sql<{ key: string }>`select key from idempotency_keys where endpoint = 'swept' order by created_at desc`.execute(
        db,
      ),
    )
    return rows.map(({ key }) => key)
  }
  const sweep = () => asSystem(server.database, (db) => sweepIdempotencyKeys(db, 2))
  expect(await sweep()).toBe(true)
  expect(await keys()).toEqual(['recent', 'of day 8'])
  expect(await sweep()).toBe(false)
  expect(await keys()).toEqual(['recent'])
})

describe('a call without a transaction', () => {
  const rename = (key: string, name: string) =>
    server.call('profile.update', { as: manager, headers: { 'idempotency-key': key }, body: { name } })
  const claim = (key: string, age: string) =>
    asSystem(server.database, (db) =>
      sql`insert into idempotency_keys (organization_id, account_id, endpoint, key, request_hash, created_at)
        values (${manager.organizationId}, ${manager.id}, 'profile.update', ${key},
          sha256(convert_to(${JSON.stringify({ body: { name: 'Claimed' }, files: {} })}, 'UTF8')), now() - ${age}::interval)`.execute(
        db,
      ),
    )

  test('returns the first response for a repeat', async () => {
    const first = await rename('renamed', 'Asha')
    await rename('renamed again', 'Bina')
    expect(first.status).toBe(200)
    expect((await rename('renamed', 'Asha')).body).toEqual(first.body)
    expect(await rename('renamed', 'Chitra')).toMatchObject({ status: 422 })
  })

  test('runs once, however many arrive at the same time', async () => {
    const before = await countChanges()
    const answers = await Promise.all(Array.from({ length: 8 }, () => rename('at once', 'Divya')))
    for (const { status } of answers) expect([200, 409]).toContain(status)
    expect(answers.some(({ status }) => status === 200)).toBe(true)
    expect(await countChanges()).toBe(before + 1)
  })

  test('is rejected while the first is in progress, until the claim is too old', async () => {
    await claim('in progress', '1 minute')
    expect(await rename('in progress', 'Claimed')).toMatchObject({ status: 409 })
    await claim('left behind', '11 minutes')
    expect(await rename('left behind', 'Claimed')).toMatchObject({ status: 200 })
  })

  test('leaves its key free when it fails', async () => {
    const change = (email: string) =>
      server.call('profile.update', { as: manager, headers: { 'idempotency-key': 'failed' }, body: { email } })
    expect(await change('elsewhere@test.example')).toMatchObject({ status: 400 })
    expect(await rename('failed', 'Esha')).toMatchObject({ status: 200 })
  })

  async function countChanges(): Promise<number> {
    const { count } = await asSystem(server.database, (db) =>
      db
        .selectFrom('audit_log')
        .select((query) => query.fn.countAll<number>().as('count'))
        .where('action', '=', 'account.updated')
        .executeTakeFirstOrThrow(),
    )
    return count
  }
})
