import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '../../db/pool.ts'
import { buildAdmin, buildManager, buildReseller, type Account } from '../../testing/builders.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { until } from '../../testing/until.ts'
import { checkPassword } from './password-rules.ts'
import { hashPassword } from './passwords.ts'

const old = 'the password of before'
const fresh = 'quite another password'

let server: TestServer
let admin: Account

beforeAll(async () => {
  server = await testServer()
  admin = await buildAdmin(server.database)
})
afterAll(() => server.close())

async function buildOwner(more: Record<string, unknown> = {}): Promise<Account> {
  const reseller = await buildReseller(server.database, { parent: admin })
  const owner = await buildManager(server.database, { parent: reseller })
  const password_hash = await hashPassword(old)
  await asSystem(server.database, (db) =>
    db
      .updateTable('accounts')
      .set({ password_hash, ...more })
      .where('id', '=', owner.id)
      .execute(),
  )
  return owner
}

const emailOf = ({ username }: Account) => `${username}@test.example`
const login = ({ username }: Account, password: string) => server.call('auth.login', { body: { username, password } })
const ask = (email: string) => server.call('auth.sendResetLink', { body: { email } })
const reset = (token: string, newPassword = fresh) =>
  server.call('auth.resetPassword', { body: { token, newPassword } })

async function mailsTo(owner: Account): Promise<{ subject: string; link: string | null }[]> {
  return asSystem(server.database, async (db) => {
    const { rows } = await sql<{ subject: string; link: string | null }>`
      select subject, link from mails where recipient = ${emailOf(owner)} order by created_at`.execute(db)
    return rows
  })
}

async function linkTo(owner: Account): Promise<string> {
  const before = (await mailsTo(owner)).length
  await ask(emailOf(owner))
  await until(async () => (await mailsTo(owner)).length > before, 'the mail')
  return new URL((await mailsTo(owner)).at(-1)?.link ?? '').searchParams.get('t') ?? ''
}

test('a known and an unknown address get the same response, which contains nothing that opens an account', async () => {
  const owner = await buildOwner()
  const [known, unknown] = [await ask(emailOf(owner)), await ask('nobody@test.example')]
  expect(known).toMatchObject({ status: 200 })
  expect(unknown.body).toEqual(known.body)
  expect(known.text).not.toMatch(/[0-9a-f]{32}/)
})

test('a link sets a password once, ends every session, and notifies the owner', async () => {
  const owner = await buildOwner()
  const token = await linkTo(owner)
  expect(await reset(token)).toMatchObject({ status: 200 })
  expect(await server.call('profile.details', { as: owner })).toMatchObject({ status: 401 })
  expect(await login(owner, old)).toMatchObject({ status: 401 })
  expect(await login(owner, fresh)).toMatchObject({ status: 200 })
  expect((await mailsTo(owner)).at(-1)).toMatchObject({ subject: 'Your password was changed', link: null })
  expect(await reset(token, 'a third password')).toMatchObject({
    status: 400,
    body: { message: 'This link is no longer valid: ask for a new one' },
  })
})

test('a link is invalid after the password was changed otherwise, and after its expiry', async () => {
  const owner = await buildOwner()
  const first = await linkTo(owner)
  const second = await linkTo(owner)
  expect(await reset(first)).toMatchObject({ status: 200 })
  expect(await reset(second, 'a third password')).toMatchObject({ status: 400 })

  const late = await linkTo(owner)
  await asSystem(server.database, (db) =>
    sql`update password_resets set expires_at = now() - interval '1 second'`.execute(db),
  )
  expect(await reset(late, 'a third password')).toMatchObject({ status: 400 })
})

test('an account gets at most three links per hour', async () => {
  const owner = await buildOwner()
  for (let times = 0; times < 3; times += 1) await linkTo(owner)
  await ask(emailOf(owner))
  await ask('nobody@test.example')
  expect(await mailsTo(owner)).toHaveLength(3)
})

test('the link uses the configured address, whatever host the request names', async () => {
  const owner = await buildOwner()
  await server.call('auth.sendResetLink', {
    body: { email: emailOf(owner) },
    headers: { 'x-forwarded-host': 'evil.example' },
  })
  await until(async () => (await mailsTo(owner)).length > 0, 'the mail')
  expect((await mailsTo(owner))[0]?.link).not.toContain('evil')
})

test('an assigned password must be replaced before any other call', async () => {
  const owner = await buildOwner({ is_first_login: true })
  const { token, isFirstLogin } = (await login(owner, old)).data()
  expect(isFirstLogin).toBe(true)
  expect(await server.call('balance.get', { as: { token } })).toMatchObject({
    status: 403,
    body: { code: 'first_login', message: 'Choose a new password first' },
  })
  expect(await server.call('profile.details', { as: { token } })).toMatchObject({ status: 200 })
  expect(await server.call('brand.current', { as: { token } })).toMatchObject({ status: 200 })

  const change = (currentPassword: string, newPassword: string) =>
    server.call('auth.changePassword', { as: { token }, body: { currentPassword, newPassword } })
  expect(await change('wrong', fresh)).toMatchObject({
    status: 400,
    body: { details: [{ field: 'currentPassword', message: 'Wrong password' }] },
  })
  expect(await change(old, old)).toMatchObject({ status: 400, body: { details: [{ field: 'newPassword' }] } })
  const changed = await change(old, fresh)
  expect(changed).toMatchObject({ status: 200, body: { data: { isFirstLogin: false } } })
  expect(await server.call('profile.details', { as: { token } })).toMatchObject({ status: 401 })
  const next = changed.data()
  expect(await server.call('balance.get', { as: next })).toMatchObject({ status: 200 })
})

const person = { username: 'asha.rao', email: 'asha.rao@shop.example', role: 'manager', hasTotp: false } as const

test.each([
  ['short', 'seven77'],
  ['common', 'password123'],
  ['common, in capitals', 'PASSWORD123'],
  ['one character', 'aaaaaaaaaa'],
  ['a row of the keyboard', 'qwertyuiop'],
  ['one’s own name', 'Asha.Rao'],
  ['one’s own address', 'asha.rao@shop.example'],
])('a password that is %s is rejected', (_, password) => {
  expect(() => checkPassword(password, person)).toThrow()
})

test('only length is required: no composition rules, and more length for managing accounts without a second factor', () => {
  expect(() => checkPassword('correct horse battery', person)).not.toThrow()
  expect(() => checkPassword('ten tables', { ...person, role: 'reseller' })).toThrow(/at least 15/)
  expect(() => checkPassword('ten tables', { ...person, role: 'reseller', hasTotp: true })).not.toThrow()
})
