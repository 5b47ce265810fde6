import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '../../../db/pool.ts'
import { newId } from '../../../lib/ids.ts'
import {
  buildAdmin,
  buildDepartmentHead,
  buildManager,
  buildReseller,
  buildUser,
  type Account,
} from '../../../testing/builders.ts'
import { testServer, type TestServer } from '../../../testing/server.ts'

let server: TestServer
let admin: Account
let manager: Account
let foreign: Account
let smsAccountId: string

beforeAll(async () => {
  server = await testServer()
  admin = await buildAdmin(server.database)
  manager = await buildManager(server.database, { parent: await buildReseller(server.database, { parent: admin }) })
  foreign = await buildManager(server.database, { parent: admin })
  smsAccountId = await buildSmsAccount(manager)
})
afterAll(() => server.close())

async function buildSmsAccount(owner: Account, headers = ['CARLLN', '567890']): Promise<string> {
  const id = newId()
  const providerAccount = newId()
  await asSystem(server.database, async (db) => {
    await db
      .insertInto('provider_accounts')
      .values({
        organization_id: owner.organizationId,
        id: providerAccount,
        channel: 'sms',
        provider: 'test',
        name: 'Test',
        config: '{}',
        callback_key: newId(),
      })
      .execute()
    await db
      .insertInto('senders')
      .values({
        organization_id: owner.organizationId,
        id,
        provider_account_id: providerAccount,
        channel: 'sms',
        name: 'Main',
        headers,
        created_by: owner.id,
      })
      .execute()
  })
  return id
}

let count = 0
function input(more: Record<string, unknown> = {}) {
  count += 1
  return {
    smsAccountId,
    name: `Template ${count}`,
    header: 'CARLLN',
    category: 'service_implicit' as const,
    body: 'Hello {#var#}, your order {#alphanumeric#} is on its way.',
    ...more,
  }
}

const create = (more: Record<string, unknown> = {}, as = manager) =>
  server.call('smsTemplates.create', { as, body: input(more) })
test('adds variables without a description and counts the parts', async () => {
  const answer = await create({ variables: [{ name: 'customer', kind: 'var', sample: 'Asha' }] })
  expect(answer).toMatchObject({
    status: 200,
    body: {
      data: {
        variables: [
          { name: 'customer', kind: 'var', sample: 'Asha' },
          { name: 'alphanumeric2', kind: 'alphanumeric', sample: '' },
        ],
        encoding: 'gsm7',
        parts: 1,
        worstParts: 1,
        accountName: 'Main',
        usedCount: 0,
      },
    },
  })
})

test('counts the parts of the longest possible text separately from the samples', async () => {
  const body = `${'x'.repeat(140)} {#var#}`
  expect(await create({ body })).toMatchObject({ body: { data: { parts: 1, worstParts: 2 } } })
  expect(await create({ body: 'नमस्ते {#var#}', language: 'hi' })).toMatchObject({ body: { data: { encoding: 'ucs2' } } })
})

test.each([
  ['variables alone', { body: '{#var#} {#var#}' }, 'body'],
  ['more variables than the text has', { body: 'Hello', variables: [{ name: 'a', kind: 'var' }] }, 'variables'],
  ['a variable of another kind', { variables: [{ name: 'a', kind: 'numeric' }] }, 'variables.0.kind'],
  [
    'two variables of one name',
    {
      body: 'Hi {#var#}{#var#}',
      variables: [
        { name: 'a', kind: 'var' },
        { name: 'a', kind: 'var' },
      ],
    },
    'variables.1.name',
  ],
  ['an unregistered header', { header: 'OTHERS' }, 'header'],
  ['a DLT id with letters', { dltTemplateId: '12345678901234567x' }, 'dltTemplateId'],
  ['an entity id that is too short', { entityId: '123' }, 'entityId'],
])('refuses %s', async (_, more, field) => {
  expect(await create(more)).toMatchObject({ status: 400, body: { success: false, details: [{ field }] } })
})

test('promotional texts require a header of six digits or letters only', async () => {
  const mixed = await buildSmsAccount(manager, ['A1BCDE', '567890'])
  expect(await create({ smsAccountId: mixed, header: 'A1BCDE', category: 'promotional' })).toMatchObject({
    status: 400,
    body: { details: [{ field: 'header' }] },
  })
  expect(await create({ smsAccountId: mixed, header: '567890', category: 'promotional' })).toMatchObject({
    status: 200,
  })
})

test('a name is unique within an account', async () => {
  await create({ name: 'Twice' })
  expect(await create({ name: 'Twice' })).toMatchObject({ status: 400, body: { details: [{ field: 'name' }] } })
  expect(await create({ name: 'Twice', smsAccountId: await buildSmsAccount(manager) })).toMatchObject({ status: 200 })
})

test('templates of another organisation are not found', async () => {
  const data = (await create()).data()
  const theirs = await server.call('smsTemplates.get', { as: foreign, path: { id: data._id } })
  const absent = await server.call('smsTemplates.get', { as: foreign, path: { id: newId() } })
  expect(theirs).toMatchObject({ status: 404, body: { message: 'Template not found' } })
  expect(theirs.body).toEqual(absent.body)
  expect(await server.call('smsTemplates.create', { as: foreign, body: input() })).toMatchObject({
    status: 404,
    body: { message: 'SMS account not found' },
  })
  expect(await server.call('smsTemplates.update', { as: foreign, body: { ...input(), id: data._id } })).toMatchObject({
    status: 404,
    body: { message: 'Template not found' },
  })
})

test('all members of the organisation and an admin can see it, a reseller cannot', async () => {
  const data = (await create()).data()
  const user = await buildUser(server.database, { parent: manager })
  const head = await buildDepartmentHead(server.database, { parent: manager })
  for (const as of [user, head, admin])
    expect(await server.call('smsTemplates.get', { as, path: { id: data._id } })).toMatchObject({ status: 200 })
  const reseller = await buildReseller(server.database, { parent: admin })
  expect(await server.call('smsTemplates.list', { as: reseller })).toMatchObject({ status: 403 })
})

test('supports search, filters and pages', async () => {
  const own = await buildSmsAccount(manager)
  for (const name of ['Diwali 50% sale', 'Diwali reminder', 'Receipt'])
    await create({ smsAccountId: own, name, category: name === 'Receipt' ? 'transactional' : 'service_implicit' })
  const list = async (query: Record<string, string | number>) => {
    const data = await server.ask('smsTemplates.list', { as: manager, query: { smsAccountId: own, ...query } })
    return { names: data.templates.map(({ name }) => name), total: data.total }
  }
  expect(await list({ search: 'diwali' })).toEqual({ names: ['Diwali reminder', 'Diwali 50% sale'], total: 2 })
  expect(await list({ search: '50%' })).toEqual({ names: ['Diwali 50% sale'], total: 1 })
  expect(await list({ category: 'transactional' })).toEqual({ names: ['Receipt'], total: 1 })
  expect(await list({ limit: 1, page: 3 })).toEqual({ names: ['Diwali 50% sale'], total: 3 })
  expect(await list({ encoding: 'ucs2' })).toEqual({ names: [], total: 0 })
})

test('a change is recorded in the history with the changed fields, and in the audit log', async () => {
  const data = (await create({ name: 'Before' })).data()
  expect(
    await server.call('smsTemplates.update', {
      as: manager,
      body: { ...input({ name: 'After', status: 'disabled' }), id: data._id },
    }),
  ).toMatchObject({
    status: 200,
    body: { data: { _id: data._id, name: 'After', status: 'disabled' } },
  })
  const { events, lines } = await asSystem(server.database, async (db) => ({
    events: await db
      .selectFrom('template_events')
      .select(['event', 'details', 'actor_id'])
      .where('template_id', '=', data._id)
      .orderBy('id')
      .execute(),
    lines: await db.selectFrom('audit_log').select('action').where('object_id', '=', data._id).orderBy('seq').execute(),
  }))
  expect(events).toEqual([
    { event: 'created', details: {}, actor_id: manager.id },
    { event: 'disabled', details: { changed: ['name', 'status'] }, actor_id: manager.id },
  ])
  expect(lines.map(({ action }) => action)).toEqual(['template.created', 'template.disabled'])
})
