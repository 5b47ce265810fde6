import type { EndpointName } from '@carillon/contract'
import { generateSync } from 'otplib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '../../db/pool.ts'
import { buildAdmin, buildManager, type Account } from '../../testing/builders.ts'
import { testServer, type TestServer, type UncheckedOptions } from '../../testing/server.ts'
import { hashPassword } from './passwords.ts'

let server: TestServer
let admin: Account
let manager: Account
const password = 'a password of its own'

beforeAll(async () => {
  server = await testServer({ storesMailLinks: false })
  admin = await buildAdmin(server.database)
  manager = await buildManager(server.database, { parent: admin })
  const password_hash = await hashPassword(password)
  await asSystem(server.database, (db) =>
    db.updateTable('accounts').set({ password_hash }).where('id', '=', manager.id).execute(),
  )
})
afterAll(() => server.close())

/** Every row of every table as text, including the job queue. */
async function dumpDatabase(): Promise<string> {
  const { ownerPool } = server.database
  const { rows } = await ownerPool.query<{ place: string }>(`
    select format('%I.%I', nspname, relname) as place from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind in ('r', 'p') and nspname in ('public', 'graphile_worker') and not relispartition`)
  const texts: string[] = []
  for (const { place } of rows) {
    const found = await ownerPool.query<{ text: string }>(`select row_to_json(entry)::text as text from ${place} entry`)
    texts.push(...found.rows.map(({ text }) => `${place} ${text}`))
  }
  return texts.join('\n')
}

const headers = { 'idempotency-key': 'the same key' }

async function callTwice<Name extends EndpointName>(name: Name, options: UncheckedOptions) {
  const first = await server.callUnchecked(name, { ...options, headers })
  expect(first).toMatchObject({ status: 200 })
  expect(await server.callUnchecked(name, { ...options, headers })).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('call again with a new key') },
  })
  return first.data()
}

test('secrets-at-rest: the database holds no token, secret, code or link from a response or a mail', async () => {
  const ticket = (await callTwice('realtime.ticket', { as: manager })).ticket
  const begun = await callTwice('totp.begin', { as: manager, body: { currentPassword: password } })
  const { secret } = begun
  const confirmed = await callTwice('totp.confirm', { as: manager, body: { code: generateSync({ secret }) } })
  const apiKey = await callTwice('apiKeys.create', {
    as: manager,
    body: { name: 'Shop', environment: 'live', scopes: ['balance:read'] },
  })
  const regenerated = await callTwice('apiKeys.regenerate', { as: manager, path: { id: apiKey.id }, body: {} })
  await server.ask('balance.get', { as: { token: regenerated.secret } })
  const keys = `${apiKey.secret} ${regenerated.secret}`
  const webhook = { url: 'https://93.184.216.34/hook', types: ['balance.low'] }
  const endpoint = await callTwice('webhookEndpoints.create', { as: manager, body: webhook })
  const rotation = { as: manager, path: { id: endpoint.id }, body: {} }
  const signing = [endpoint.secret, (await callTwice('webhookEndpoints.rotateSecret', rotation)).secret]
  const visit = await callTwice('auth.impersonate', { as: admin, body: { userId: manager.id, reason: 'A question' } })
  await server.call('auth.sendResetLink', { body: { email: `${manager.username}@test.example` } })
  const mailed = () =>
    server.database.ownerPool.query<{ link: string | null }>(
      `select link from mails where subject = 'Set a new password'`,
    )
  await expect.poll(async () => (await mailed()).rows, { timeout: 15_000 }).toEqual([{ link: null }])

  const dump = await dumpDatabase()
  const secrets = { ticket, secret, keys, visit: JSON.stringify(visit), codes: confirmed.recoveryCodes.join(' ') }
  expect(keys.match(/[0-9a-f]{64}/g)).toHaveLength(2)
  const found = Object.values(secrets)
    .flatMap((text) => text.match(/[0-9a-f]{64}|[A-Z2-7]{16,}|[0-9a-f]{5}-[0-9a-f]{5}/g) ?? [])
    .filter((text) => dump.includes(text) || dump.includes(text.replace('-', '')))
  expect(found).toEqual([])
  expect(dump).not.toContain(`"token":"${manager.token}"`)
  for (const text of signing) {
    expect(text).toMatch(/^whsec_/)
    const bytes = Buffer.from(text?.slice('whsec_'.length) ?? '', 'base64')
    for (const encoding of ['base64', 'hex'] as const) expect(dump).not.toContain(bytes.toString(encoding))
  }
})
