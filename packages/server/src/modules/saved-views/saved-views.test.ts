import { maximumSavedViews, type SavedView } from '@carillon/contract/saved-views'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildManager, buildUser, type Account } from '../../testing/builders.ts'
import { testServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let manager: Account
let colleague: Account
let stranger: Account

beforeAll(async () => {
  server = await testServer()
  manager = await buildManager(server.database)
  colleague = await buildUser(server.database, { parent: manager })
  stranger = await buildManager(server.database)
})
afterAll(() => server.close())

const create = (as: Account, body: object) =>
  server.callUnchecked('savedViews.create', { as, body: { list: 'campaigns', query: '', ...body } })
const change = (as: Account, id: string, body: object) => server.call('savedViews.change', { as, path: { id }, body })
const remove = (as: Account, id: string) => server.call('savedViews.remove', { as, path: { id } })

async function viewsOf(as: Account, list = 'campaigns'): Promise<SavedView[]> {
  return (await server.ask('savedViews.list', { as, query: { list } })).views
}

async function saved(as: Account, body: object): Promise<SavedView> {
  const { status, body: answer } = await create(as, body)
  expect(status).toBe(200)
  return (answer as { data: SavedView }).data
}

test('an account has its own views of each list, which no other account sees or changes', async () => {
  const failed = await saved(manager, { name: 'Failed', query: 'f=6&s=1', columns: { cost: false } })
  await saved(manager, { name: 'Drafts', query: 't=2' })
  await saved(manager, { list: 'users', name: 'Failed', query: 'u=1' })
  expect(await viewsOf(manager)).toMatchObject([
    { name: 'Drafts', query: 't=2', columns: {}, isDefault: false },
    { name: 'Failed', query: 'f=6&s=1', columns: { cost: false }, isDefault: false },
  ])
  expect(await viewsOf(manager, 'users')).toHaveLength(1)
  for (const other of [colleague, stranger]) {
    expect(await viewsOf(other)).toEqual([])
    expect(await change(other, failed._id, { name: 'Mine' })).toMatchObject({ status: 404 })
    expect(await remove(other, failed._id)).toMatchObject({ status: 404 })
  }
  expect(await change(manager, failed._id, { name: 'Failed this week', query: 'f=6' })).toMatchObject({
    status: 200,
    body: { data: { name: 'Failed this week', query: 'f=6', columns: { cost: false } } },
  })
  expect(await remove(manager, failed._id)).toMatchObject({ status: 200 })
  expect((await viewsOf(manager)).map(({ name }) => name)).toEqual(['Drafts'])
})

test('a list has one default view, and unique names', async () => {
  const first = await saved(colleague, { name: 'Running', isDefault: true })
  const second = await saved(colleague, { name: 'Done', isDefault: true })
  expect((await viewsOf(colleague)).filter(({ isDefault }) => isDefault)).toMatchObject([{ name: 'Done' }])
  await change(colleague, first._id, { isDefault: true })
  expect((await viewsOf(colleague)).filter(({ isDefault }) => isDefault)).toMatchObject([{ name: 'Running' }])
  const taken = {
    status: 400,
    body: { details: [{ field: 'name', message: 'Another view of this list has this name' }] },
  }
  expect(await create(colleague, { name: 'RUNNING' })).toMatchObject(taken)
  expect(await change(colleague, second._id, { name: 'running' })).toMatchObject(taken)
  expect(await change(colleague, second._id, { name: 'DONE' })).toMatchObject({ status: 200 })
})

test('of two views saved as the default at the same moment one is', async () => {
  const made = await Promise.all(['One', 'Two', 'Three'].map((name) => create(stranger, { name, isDefault: true })))
  expect(made.map(({ status }) => status)).toEqual([200, 200, 200])
  expect((await viewsOf(stranger)).filter(({ isDefault }) => isDefault)).toHaveLength(1)
})

test('values that no screen produces are rejected, and the views of a list are limited', async () => {
  for (const query of ['q=A B', 'search=1', 'q=<script>', '&', 'q=1;drop'])
    expect(await create(stranger, { name: 'Bad', query })).toMatchObject({ status: 400 })
  expect(await create(stranger, { name: '  ' })).toMatchObject({
    status: 400,
    body: { details: [{ field: 'name', message: 'Enter a name' }] },
  })
  for (let count = 0; count < maximumSavedViews; count += 1)
    await saved(stranger, { list: 'users', name: `View ${count}` })
  expect(await create(stranger, { list: 'users', name: 'One more' })).toMatchObject({
    status: 409,
    body: { message: 'A list has at most 50 views. Delete one you no longer need.' },
  })
})
