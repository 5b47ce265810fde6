import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SmsAccount } from '@carillon/contract/channels/sms/sms-accounts'
import { startSimulator, type Simulator } from '@carillon/simulator/index'
import { createSecretBox } from '../../lib/secrets.ts'
import { buildAdmin, buildManager, type Account } from '../../testing/builders.ts'
import { testServer, type TestServer } from '../../testing/server.ts'

const [before, between, now] = ['ab', 'bc', 'cd'].map((pair) => pair.repeat(32)) as [string, string, string]
let simulator: Simulator
let server: TestServer
let manager: Account

beforeAll(async () => {
  simulator = await startSimulator()
  server = await testServer({
    environment: {
      EGRESS_ALLOW: `127.0.0.1:${simulator.smscPort}`,
      SECRET_KEY: now,
      SECRET_KEY_PREVIOUS: `${before}, ${between}`,
    },
  })
  manager = await buildManager(server.database, { parent: await buildAdmin(server.database) })
})
afterAll(async () => {
  await server.close()
  await simulator.close()
})

const settings = () => ({ host: '127.0.0.1', port: simulator.smscPort, systemId: 'carillon' })
const input = (more: object = {}) => ({
  name: 'Main',
  provider: 'smpp',
  headers: ['CARLLN'],
  config: { ...settings(), ...more },
})

async function call(
  name: 'smsAccounts.create' | 'smsAccounts.get' | 'smsAccounts.update' | 'smsAccounts.activate',
  options: object,
) {
  const { status, body } = await server.call(name, { as: manager, ...options })
  return { status, body: body as { data: SmsAccount; message: string; details?: { field: string }[] } }
}

async function stored(senderId: string) {
  const { rows } = await server.database.systemPool.query<{ organization_id: string; id: string; secrets: Buffer }>(
    `select account.organization_id, account.id, account.secrets from provider_accounts account
     join senders on provider_account_id = account.id where senders.id = $1`,
    [senderId],
  )
  const [row] = rows
  if (!row) throw new Error('There is no such account')
  return {
    secrets: row.secrets,
    place: { table: 'provider_accounts', organizationId: row.organization_id, id: row.id },
  }
}

/** An account whose secrets were saved while `key` was the current one. */
async function buildSealed(key: string): Promise<string> {
  const { body } = await call('smsAccounts.create', { body: input({ password: 'simulator' }) })
  const { place } = await stored(body.data._id)
  const secrets = createSecretBox(key).seal({ password: 'simulator' }, place)
  await server.database.systemPool.query('update provider_accounts set secrets = $1 where id = $2', [secrets, place.id])
  return body.data._id
}

test.each([
  ['the key before', before],
  ['one further back', between],
])(
  'rotate: secrets encrypted with %s still connect, and the next save encrypts them with the new key',
  async (_, key) => {
    const id = await buildSealed(key)
    await call('smsAccounts.activate', { body: { id, isActive: true } })
    await expect
      .poll(async () => (await call('smsAccounts.get', { path: { id } })).body.data.state.status, { timeout: 20_000 })
      .toBe('connected')
    await call('smsAccounts.activate', { body: { id, isActive: false } })

    expect(await call('smsAccounts.update', { path: { id }, body: input({ window: 20 }) })).toMatchObject({
      status: 200,
    })
    const { secrets, place } = await stored(id)
    expect(createSecretBox(now).open(secrets, place)).toEqual({ password: 'simulator' })
  },
)

test('rotate: an account whose key is gone requires its secrets again', async () => {
  const id = await buildSealed('de'.repeat(32))
  expect(await call('smsAccounts.update', { path: { id }, body: input() })).toMatchObject({
    status: 400,
    body: {
      message: 'Enter this again: the stored value cannot be decrypted',
      details: [{ field: 'config.password' }],
    },
  })
  const entered = await call('smsAccounts.update', { path: { id }, body: input({ password: 'simulator' }) })
  expect(entered).toMatchObject({ status: 200, body: { data: { secretsSet: ['password'] } } })
  const { secrets, place } = await stored(id)
  expect(createSecretBox(now).open(secrets, place)).toEqual({ password: 'simulator' })
})
