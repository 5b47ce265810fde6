import type { TemplateFamily } from '@carillon/contract/template-families'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '../../db/pool.ts'
import { newId } from '../../lib/ids.ts'
import { buildManager, buildUser, type Account } from '../../testing/builders.ts'
import { buildFixtures, type Fixtures } from '../../testing/fixtures.ts'
import { testServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let manager: Account
let colleague: Account
let has: Fixtures
let foreignHas: Fixtures

beforeAll(async () => {
  server = await testServer()
  manager = await buildManager(server.database)
  colleague = await buildUser(server.database, { parent: manager })
  has = await buildFixtures(server.database, manager)
  foreignHas = await buildFixtures(server.database, await buildManager(server.database), { mark: 'Mango' })
})
afterAll(() => server.close())

let count = 0
function input(more: Record<string, unknown> = {}) {
  count += 1
  return {
    name: `Family ${count}`,
    renditions: [
      { channel: 'whatsapp', templateId: has.whatsappTemplate, followsText: true },
      { channel: 'sms', templateId: has.template },
    ],
    ...more,
  }
}

const create = (more: Record<string, unknown> = {}, as = manager) =>
  server.callUnchecked('families.create', { as, body: input(more) })
const get = (id: string, as = manager) => server.ask('families.get', { as, path: { id } })
const list = (query: object = {}, as = manager) => server.ask('families.list', { as, query })

async function created(more: Record<string, unknown> = {}): Promise<TemplateFamily> {
  const { status, body } = await create(more)
  expect(status).toBe(200)
  return (body as { data: TemplateFamily }).data
}

async function setStatus(id: string, status: string, facts: object = {}) {
  await asSystem(server.database, (db) =>
    db
      .updateTable('templates')
      .set({ status, facts: JSON.stringify(facts) })
      .where('id', '=', id)
      .execute(),
  )
}

test.each([
  ['no name', { name: ' ' }, 'name', 'Enter a name'],
  ['no rendition', { renditions: [] }, 'renditions', 'Choose a template of at least one channel'],
  ['a bad variable', { text: 'Hi {{First Name}}' }, 'text', /is not a variable/],
])('%s is refused', async (_, more, field, message) => {
  const said: unknown = typeof message === 'string' ? message : expect.stringMatching(message)
  expect(await create(more)).toMatchObject({ status: 400, body: { details: [{ field, message: said }] } })
})

test('templates of another organisation, another channel or the same channel twice are refused at their field', async () => {
  const refused = async (renditions: object[]) => (await create({ renditions })).body
  const sms = { channel: 'sms', templateId: has.template }
  const absent = {
    details: [{ field: 'renditions.1.templateId', message: 'This template was not found: choose another' }],
  }
  for (const templateId of [foreignHas.whatsappTemplate, newId()])
    expect(await refused([sms, { channel: 'whatsapp', templateId }])).toMatchObject(absent)
  expect(await refused([{ channel: 'sms', templateId: has.whatsappTemplate }])).toMatchObject({
    details: [{ field: 'renditions.0.templateId', message: 'Choose a template for SMS' }],
  })
  expect(await refused([sms, sms])).toMatchObject({ details: [{ field: 'renditions' }] })
  expect(await refused([{ channel: 'voice', templateId: has.template }])).toMatchObject({
    details: [{ field: 'renditions.0.channel' }],
  })
})

test('a family shows what each rendition says, and is ready once all of them can be sent', async () => {
  const family = await created()
  expect(family).toMatchObject({
    text: '',
    isReady: false,
    renditions: [
      {
        channel: 'sms',
        followsText: false,
        status: 'approved',
        isSendable: true,
        traits: { text: 'Hello {{name}}, all is well at Acme.', variables: ['name'], parts: 1 },
      },
      {
        channel: 'whatsapp',
        followsText: true,
        status: 'DRAFT',
        isSendable: false,
        reason: 'Not submitted to Meta yet',
      },
    ],
  })
  await setStatus(has.whatsappTemplate, 'REJECTED', { reason: 'Wrong category' })
  expect((await get(family._id)).renditions[1]).toMatchObject({ isSendable: false, reason: 'Wrong category' })
  await setStatus(has.whatsappTemplate, 'APPROVED')
  expect(await get(family._id)).toMatchObject({ isReady: true })
  const ids = async (query: object) => (await list(query)).families.map(({ _id }) => _id)
  expect(await ids({ ready: true, search: family.name })).toEqual([family._id])
  expect(await ids({ ready: false, search: family.name })).toEqual([])
  await setStatus(has.whatsappTemplate, 'DRAFT')
  expect(await ids({ ready: true })).not.toContain(family._id)
  expect(await ids({ search: '%' })).toEqual([])
})

test('a family belongs to the organisation: colleagues change it, others do not find it', async () => {
  const family = await created()
  const path = { id: family._id }
  const body = {
    name: 'Order shipped',
    text: 'Hi {{name}}',
    renditions: [{ channel: 'sms', templateId: has.template }],
  }
  const changed = await server.callUnchecked('families.update', { as: colleague, path, body })
  expect(changed).toMatchObject({ status: 200, body: { data: { name: 'Order shipped', text: 'Hi {{name}}' } } })
  expect((await get(family._id)).renditions).toHaveLength(1)
  const stranger = await buildManager(server.database)
  expect(await list({}, stranger)).toMatchObject({ families: [], pagination: { total: 0 } })
  expect(await server.callUnchecked('families.update', { as: stranger, path, body })).toMatchObject({ status: 404 })
  expect(await server.call('families.delete', { as: stranger, path })).toMatchObject({ status: 404 })
  expect(await create({ name: 'ORDER shipped' })).toMatchObject({
    status: 400,
    body: { details: [{ field: 'name', message: 'Another template family has this name' }] },
  })
  expect(await server.call('families.delete', { as: colleague, path })).toMatchObject({ status: 200 })
  expect(await server.call('families.get', { as: manager, path })).toMatchObject({ status: 404 })
  const log = await asSystem(server.database, (db) =>
    db.selectFrom('audit_log').select('action').where('object_id', '=', family._id).orderBy('seq').execute(),
  )
  expect(log.map(({ action }) => action)).toEqual([
    'template_family.created',
    'template_family.updated',
    'template_family.deleted',
  ])
})

test('campaigns with several of its templates are counted once, within the scope of the caller', async () => {
  const own = await buildFixtures(server.database, colleague, { mark: 'Own' })
  const renditions = [{ channel: 'sms', templateId: own.template }]
  const { _id } = await created({ renditions })
  expect(await get(_id, colleague)).toMatchObject({ usedIn: 1 })
  expect(await get(_id)).toMatchObject({ usedIn: 1 })
  const other = await buildUser(server.database, { parent: manager })
  expect(await get(_id, other)).toMatchObject({ usedIn: 0 })
})

test('a deleted template leaves its families', async () => {
  const own = await buildFixtures(server.database, manager, { mark: 'Gone' })
  const renditions = [
    { channel: 'sms', templateId: own.template },
    { channel: 'whatsapp', templateId: has.whatsappTemplate },
  ]
  const family = await created({ renditions })
  const using = async () => (await list({ templates: `${own.template},${newId()}` })).families.map(({ _id }) => _id)
  expect(await using()).toContain(family._id)
  await server.ask('smsTemplates.delete', { as: manager, path: { id: own.template } })
  expect((await get(family._id)).renditions.map(({ channel }) => channel)).toEqual(['whatsapp'])
  expect(await using()).toEqual([])
  await asSystem(server.database, (db) => db.deleteFrom('templates').where('id', '=', has.whatsappTemplate).execute())
  expect(await get(family._id)).toMatchObject({ renditions: [], isReady: false })
})
