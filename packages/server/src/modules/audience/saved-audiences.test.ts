import type { Audience } from '@carillon/contract/audience'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../lib/ids.ts'
import { buildAdmin, buildManager, buildUser, type Account } from '../../testing/builders.ts'
import { testServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let admin: Account
let manager: Account
let foreign: Account

beforeAll(async () => {
  server = await testServer()
  admin = await buildAdmin(server.database)
  manager = await buildManager(server.database, { parent: admin })
  foreign = await buildManager(server.database, { parent: admin })
})
afterAll(() => server.close())

const file = { name: 'people.csv', content: 'Name,Mobile,City\nAsha,9876543210,Pune\nRavi,9876543211,\n,12,Agra\n' }

type UploadOptions = { as?: Account; channel?: 'sms' | 'whatsapp'; content?: string }

async function upload({
  as = manager,
  channel = 'sms',
  content = file.content,
}: UploadOptions = {}): Promise<Audience> {
  const { _id } = await server.ask('audience.create', { as, body: { channel }, files: { file: { ...file, content } } })
  const get = () => server.ask('audience.get', { as, path: { id: _id } })
  await expect.poll(async () => (await get()).status, { timeout: 20_000 }).toBe('ready')
  return get()
}

const save = (id: string, name: string, as = manager) =>
  server.call('savedAudiences.save', { as, path: { id }, body: { name } })
const remove = (id: string, as = manager) => server.call('savedAudiences.remove', { as, path: { id } })

async function list(query: Record<string, string | number> = {}, as = manager) {
  return server.ask('savedAudiences.list', { as, query })
}

test('an audience is saved, renamed, found by name, and deleted', async () => {
  const { _id: id } = await upload()
  expect(await list()).toMatchObject({ total: 0 })
  expect(await save(id, 'Members')).toMatchObject({ status: 200, body: { data: { savedAs: 'Members' } } })
  expect(await save(id, 'Members of Pune')).toMatchObject({ status: 200 })
  expect((await list({ search: 'pune' })).audiences).toEqual([
    {
      _id: id,
      name: 'Members of Pune',
      channel: 'sms',
      fileName: 'people.csv',
      people: 2,
      columns: ['Name', 'Mobile', 'City'],
      createdAt: expect.any(String),
      usedBy: 0,
    },
  ])
  expect(await list({ search: '100%' })).toMatchObject({ total: 0 })
  expect(await remove(id)).toMatchObject({ status: 200 })
  expect(await list()).toMatchObject({ total: 0 })
  expect(await remove(id)).toMatchObject({ status: 200 })
})

test('names are unique', async () => {
  const [one, other] = [await upload(), await upload()]
  await save(one._id, 'Gold members')
  expect(await save(other._id, 'gold MEMBERS')).toMatchObject({
    status: 400,
    body: { details: [{ field: 'name', message: 'Another saved audience has this name' }] },
  })
})

test('its campaigns are counted, and keep their recipients after it is deleted', async () => {
  const { _id: id } = await upload()
  await save(id, 'Regulars')
  const { organizationId, path, id: createdBy } = manager
  for (const status of ['completed', 'draft'])
    await server.database.ownerPool.query(
      `insert into campaigns (organization_id, id, path, name, channel, created_by, status, audience_id)
       values ($1, $2, $3, 'Offer', 'sms', $4, $5::campaign_status, $6)`,
      [organizationId, newId(), path, createdBy, status, id],
    )
  expect((await list({ search: 'Regulars' })).audiences).toMatchObject([{ usedBy: 1 }])
  await remove(id)
  const answer = await server.call('audience.recipient', { as: manager, path: { id, seq: 0 } })
  expect(answer).toMatchObject({ status: 200, body: { data: { phoneNumber: '+919876543210', total: 2 } } })
})

test('a saved audience cannot be mapped again: drafts of other accounts may use it', async () => {
  const { _id: id } = await upload()
  await save(id, 'Fixed')
  const answer = await server.call('audience.map', { as: manager, path: { id }, body: { phoneColumn: 0 } })
  expect(answer).toMatchObject({ status: 409, body: { message: expect.stringMatching(/saved/) } })
})

test('SMS lists audiences validated for SMS, WhatsApp lists all', async () => {
  const own = await buildManager(server.database, { parent: admin })
  await save((await upload({ as: own }))._id, 'For SMS', own)
  await save((await upload({ as: own, channel: 'whatsapp' }))._id, 'For WhatsApp', own)
  const names = async (channel: string) => (await list({ channel }, own)).audiences.map(({ name }) => name)
  expect(await names('sms')).toEqual(['For SMS'])
  expect(await names('whatsapp')).toEqual(['For WhatsApp', 'For SMS'])
})

test('accounts out of scope cannot see, save or delete it', async () => {
  const { _id: id } = await upload()
  await save(id, 'Private')
  const user = await buildUser(server.database, { parent: manager })
  for (const stranger of [foreign, user]) {
    expect((await list({}, stranger)).audiences).toEqual([])
    expect(await save(id, 'Mine', stranger)).toMatchObject({ status: 404 })
    expect(await remove(id, stranger)).toMatchObject({ status: 404 })
    expect(await server.call('audience.rows', { as: stranger, path: { id } })).toMatchObject({ status: 404 })
  }
  expect((await list({ search: 'Private' })).audiences).toHaveLength(1)
})

test('a preview has the first rows of the file, with the reason of each rejected row', async () => {
  const content = `${file.content}Dev,9876543210,Goa\n`
  const { _id: id } = await upload({ content })
  expect((await server.ask('audience.rows', { as: manager, path: { id } })).rows).toEqual([
    { row: 2, values: ['Asha', '9876543210', 'Pune'] },
    { row: 3, values: ['Ravi', '9876543211', ''] },
    { row: 4, values: ['', '12', 'Agra'], problem: '2 digits, a mobile has 10' },
    { row: 5, values: ['Dev', '9876543210', 'Goa'], problem: 'Duplicate of row 2' },
  ])
})

test('a preview has at most a hundred rows', async () => {
  const rows = Array.from({ length: 150 }, (_, index) => `Asha,${9_800_000_000 + index},Pune`)
  const { _id: id } = await upload({ content: ['Name,Mobile,City', ...rows].join('\n') })
  expect((await server.ask('audience.rows', { as: manager, path: { id } })).rows).toHaveLength(100)
})

test('empty cells are counted per column over accepted rows', async () => {
  expect((await upload()).emptyCells).toEqual([0, 0, 1])
})
