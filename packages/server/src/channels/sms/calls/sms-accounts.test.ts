import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SmsAccount } from '@carillon/contract/channels/sms/sms-accounts'
import { startSimulator, type Simulator } from '@carillon/simulator/index'
import { asSystem } from '../../../db/pool.ts'
import { newId } from '../../../lib/ids.ts'
import { buildAdmin, buildManager, buildUser, type Account } from '../../../testing/builders.ts'
import { testServer, type Calls, type TestServer } from '../../../testing/server.ts'
import { issue } from '../../../modules/balance/index.ts'

let simulator: Simulator
let server: TestServer
let manager: Account
let user: Account
let foreign: Account

beforeAll(async () => {
  simulator = await startSimulator()
  server = await testServer({
    environment: { EGRESS_ALLOW: `127.0.0.1:${simulator.httpPort},127.0.0.1:${simulator.smscPort}` },
  })
  const admin = await buildAdmin(server.database)
  manager = await buildManager(server.database, { parent: admin })
  user = await buildUser(server.database, { parent: manager })
  foreign = await buildManager(server.database, { parent: admin })
  await giveRatesAndMoney(admin)
})
afterAll(async () => {
  await server.close()
  await simulator.close()
})

async function giveRatesAndMoney(admin: Account) {
  await asSystem(server.database, async (db) => {
    const card = newId()
    await db
      .insertInto('rate_cards')
      .values({ organization_id: admin.organizationId, id: card, name: 'Rates' })
      .execute()
    await db
      .insertInto('rates')
      .values({ organization_id: admin.organizationId, rate_card_id: card, channel: 'sms', price: 1250 })
      .execute()
    const issuer = { organizationId: manager.organizationId, accountId: manager.id }
    await issue(db, {
      issuer,
      organizationId: manager.organizationId,
      accountId: manager.id,
      amount: 1_000_000,
      opKey: 'fund',
      reference: '',
    })
  })
}

const secret = 'simulator'

function smpp(config: Record<string, unknown> = {}, more: Record<string, unknown> = {}) {
  const connection = { host: '127.0.0.1', port: simulator.smscPort, systemId: 'carillon', password: secret, ...config }
  return { name: 'Main', provider: 'smpp', headers: ['CARLLN'], ratePerSecond: 50, config: connection, ...more }
}

const call: Calls['call'] = (name, ...options) => server.as(manager).call(name, ...options)
const ask: Calls['ask'] = (name, ...options) => server.as(manager).ask(name, ...options)

async function connect(config?: Record<string, unknown>, more?: Record<string, unknown>): Promise<SmsAccount> {
  return ask('smsAccounts.create', { body: smpp(config, more) })
}

const activate = (id: string, isActive = true) => call('smsAccounts.activate', { body: { id, isActive } })
const stateOf = async (id: string) => (await ask('smsAccounts.get', { path: { id } })).state
const eventually = (assertion: () => Promise<void>) =>
  expect.poll(async () => (await assertion(), true), { timeout: 20_000, interval: 100 }).toBe(true)

describe('an account', () => {
  test('is created switched off, with its settings and without its secrets', async () => {
    const account = await connect({}, { entityId: '1'.repeat(19) })
    expect(account).toMatchObject({
      name: 'Main',
      isActive: false,
      provider: 'smpp',
      providerLabel: 'SMPP 3.4',
      headers: ['CARLLN'],
      entityId: '1'.repeat(19),
      ratePerSecond: 50,
      config: { host: '127.0.0.1', systemId: 'carillon' },
      secretsSet: ['password'],
      state: { status: 'off', binds: [], queued: 0 },
    })
    expect(account.callbackUrl).toBeUndefined()
    expect(account.config).not.toHaveProperty('password')
  })

  test('never returns its password, and the database holds it only encrypted', async () => {
    const hidden = 'a-password-of-its-own'
    const { _id: id } = await connect({ password: hidden })
    const [list, one] = [
      await server.call('smsAccounts.list', { as: user }),
      await server.call('smsAccounts.get', { as: user, path: { id } }),
    ]
    expect(list.text + one.text).not.toContain(hidden)
    const { rows } = await server.database.systemPool.query<{ row: string }>(
      `select provider_accounts::text || encode(coalesce(secrets, ''), 'escape') as row from provider_accounts
       union all select audit_log::text from audit_log`,
    )
    expect(rows.length).toBeGreaterThan(1)
    expect(rows.map(({ row }) => row).join('\n')).not.toContain(hidden)
  })

  test.each([
    ['no such provider', { provider: 'pigeon' }, 'provider'],
    ['no host', { config: { systemId: 'carillon' } }, 'config.host'],
    ['a window too wide', { config: { host: 'smsc.example', systemId: 'a', window: 5_000 } }, 'config.window'],
    ['no header', { headers: [] }, 'headers'],
    ['a header that is none', { headers: ['X'] }, 'headers.0'],
  ])('with %s is rejected with an error on its field', async (_, more, field) => {
    const answer = await call('smsAccounts.create', { body: { ...smpp(), ...more } })
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ details: expect.arrayContaining([expect.objectContaining({ field })]) })
  })

  test('is changed without resending its password, unless its host changes', async () => {
    const { _id: id } = await connect()
    const path = { id }
    const { password: _, ...config } = smpp().config as Record<string, unknown>
    const changed = await call('smsAccounts.update', {
      path,
      body: { ...smpp(), name: 'Renamed', config: { ...config, window: 25 } },
    })
    expect(changed.data()).toMatchObject({ name: 'Renamed', config: { window: 25 }, secretsSet: ['password'] })

    const elsewhere = { ...config, host: 'collector.example' }
    const refused = await call('smsAccounts.update', { path, body: { ...smpp(), config: elsewhere } })
    expect(refused).toMatchObject({ status: 400, body: { details: [{ field: 'config.password' }] } })
    const moved = await call('smsAccounts.update', {
      path,
      body: { ...smpp(), config: { ...elsewhere, password: 'new' } },
    })
    expect(moved).toMatchObject({ status: 200, body: { data: { config: { host: 'collector.example' } } } })
    const other = await call('smsAccounts.update', { path, body: { ...smpp(), provider: 'http-gateway' } })
    expect(other.status).toBe(409)
  })

  test('of another organisation is not found', async () => {
    const { _id: id } = await connect()
    const absent = { status: 404, body: { success: false, message: 'SMS account not found' } }
    expect(await call('smsAccounts.get', { as: foreign, path: { id } })).toMatchObject(absent)
    expect(await call('smsAccounts.update', { as: foreign, path: { id }, body: smpp() })).toMatchObject(absent)
    expect(await call('smsAccounts.activate', { as: foreign, body: { id, isActive: true } })).toMatchObject(absent)
    expect((await server.call('smsAccounts.list', { as: foreign })).body).toMatchObject({ data: [] })
    expect(await call('smsAccounts.create', { as: user, body: smpp() })).toMatchObject({ status: 403 })
  })

  test('writes an audit entry for every action', async () => {
    const { _id: id } = await connect()
    await activate(id)
    await activate(id)
    await activate(id, false)
    const lines = await asSystem(server.database, (db) =>
      db.selectFrom('audit_log').selectAll().where('object_id', '=', id).orderBy('seq').execute(),
    )
    expect(lines.map(({ action }) => action)).toEqual([
      'sms_account.created',
      'sms_account.activated',
      'sms_account.deactivated',
    ])
  })
})

describe('a connection', () => {
  test('connects, sends a test message to the phone, and disconnects', async () => {
    const { _id: id } = await connect()
    const send = (header = 'CARLLN') =>
      server.call('smsAccounts.test', {
        as: user,
        path: { id },
        body: { phoneNumber: '+919812340001', header, text: 'Is this on?' },
      })
    expect((await send()).status).toBe(409)

    await activate(id)
    await eventually(async () =>
      expect(await stateOf(id)).toMatchObject({ status: 'connected', binds: [{ name: 'trx-1', status: 'bound' }] }),
    )
    expect((await send('OTHER1')).status).toBe(400)
    expect(await send()).toMatchObject({ status: 200, body: { data: { messageId: expect.any(String) } } })
    await eventually(async () =>
      expect(simulator.handset.find('919812340001')?.messages.map(({ text }) => text)).toEqual(['Is this on?']),
    )

    expect((await activate(id, false)).data().state.status).toBe('off')
    await eventually(async () => expect(await bindsOf('carillon')).toBe(0))
  })

  test.each([
    ['a landline of a city', '+918041234567', 'This is a landline, which cannot receive SMS'],
    ['a landline abroad', '+442079460000', 'This is a landline, which cannot receive SMS'],
    ['a 1800 number', '+9118001234567', 'This is a toll-free or service number, which cannot receive SMS'],
    ['too few digits', '+91981234', expect.any(String)],
  ])('a test to %s is rejected with the same message as an upload', async (_, phoneNumber, message) => {
    const { _id: id } = await connect()
    await activate(id)
    const body = { phoneNumber, header: 'CARLLN', text: 'Is this on?' }
    expect(await server.call('smsAccounts.test', { as: user, path: { id }, body })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'phoneNumber', message }] },
    })
    await activate(id, false)
  })

  test('reports why it cannot connect', async () => {
    const { _id: id } = await connect({ password: 'guess' })
    await activate(id)
    await eventually(async () =>
      expect(await stateOf(id)).toMatchObject({
        binds: [{ status: 'refused' }],
        lastError: { code: '0x0E', message: 'The operator rejected the password' },
      }),
    )
    await activate(id, false)
  })

  test.each([
    ['works', {}, { isConnected: true }],
    [
      'has a wrong password',
      { password: 'guess' },
      { isConnected: false, code: '0x0E', message: 'The operator rejected the password' },
    ],
    [
      'leads to a closed port of the simulator',
      { port: 1 },
      { isConnected: false, code: 'EGRESS_REFUSED', message: expect.stringContaining('EGRESS_ALLOW') },
    ],
  ])('%s is reported before anything is saved', async (_, config, found) => {
    const count = async () => (await server.ask('smsAccounts.list', { as: manager })).length
    const before = await count()
    expect(await server.call('smsAccounts.check', { as: manager, body: smpp(config) })).toMatchObject({
      status: 200,
      body: { data: found },
    })
    expect(await count()).toBe(before)
    await eventually(async () => expect(await bindsOf('carillon')).toBe(0))
  })

  test('is checked with the stored password of the account being changed, in scope only', async () => {
    const { _id: id } = await connect()
    const { password: _, ...config } = smpp().config as Record<string, unknown>
    const check = (as: Account, more: Record<string, unknown> = {}) =>
      server.call('smsAccounts.check', { as, body: { ...smpp(), id, config: { ...config, ...more } } })
    expect(await check(manager)).toMatchObject({ body: { data: { isConnected: true } } })
    expect(await check(manager, { password: 'guess' })).toMatchObject({ body: { data: { isConnected: false } } })
    expect(await check(manager, { host: 'collector.example' })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'config.password' }] },
    })
    expect(await check(foreign)).toMatchObject({ status: 404 })
  })

  test('by HTTP is checked with a request that sends nothing', async () => {
    const config = {
      url: `http://127.0.0.1:${simulator.httpPort}/gateway/send`,
      bodyTemplate: '{"to":"{{to}}","from":"{{from}}","text":"{{text}}","ref":"{{reference}}"}',
      auth: 'basic',
      authUser: 'carillon',
      authSecret: secret,
    }
    const check = async (more: Record<string, unknown> = {}) => {
      const body = smpp({}, { provider: 'http-gateway', config: { ...config, ...more } })
      return server.ask('smsAccounts.check', { as: manager, body })
    }
    expect(await check()).toEqual({ isConnected: true })
    expect(await check({ authSecret: 'guess' })).toMatchObject({
      isConnected: false,
      message: expect.stringContaining('rejected the credentials'),
    })
    expect(await check({ url: `http://127.0.0.1:${simulator.httpPort}/nowhere` })).toMatchObject({
      isConnected: false,
      code: '404',
    })
    expect(simulator.handset.count('')).toBe(0)
  })

  test('to a private address is rejected with a message, by the lane and by a test', async () => {
    const { _id: id } = await connect({ host: '127.0.0.2' })
    await activate(id)
    const message = '127.0.0.2 is not a public address; the operator of the server can allow it with EGRESS_ALLOW'
    await eventually(async () =>
      expect(await stateOf(id)).toMatchObject({
        status: 'connecting',
        binds: [{ status: 'refused' }],
        lastError: { code: 'EGRESS_REFUSED', message },
      }),
    )
    const body = { phoneNumber: '+919812340009', header: 'CARLLN', text: 'Is this on?' }
    expect(await server.call('smsAccounts.test', { as: user, path: { id }, body })).toMatchObject({
      status: 409,
      body: { code: 'conflict', message },
    })
    await activate(id, false)
  })

  test('by HTTP: the gateway calls back under an address specific to the account', async () => {
    const url = `http://127.0.0.1:${simulator.httpPort}/gateway/send`
    const bodyTemplate = '{"to":"{{to}}","from":"{{from}}","text":"{{text}}","ref":"{{reference}}"}'
    const config = {
      url,
      bodyTemplate,
      auth: 'basic',
      authUser: 'carillon',
      authSecret: secret,
      signature: 'basic',
      signatureSecret: 'callback',
      idempotencyHeader: 'Idempotency-Key',
    }
    const created = await ask('smsAccounts.create', { body: smpp({}, { provider: 'http-gateway', config }) })
    const { _id: id, callbackUrl = '', secretsSet } = created
    expect([...secretsSet].sort()).toEqual(['authSecret', 'signatureSecret'])
    expect(callbackUrl).toMatch(/\/hooks\/[0-9a-f]{64}$/)
    await activate(id)
    await server.call('smsAccounts.test', {
      as: user,
      path: { id },
      body: { phoneNumber: '+919812340005', header: 'CARLLN', text: 'By HTTP' },
    })
    await eventually(async () => expect(simulator.handset.count('919812340005')).toBe(1))

    const address = `${server.url}${new URL(callbackUrl).pathname}/inbound`
    const words = JSON.stringify({ id: 'in-1', from: '919812340005', to: 'CARLLN', text: 'Thanks' })
    const post = (authorization: Record<string, string>) =>
      fetch(address, { method: 'POST', headers: { 'content-type': 'application/json', ...authorization }, body: words })
    expect((await post({})).status).toBe(401)
    expect((await post({ authorization: 'Basic OmNhbGxiYWNr' })).status).toBe(200)
    expect((await post({ authorization: 'Basic OmNhbGxiYWNr' })).status).toBe(200)
    const { rows } = await server.database.systemPool.query('select text from inbound_messages where sender_id = $1', [
      id,
    ])
    expect(rows).toEqual([{ text: 'Thanks' }])
    await activate(id, false)
    // Reports that the gateway sends after the account was deleted.
    expect(await server.call('smsAccounts.delete', { as: manager, path: { id } })).toMatchObject({ status: 200 })
    expect((await call('smsAccounts.get', { path: { id } })).status).toBe(404)
    expect((await post({ authorization: 'Basic OmNhbGxiYWNr' })).status).toBe(200)
  })
})

async function bindsOf(systemId: string): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${simulator.httpPort}/api/stats`)
  const { binds } = (await answer.json()) as { binds: Record<string, number> | { systemId: string }[] }
  return Array.isArray(binds) ? binds.filter((bind) => bind.systemId === systemId).length : (binds[systemId] ?? 0)
}

test('forms are built from the settings, with secrets marked and no values included', async () => {
  const { body } = (await server.call('providers.list', { as: user })) as unknown as {
    body: {
      data: {
        name: string
        schema: { properties: Record<string, { title?: string; secret?: boolean }> }
        presets: unknown[]
      }[]
    }
  }
  expect(body.data.map(({ name }) => name)).toEqual(['smpp', 'http-gateway'])
  for (const { schema, presets } of body.data) {
    expect(presets.length).toBeGreaterThan(0)
    expect(Object.entries(schema.properties).filter(([, field]) => !field.title)).toEqual([])
  }
  const secrets = body.data.map(({ schema }) =>
    Object.entries(schema.properties).flatMap(([name, field]) => (field.secret ? [name] : [])),
  )
  expect(secrets).toEqual([['password'], ['authSecret', 'signatureSecret']])
})

test('channels are switched individually', async () => {
  const get = async () => (await server.call('channels.get', { as: manager })).body
  expect(await get()).toMatchObject({ data: { sms: true, whatsapp: false } })
  await server.call('channels.update', { as: manager, body: { whatsapp: true } })
  expect(await get()).toMatchObject({ data: { sms: true, whatsapp: true } })
  expect((await server.call('channels.get', { as: foreign })).body).toMatchObject({ data: { whatsapp: false } })
})
