import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import { buildManager, buildUser, type Account } from '../../../testing/builders.ts'
import { testServer, type TestServer } from '../../../testing/server.ts'
import { buildLine, chatOf, receive, type Line } from '../test-inbox.ts'

let server: TestServer
let manager: Account
let user: Account
let stranger: Account
let whatsapp: Line
let sms: Line
beforeAll(async () => {
  server = await testServer()
  manager = await buildManager(server.database)
  user = await buildUser(server.database, { parent: manager })
  stranger = await buildManager(server.database)
  whatsapp = await buildLine(server.database, manager)
  sms = await buildLine(server.database, manager, 'sms')
})
afterAll(() => server.close())

const linesOf = async (as: Account) =>
  (await server.ask('conversations.lines', { as })).lines.map(({ channel }) => channel).toSorted()

test('a member sees the lines that they answer: all, unless some are given to them', async () => {
  expect(await linesOf(manager)).toEqual(['sms', 'whatsapp'])
  expect(await linesOf(user)).toEqual(['sms', 'whatsapp'])
  expect(await linesOf(stranger)).toEqual([])
  const { systemPool } = server.database
  await systemPool.query('insert into live_agents (organization_id, account_id) values ($1, $2)', [
    manager.organizationId,
    user.id,
  ])
  await systemPool.query('insert into live_agent_lines (organization_id, account_id, sender_id) values ($1, $2, $3)', [
    manager.organizationId,
    user.id,
    sms.senderId,
  ])
  expect(await linesOf(user)).toEqual(['sms'])
  expect(await linesOf(manager)).toEqual(['sms', 'whatsapp'])
})

async function addTemplate(name: string, { status = 'APPROVED', used = 0, category = 'UTILITY' } = {}) {
  await server.database.systemPool.query(
    `insert into templates (organization_id, id, channel, provider_account_id, name, status, category, language, content, used_count, created_by)
    select organization_id, $2, channel, provider_account_id, $3, $4, $7, 'en', $5, $6, created_by from senders where id = $1`,
    [
      whatsapp.senderId,
      newId(),
      name,
      status,
      { body: 'Hi {{1}}, order {{2}} ships', samples: [], buttons: [], cards: [], footer: 'Acme' },
      used,
      category,
    ],
  )
}

test('the approved templates of a line, the most used first, with the values that they need', async () => {
  await addTemplate('seldom', { used: 1 })
  await addTemplate('often', { used: 9 })
  await addTemplate('pending', { status: 'PENDING' })
  // A member has no one-time code to send.
  await addTemplate('login code', { used: 20, category: 'AUTHENTICATION' })
  const path = { id: whatsapp.senderId }
  const list = async (query: { search?: string; limit?: number } = {}) =>
    (await server.ask('conversations.templates', { as: manager, path, query })).templates
  expect((await list()).map(({ name }) => name)).toEqual(['often', 'seldom'])
  expect((await list())[0]).toMatchObject({ values: ['1', '2'], traits: { text: 'Hi {{1}}, order {{2}} ships' } })
  expect(await list({ search: 'login' })).toEqual([])
  expect((await list({ search: 'SELD' })).map(({ name }) => name)).toEqual(['seldom'])
  expect((await list({ limit: 1 })).map(({ name }) => name)).toEqual(['often'])
  for (const as of [stranger, user])
    expect(await server.call('conversations.templates', { as, path, query: {} })).toMatchObject({
      status: 404,
      body: { message: 'Line not found' },
    })
})

test('a file is opened only through a conversation that it belongs to and that the member sees', async () => {
  const { _id: fileId } = await server.ask('uploads.create', {
    as: manager,
    body: { channel: 'whatsapp' },
    files: { fileContent: { name: 'pixel.png', content: pixel, type: 'image/png' } },
  })
  const [messageId] = await receive(server.database, whatsapp, { from: '919800000001' })
  await receive(server.database, whatsapp, { from: '919800000002' })
  await server.database.systemPool.query(
    `update inbound_messages set file_id = $2, media_state = 'stored' where id = $1`,
    [messageId, fileId],
  )
  const open = async (as: Account, from: string) => {
    const path = { id: chatOf(whatsapp, from), fileId }
    const { status, bytes } = await server.call('conversations.file', { as, path })
    return { status, isFile: pixel.equals(bytes) }
  }
  expect(await open(manager, '919800000001')).toEqual({ status: 200, isFile: true })
  expect(await open(manager, '919800000002')).toMatchObject({ status: 404 })
  expect(await open(stranger, '919800000001')).toMatchObject({ status: 404 })
  // Of a line that is not theirs.
  expect(await open(user, '919800000001')).toMatchObject({ status: 404 })
})

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
