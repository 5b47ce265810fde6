import type { OptOut, OptOutResult } from '@carillon/contract/opt-outs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../lib/ids.ts'
import { buildAdmin, buildDepartmentHead, buildManager, buildUser, type Account } from '../../testing/builders.ts'
import { testServer, type CallOptions, type TestServer } from '../../testing/server.ts'

let server: TestServer
let admin: Account
let manager: Account
let foreign: Account

beforeAll(async () => {
  server = await testServer({ flags: ['--run=web'] })
  admin = await buildAdmin(server.database)
  foreign = await buildManager(server.database, { parent: admin })
  manager = await buildManager(server.database, { parent: admin })
})
afterAll(() => server.close())

async function add(options: CallOptions<'optOuts.add'>, as = manager): Promise<OptOutResult> {
  return server.ask('optOuts.add', { as, ...options })
}

type Page = { optOuts: OptOut[]; total: number; totalPages: number }

async function list(query: Record<string, string | number> = {}, as = manager): Promise<Page> {
  return server.ask('optOuts.list', { as, query })
}

const query = async <Row extends object>(text: string, values: unknown[]) =>
  (await server.database.ownerPool.query<Row>(text, values)).rows

test('a pasted list reports new, existing, repeated and invalid numbers', async () => {
  const numbers = '9876543210\n98765 43211\n9876543210\n12345'
  expect(await add({ body: { scope: 'sms', numbers } })).toEqual({
    added: 2,
    already: 0,
    duplicate: 1,
    invalid: 1,
    sampleErrors: [{ row: 4, value: '12345', message: expect.any(String) }],
  })
  expect(await add({ body: { scope: 'sms', numbers } })).toMatchObject({ added: 0, already: 2 })
  const { optOuts, total } = await list()
  expect(total).toBe(2)
  expect(optOuts[0]).toMatchObject({ scope: 'sms', source: 'import', addedBy: `Name of ${manager.username}` })
})

test('a file is read by its phone number column, and rejected without one', async () => {
  const file = { name: 'stops.csv', content: 'Name,Mobile\nAsha,9812300001\nRavi,9812300002\n' }
  expect(await add({ body: { scope: 'whatsapp_marketing' }, files: { file } })).toMatchObject({ added: 2, invalid: 0 })
  const without = { name: 'stops.csv', content: 'Name,City\nAsha,Pune\nRavi,Agra\n' }
  const refused = await server.call('optOuts.add', { as: manager, body: { scope: 'sms' }, files: { file: without } })
  expect(refused).toMatchObject({ status: 400, body: { message: expect.stringMatching(/No column contains/) } })
  expect(await server.call('optOuts.add', { as: manager, body: { scope: 'sms' } })).toMatchObject({ status: 400 })
})

test('a marketing opt-out can be extended to all messages, but not the reverse', async () => {
  const numbers = '+919812300009'
  expect(await add({ body: { scope: 'whatsapp_marketing', numbers } })).toMatchObject({ added: 1 })
  expect(await add({ body: { scope: 'whatsapp', numbers } })).toMatchObject({ added: 1 })
  expect(await add({ body: { scope: 'whatsapp_marketing', numbers } })).toMatchObject({ added: 0, already: 1 })
  expect((await list({ number: '9812300009' })).optOuts).toMatchObject([{ scope: 'whatsapp', source: 'manual' }])
})

test('the list is filtered by number, scope and source, and paged', async () => {
  const own = await buildManager(server.database, { parent: admin })
  await add({ body: { scope: 'sms', numbers: '9800000001,9800000002,9800000003' } }, own)
  await add({ body: { scope: 'whatsapp', numbers: '9800000001' } }, own)
  expect(await list({ limit: 3 }, own)).toMatchObject({ total: 4, totalPages: 2 })
  expect((await list({ limit: 3, page: 2 }, own)).optOuts).toHaveLength(1)
  expect(await list({ scope: 'sms' }, own)).toMatchObject({ total: 3 })
  expect(await list({ source: 'manual' }, own)).toMatchObject({ total: 1, optOuts: [{ scope: 'whatsapp' }] })
  expect(await list({ number: '98000 00002' }, own)).toMatchObject({ total: 1 })
  expect(await list({ number: '77' }, own)).toMatchObject({ total: 0, totalPages: 1 })
})

test('the export contains the same entries', async () => {
  const own = await buildManager(server.database, { parent: admin })
  await add({ body: { scope: 'sms', numbers: '9800000001,9800000002' } }, own)
  await add({ body: { scope: 'whatsapp', numbers: '9800000001' } }, own)
  const all = (await server.call('optOuts.csv', { as: own })).text.trim().split('\r\n')
  expect(all).toHaveLength(4)
  expect(all[1]).toMatch(/^'\+919800000001,SMS,/)
  expect(all[3]).toMatch(/^'\+919800000001,WhatsApp,/)
  const some = (await server.call('optOuts.csv', { as: own, query: { scope: 'whatsapp' } })).text
  expect(some.trim().split('\r\n')).toHaveLength(2)
})

test('one entry is removed once, with an audit entry', async () => {
  await add({ body: { scope: 'sms', numbers: '+919812399999' } })
  const path = { channel: 'sms', number: '+919812399999' } as const
  expect(await server.call('optOuts.remove', { as: manager, path })).toMatchObject({ status: 200 })
  expect(await list({ number: '9812399999' })).toMatchObject({ total: 0 })
  expect(await server.call('optOuts.remove', { as: manager, path })).toMatchObject({
    status: 404,
    body: { message: 'Opt-out not found' },
  })
  const lines = await query<{ action: string; details: object }>(
    `select action, details from audit_log where organization_id = $1 and details ->> 'number' = $2 order by seq`,
    [manager.organizationId, path.number],
  )
  expect(lines).toEqual([
    { action: 'opt_out.added', details: { count: 1, scope: 'sms', number: path.number } },
    { action: 'opt_out.removed', details: { channel: 'sms', number: path.number } },
  ])
})

test('another organisation can neither see, export nor remove them', async () => {
  await add({ body: { scope: 'sms', numbers: '+919812355555' } })
  expect(await list({}, foreign)).toMatchObject({ total: 0, optOuts: [] })
  expect((await server.call('optOuts.csv', { as: foreign })).text).not.toContain('9812355555')
  const path = { channel: 'sms', number: '+919812355555' } as const
  expect(await server.call('optOuts.remove', { as: foreign, path })).toMatchObject({ status: 404 })
  expect(await add({ body: { scope: 'sms', numbers: '+919812355555' } }, foreign)).toMatchObject({ added: 1 })
  expect(await server.call('optOuts.remove', { as: foreign, path })).toMatchObject({ status: 200 })
  expect(await list({ number: '9812355555' })).toMatchObject({ total: 1 })
})

test('users may do it, department heads may not', async () => {
  const head = await buildDepartmentHead(server.database, { parent: manager })
  const user = await buildUser(server.database, { parent: head })
  expect(await server.call('optOuts.list', { as: head })).toMatchObject({ status: 403 })
  expect((await list({}, user)).total).toBe((await list()).total)
})

test('a campaign of another member is not named', async () => {
  const user = await buildUser(server.database, { parent: manager })
  const campaign = newId()
  await query(
    `insert into campaigns (organization_id, id, path, name, channel, created_by) values ($1, $2, $3, 'Diwali offer', 'sms', $4)`,
    [manager.organizationId, campaign, manager.path, manager.id],
  )
  await query(
    `insert into opt_outs (organization_id, channel, phone, keyword, campaign_id) values ($1, 'sms', 919812377777, 'STOP', $2)`,
    [manager.organizationId, campaign],
  )
  const number = '9812377777'
  expect((await list({ number })).optOuts).toMatchObject([
    { source: 'reply', keyword: 'STOP', campaign: { _id: campaign, name: 'Diwali offer' } },
  ])
  expect((await list({ number }, user)).optOuts[0]).not.toHaveProperty('campaign')
})
