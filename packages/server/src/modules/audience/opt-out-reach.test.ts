import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '../../db/pool.ts'
import { buildAdmin, buildManager, buildUser, type Account } from '../../testing/builders.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { buildSender } from '../messages/test-lane.ts'
import { optIn, optOut } from './replied-opt-outs.ts'

let server: TestServer
let manager: Account
let senderId: string

beforeAll(async () => {
  server = await testServer({ flags: ['--run=web'] })
  manager = await buildManager(server.database, { parent: await buildAdmin(server.database) })
  senderId = await buildSender(server.database, manager)
})
afterAll(() => server.close())

const phone = 919_876_543_210

const setReach = (optOutScope: 'channel' | 'all') =>
  server.ask('sendingRules.update', { as: manager, body: { optOutScope, frequencyCap: null } })

const add = (scope: 'whatsapp' | 'whatsapp_marketing') =>
  server.ask('optOuts.add', { as: manager, body: { scope, numbers: `+${phone}` } })

const stop = (isInApp = false) =>
  optOut(
    server.database.systemPool,
    { organizationId: manager.organizationId, senderId },
    { phone, keyword: 'STOP', at: new Date(), isInApp, campaignId: undefined },
  )

const startAgain = (isInApp = false) =>
  optIn(server.database.systemPool, { organizationId: manager.organizationId, senderId }, { phone, isInApp })

const listed = async () =>
  (await server.ask('optOuts.list', { as: manager, query: {} })).optOuts.map(({ scope }) => scope).toSorted()

test('only the manager changes the rules; each change is in the audit log', async () => {
  const user = await buildUser(server.database, { parent: manager })
  const rules = { optOutScope: 'all', frequencyCap: { messages: 3, days: 7, action: 'postpone' } } as const
  expect(await server.call('sendingRules.update', { as: user, body: rules })).toMatchObject({ status: 403 })
  expect(await server.ask('sendingRules.get', { as: user })).toEqual({ optOutScope: 'channel', frequencyCap: null })
  expect(await server.ask('sendingRules.update', { as: manager, body: rules })).toEqual(rules)
  expect(await server.ask('sendingRules.get', { as: user })).toEqual(rules)
  const { rows } = await server.database.ownerPool.query(
    `select details from audit_log where action = 'sending_rules.updated' and organization_id = $1`,
    [manager.organizationId],
  )
  expect(rows).toEqual([{ details: { optOutScope: 'all', messages: 3, days: 7, action: 'postpone' } }])
  const tooMany = { ...rules, frequencyCap: { ...rules.frequencyCap, days: 31 } }
  expect(await server.call('sendingRules.update', { as: manager, body: tooMany })).toMatchObject({
    status: 400,
    body: { details: [{ field: 'frequencyCap.days', message: 'At most 30 days' }] },
  })
})

test('an opt-out that arrives as an event and as a keyword, or on two channels that count together, is one', async () => {
  await setReach('channel')
  expect(await stop(true)).toMatchObject({ channel: 'sms' })
  expect(await stop()).toBeUndefined()
  await startAgain()
  await add('whatsapp')
  expect(await stop()).toMatchObject({ channel: 'sms' })
  await startAgain()
  await setReach('all')
  expect(await stop()).toBeUndefined()
  expect(await listed()).toEqual(['sms', 'whatsapp'])
  await startAgain()
  expect(await listed()).toEqual([])
})

test('opting in again undoes all opt-outs that count; a setting of the app no more than those from marketing', async () => {
  await setReach('all')
  await add('whatsapp')
  await stop()
  await startAgain(true)
  expect(await listed()).toEqual(['whatsapp'])
  await startAgain()
  expect(await listed()).toEqual([])
  await add('whatsapp_marketing')
  await startAgain(true)
  expect(await listed()).toEqual([])

  await add('whatsapp')
  await stop()
  await server.ask('optOuts.remove', { as: manager, path: { channel: 'sms', number: `+${phone}` } })
  expect(await listed()).toEqual([])
})

test('where opt-outs reach no further than their channel, opting in undoes that channel only', async () => {
  await setReach('channel')
  await add('whatsapp')
  await stop()
  await startAgain()
  expect(await listed()).toEqual(['whatsapp'])
  const channels = await asSystem(server.database, (db) => db.selectFrom('opt_outs').select('channel').execute())
  expect(channels).toEqual([{ channel: 'whatsapp' }])
})
