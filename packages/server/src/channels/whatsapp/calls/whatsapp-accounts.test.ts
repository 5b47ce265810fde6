import { createHmac } from 'node:crypto'
import type { WhatsappConnection } from '@carillon/contract/channels/whatsapp/whatsapp-accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asSystem } from '../../../db/pool.ts'
import { addJob } from '../../../jobs/jobs.ts'
import { newId } from '../../../lib/ids.ts'
import { AccountKey } from '../../../modules/senders/index.ts'
import { buildDepartmentHead } from '../../../testing/builders.ts'
import type { CallOptions, Calls } from '../../../testing/server.ts'
import { until } from '../../../testing/until.ts'
import { buildWhatsappServer, type WhatsappServer } from '../../../testing/whatsapp-server.ts'

let fixtures: WhatsappServer
let connection: WhatsappConnection

beforeAll(async () => {
  fixtures = await buildWhatsappServer({
    META_APP_ID: '240000000000001',
    META_APP_SECRET: 'simulator-app-secret',
    META_CONFIGURATION_ID: '99000000001',
    META_SOLUTIONS: '501:Sandhi Partners:sandhi,502:Deccan Cloud:deccan',
  })
})
afterAll(() => fixtures.close())

const stateOf = ({ steps }: WhatsappConnection) => Object.fromEntries(steps.map(({ step, state }) => [step, state]))
const messageOf = ({ steps }: WhatsappConnection, name: string) => steps.find(({ step }) => step === name)?.message
const call: Calls['call'] = (name, ...options) => fixtures.server.as(fixtures.manager).call(name, ...options)
type Step = CallOptions<'wabas.runStep'>['path']['step']
const runStep = (step: Step, body: object = {}, id = connection._id) =>
  fixtures.ask('wabas.runStep', { path: { id, step }, body })

describe('a connection', () => {
  test('with an invalid token stops at its first step with a message, and tries nothing else', async () => {
    connection = await fixtures.ask('wabas.connect', {
      body: { ...fixtures.entry, accessToken: 'stolen', name: 'Shop' },
    })
    expect(stateOf(connection)).toMatchObject({ token: 'failed', account: 'waiting', subscription: 'waiting' })
    expect(messageOf(connection, 'token')).toMatch(/\w{4,}/)
    expect(connection).toMatchObject({ isReady: false, numbers: [], name: 'Shop' })
  })

  test('is fixed by a new token, and runs every step that needs no input', async () => {
    const path = { id: connection._id }
    connection = await fixtures.ask('wabas.change', { path, body: { accessToken: fixtures.simulator.graph.token } })
    expect(stateOf(connection)).toEqual({
      token: 'passed',
      account: 'passed',
      subscription: 'passed',
      webhook: 'passed',
      // Both numbers of the simulated account are registered.
      registration: 'passed',
      test: 'waiting',
    })
    expect(connection.numbers).toMatchObject([
      {
        displayPhoneNumber: '+91 80 4718 1000',
        verifiedName: 'Acme Retail',
        quality: 'green',
        messagingLimit: 100_000,
        ratePerSecond: 80,
        isActive: false,
      },
      { verifiedName: 'Acme Support' },
    ])
  })

  test('never reveals its secrets: no response contains one, and the database holds none in plain text', async () => {
    const secrets = [fixtures.simulator.graph.token, fixtures.simulator.graph.appSecret]
    const { text } = await call('wabas.list')
    expect(JSON.parse(text)).toMatchObject({ data: [{ secretsSet: ['accessToken', 'appSecret'] }] })
    const { rows } = await fixtures.server.database.systemPool.query<{ row: string }>(
      'select provider_accounts::text as row from provider_accounts',
    )
    for (const secret of secrets) {
      expect(text).not.toContain(secret)
      expect(rows.map(({ row }) => row).join()).not.toContain(secret)
    }
  })

  test('requires its secrets again when it moves to another address', async () => {
    const path = { id: connection._id }
    const elsewhere = await call('wabas.change', { path, body: { graphUrl: 'https://collector.example' } })
    expect(elsewhere).toMatchObject({ status: 400, body: { details: [{ field: 'accessToken' }] } })
  })

  test('exists once per organisation, and separately in each', async () => {
    expect(await call('wabas.connect', { body: fixtures.entry })).toMatchObject({
      status: 409,
      body: { message: 'This WhatsApp account is connected already' },
    })
    const theirs = await fixtures.ask('wabas.connect', { as: fixtures.foreign, body: fixtures.entry })
    expect(theirs._id).not.toBe(connection._id)
    expect(theirs.callbackUrl).not.toBe(connection.callbackUrl)
    // The provider has one callback address per app: it is removed.
    await runStep('subscription')
    const absent = { status: 404, body: { message: 'WhatsApp account not found' } }
    const asForeign = { as: fixtures.foreign, path: { id: connection._id } }
    expect(await call('wabas.change', { ...asForeign, body: { name: 'Mine' } })).toMatchObject(absent)
    expect(await call('wabas.disconnect', asForeign)).toMatchObject(absent)
    expect(
      await call('wabas.runStep', { as: fixtures.foreign, path: { id: connection._id, step: 'token' }, body: {} }),
    ).toMatchObject(absent)
  })

  test('registers a number with its PIN, and explains a rejected one', async () => {
    const [number] = connection.numbers
    const phone_number_id = number?.phone_number_id
    fixtures.simulator.graph.control.changeNumber(phone_number_id ?? '', { pin: '112233' })
    const wrong = await runStep('registration', { phone_number_id, pin: '000000' })
    expect(stateOf(wrong)).toMatchObject({ registration: 'failed' })
    expect(messageOf(wrong, 'registration')).toMatch(/pin/i)
    const right = await runStep('registration', { phone_number_id, pin: '112233' })
    expect(stateOf(right)).toMatchObject({ registration: 'passed' })
  })

  test('is ready once a first message was delivered', async () => {
    const send = () => runStep('test', { phoneNumber: '+919812340001' })
    // Templates are read automatically, as soon as the account can be read.
    await until(async () => stateOf(await send())['test'] === 'waiting', 'a template to send')
    const [account] = await fixtures.ask('wabas.list')
    expect(account && messageOf(account, 'test')).toContain('+91 98123 40001')
    // A department head sees it as well, though the message belongs to the manager.
    const head = await buildDepartmentHead(fixtures.server.database, { parent: fixtures.manager })
    for (const as of [fixtures.manager, head])
      await until(async () => {
        const [listed] = await fixtures.ask('wabas.list', { as })
        return listed?.isReady ?? false
      }, 'the delivery report of the test')
    expect(stateOf(await runStep('test'))).toMatchObject({ test: 'passed' })
    const active = await fixtures.ask('wabas.active')
    expect(active).toMatchObject([{ numbers: [{ isActive: true }] }])
  })
})

describe('numbers', () => {
  test("are refreshed on request, and updated by Meta's webhooks", async () => {
    const [first] = await fixtures.ask('wabas.phoneNumbers')
    const { control } = fixtures.simulator.graph
    control.changeNumber(first?.phone_number_id ?? '', { quality: 'YELLOW', throughputLevel: 'HIGH' })
    expect((await fixtures.ask('wabas.phoneNumbers'))[0]).toMatchObject({ ratePerSecond: 80 })
    const fresh = await fixtures.ask('wabas.phoneNumbers', { query: { mode: 'fresh' } })
    expect(fresh[0]).toMatchObject({ quality: 'yellow', ratePerSecond: 1000 })

    // A callback triggers the read, without a request by a user.
    control.changeNumber(first?.phone_number_id ?? '', { quality: 'RED', limitTier: 'TIER_2K' })
    await until(async () => (await fixtures.ask('wabas.phoneNumbers'))[0]?.messagingLimit === 2000, 'the new limit')
  })

  test('are refreshed by a job that a process of an earlier release queued', async () => {
    const [number] = await fixtures.ask('wabas.phoneNumbers')
    fixtures.simulator.graph.control.changeNumber(number?.phone_number_id ?? '', { limitTier: 'TIER_10K' })
    const payload = { organizationId: fixtures.manager.organizationId, accountId: connection._id }
    const earlier = { name: 'whatsapp.sync-lines', payload: AccountKey }
    await asSystem(fixtures.server.database, (db) => addJob(db, earlier, { payload }))
    await until(async () => (await fixtures.ask('wabas.phoneNumbers'))[0]?.messagingLimit === 10_000, 'the new limit')
  })

  test('are switched on and off, with an audit entry', async () => {
    const [number] = await fixtures.ask('wabas.phoneNumbers')
    const id = number?._id ?? ''
    expect(await fixtures.ask('wabas.activate', { body: { id, isActive: false } })).toMatchObject({ isActive: false })
    expect(await fixtures.ask('wabas.activate', { body: { id, isActive: true } })).toMatchObject({ isActive: true })
    expect(await call('wabas.activate', { as: fixtures.foreign, body: { id, isActive: false } })).toMatchObject({
      status: 404,
      body: { message: 'Phone number not found' },
    })
    const lines = await asSystem(fixtures.server.database, (db) =>
      db.selectFrom('audit_log').select('action').where('object_id', '=', id).orderBy('seq').execute(),
    )
    expect(lines.map(({ action }) => action).slice(-2)).toEqual([
      'whatsapp_number.deactivated',
      'whatsapp_number.activated',
    ])
  })

  test('have a profile that is read from Meta and changed there', async () => {
    const phone_number_id = connection.numbers[0]?.phone_number_id ?? ''
    const profile = { about: 'Open till nine', vertical: 'RETAIL' as const, websites: ['https://acme.example'] }
    await fixtures.ask('wabas.saveProfile', { body: { phone_number_id, ...profile } })
    const asked = { query: { phone_number_id } }
    expect(await fixtures.ask('wabas.profile', asked)).toMatchObject(profile)
    expect(await fixtures.ask('wabas.profile', { ...asked, as: fixtures.admin })).toMatchObject({ vertical: 'RETAIL' })
    expect(await call('wabas.profile', { query: { phone_number_id: '270000000000777' } })).toMatchObject({
      status: 404,
    })
  })

  test('have statistics from Meta, by day and category', async () => {
    const range = { waba_id: connection.waba_id, from: '2026-01-01', to: '2026-12-31' }
    const analytics = await fixtures.ask('wabas.analytics', { query: range })
    expect(analytics.currency).toBe('INR')
    expect(await call('wabas.analytics', { query: { ...range, to: '2025-01-01' } })).toMatchObject({ status: 400 })
  })
})

describe('callbacks', () => {
  const post = (body: object, { secret = String(fixtures.simulator.graph.appSecret), key = '' } = {}) => {
    const raw = JSON.stringify(body)
    const signature = createHmac('sha256', secret).update(raw).digest('hex')
    const address = new URL(connection.callbackUrl)
    if (key) address.pathname = `/hooks/${key}/events`
    return fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` },
      body: raw,
    })
  }
  const written = (lineId: string, wabaId = connection.waba_id) => ({
    object: 'whatsapp_business_account',
    entry: [
      {
        id: wabaId,
        changes: [
          {
            field: 'messages',
            value: {
              metadata: { phone_number_id: lineId },
              messages: [{ id: `wamid.${newId()}`, from: '919812340002', type: 'text', text: { body: 'Hi' } }],
            },
          },
        ],
      },
    ],
  })
  const countInbound = async () => {
    const { rows } = await fixtures.server.database.systemPool.query<{ count: number }>(
      'select count(*) from inbound_messages',
    )
    return rows[0]?.count ?? 0
  }

  test('without a valid signature of the app are rejected, and nothing is stored', async () => {
    const lineId = connection.numbers[0]?.phone_number_id ?? ''
    const before = await countInbound()
    expect((await post(written(lineId), { secret: 'a guess' })).status).toBe(403)
    expect((await post(written(lineId), { key: 'f'.repeat(64) })).status).toBe(404)
    expect(
      (await fetch(`${connection.callbackUrl}?hub.mode=subscribe&hub.challenge=1&hub.verify_token=a-guess`)).status,
    ).toBe(403)
    expect(await countInbound()).toBe(before)
  })

  test('about numbers of other accounts are ignored', async () => {
    const before = await countInbound()
    expect((await post(written('279999999999999'))).status).toBe(200)
    expect((await post(written(connection.numbers[0]?.phone_number_id ?? '', '269999999999999'))).status).toBe(200)
    expect(await countInbound()).toBe(before)
    expect((await post(written(connection.numbers[0]?.phone_number_id ?? ''))).status).toBe(200)
    expect(await countInbound()).toBe(before + 1)
  })
})

test("Meta's embedded sign-up connects the chosen account", async () => {
  const settings = await fixtures.ask('wabas.signUp')
  expect(settings).toMatchObject({ appId: fixtures.simulator.graph.appId, configurationId: '99000000001' })
  const { code, message } = fixtures.simulator.graph.control.signUp({ name: 'Kothrud Books' })
  const { waba_id } = message.data
  const onboarded = await fixtures.ask('wabas.onboard', { as: fixtures.foreign, body: { code, waba_id } })
  expect(stateOf(onboarded)).toMatchObject({ token: 'passed', webhook: 'passed', registration: 'waiting' })
  const { numbers } = onboarded
  expect(
    await call('wabas.activate', { as: fixtures.foreign, body: { id: numbers[0]?._id ?? '', isActive: true } }),
  ).toMatchObject({
    status: 409,
  })
  const registered = await fixtures.ask('wabas.runStep', {
    as: fixtures.foreign,
    path: { id: onboarded._id, step: 'registration' },
    body: { pin: '123456' },
  })
  expect(registered.numbers).toMatchObject([{ status: 'CONNECTED', registeredAt: expect.any(String) }])
  expect(await call('wabas.onboard', { as: fixtures.foreign, body: { code, waba_id } })).toMatchObject({
    body: { success: false, message: expect.stringMatching(/\w/) },
  })
})

test('the admin sets the solution that sign-ups use', async () => {
  expect(await fixtures.ask('wabas.solution')).toMatchObject({
    solutionId: null,
    solutions: [{ solutionId: '501' }, {}],
  })
  expect(await call('wabas.chooseSolution', { as: fixtures.admin, body: { solutionId: '999' } })).toMatchObject({
    status: 400,
    body: { details: [{ field: 'solutionId' }] },
  })
  await fixtures.ask('wabas.chooseSolution', { as: fixtures.admin, body: { solutionId: '502' } })
  expect(await fixtures.ask('wabas.solution')).toMatchObject({ solutionId: '502' })
  expect(await fixtures.ask('wabas.signUp')).toMatchObject({ solutionId: '502' })
})

test('a disconnected account deletes its secrets, receives no callbacks, and can be connected again', async () => {
  await fixtures.ask('wabas.disconnect', { path: { id: connection._id } })
  expect(await fixtures.ask('wabas.list')).toEqual([])
  expect((await fetch(connection.callbackUrl)).status).toBe(404)
  const { rows } = await fixtures.server.database.systemPool.query(
    'select secrets, is_active from provider_accounts join senders on provider_account_id = provider_accounts.id where provider_accounts.id = $1',
    [connection._id],
  )
  expect(rows).toEqual([
    { secrets: null, is_active: false },
    { secrets: null, is_active: false },
  ])
  const again = await fixtures.ask('wabas.connect', { body: fixtures.entry })
  expect(again._id).toBe(connection._id)
  expect(stateOf(again)).toMatchObject({ token: 'passed', webhook: 'passed' })
})
