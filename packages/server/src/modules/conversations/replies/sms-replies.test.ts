import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '../../../db/pool.ts'
import { newId } from '../../../lib/ids.ts'
import { buildAdmin, buildManager, buildUser, type Account } from '../../../testing/builders.ts'
import { issueTo, setSmsPrice } from '../../../testing/money.ts'
import { testServer, type TestServer } from '../../../testing/server.ts'
import { checkInvariants, getBalance } from '../../balance/index.ts'
import { buildLine, chatOf, receive, type Line } from '../test-inbox.ts'

let server: TestServer
let manager: Account
let user: Account
let line: Line

const from = '919812370001'

beforeAll(async () => {
  server = await testServer()
  const admin = await buildAdmin(server.database)
  manager = await buildManager(server.database, { parent: admin })
  user = await buildUser(server.database, { parent: manager })
  line = await buildLine(server.database, manager, 'sms')
  await setSmsPrice(server.database, manager, 1500)
  await issueTo(server.database, { admin, account: manager, units: 4000 })
  await server.database.systemPool.query(
    `update senders set is_active = true, headers = '{ACMEIN,56161}' where id = $1`,
    [line.senderId],
  )
  await receive(server.database, line, { from, text: 'Is my order shipped?' })
})
afterAll(async () => {
  expect(await asSystem(server.database, checkInvariants)).toEqual([])
  await server.close()
})

const reply = (text: string) =>
  server.call('conversations.reply', {
    as: user,
    path: { id: chatOf(line, from) },
    body: { clientId: newId(), content: { type: 'text', text } },
  })
const balance = async () =>
  asSystem(server.database, (db) => getBalance(db, { organizationId: manager.organizationId, accountId: manager.id }))

test('a reply needs no window, comes from the header that was written to, and holds its price', async () => {
  const sent = (await reply('It left Pune this morning')).data()
  expect(sent).toMatchObject({ delivery: { status: 'queued', parts: 1 } })
  const { rows } = await server.database.systemPool.query(
    `select header, conversation_id, content from single_sends where id = $1`,
    [sent.id],
  )
  expect(rows).toEqual([{ header: '56161', conversation_id: chatOf(line, from), content: null }])
  expect(await balance()).toMatchObject({ held: 1500, available: 2500 })
})

test('without balance it is refused, and changes nothing', async () => {
  expect((await reply('x'.repeat(400))).body).toMatchObject({
    code: 'insufficient_balance',
    details: [{ field: 'shortfall' }],
  })
  expect(await balance()).toMatchObject({ held: 1500 })
})
