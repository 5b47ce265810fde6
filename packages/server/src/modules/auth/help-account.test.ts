import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '../../db/pool.ts'
import { buildAdmin, buildManager, buildReseller, buildUser, signIn, type Account } from '../../testing/builders.ts'
import { testServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let reseller: Account
let manager: Account
let stranger: Account

beforeAll(async () => {
  server = await testServer({ flags: ['--run=web'] })
  const { database } = server
  const admin = await buildAdmin(database)
  reseller = await buildReseller(database, { parent: admin })
  manager = await buildManager(database, { parent: reseller })
  stranger = await buildManager(database, { parent: admin })
})
afterAll(() => server.close())

const mailsTo = async (email: string) =>
  (
    await server.database.ownerPool.query<{ subject: string }>('select subject from mails where recipient = $1', [
      email,
    ])
  ).rows

test('a password link is mailed to the owner, and not returned', async () => {
  const user = await buildUser(server.database, { parent: manager })
  const answer = await server.call('users.sendPasswordLink', { as: manager, path: { userId: user.id } })
  expect(answer.data()).toEqual({ email: expect.stringContaining('@'), isMailed: false })
  expect(JSON.stringify(answer.body)).not.toContain('reset-password')
  expect(await mailsTo(answer.data().email)).toEqual([{ subject: 'Set a new password' }])
})

test('all sessions of an account below end, including its impersonations', async () => {
  const user = await buildUser(server.database, { parent: manager })
  const sessions = [await signIn(server.database, user), await signIn(server.database, user)]
  for (const as of sessions) expect((await server.call('profile.details', { as })).status).toBe(200)
  const answer = await server.call('users.endSessions', { as: manager, path: { userId: user.id } })
  expect(answer.data().ended).toBeGreaterThanOrEqual(2)
  for (const as of sessions) expect((await server.call('profile.details', { as })).status).toBe(401)
})

test('an account above turns off two-factor authentication, and the owner is notified', async () => {
  const user = await buildUser(server.database, { parent: manager })
  const remove = (as: Account) => server.call('users.removeSecondFactor', { as, path: { userId: user.id } })
  expect((await remove(manager)).status).toBe(409)
  await asSystem(server.database, (db) =>
    db
      .updateTable('accounts')
      .set({ totp_secret: Buffer.from('sealed'), totp_confirmed_at: new Date() })
      .where('id', '=', user.id)
      .execute(),
  )
  const shown = await server.call('users.get', { as: manager, path: { userId: user.id } })
  expect(shown.data()).toMatchObject({ hasSecondFactor: true })
  expect((await remove(manager)).status).toBe(200)
  const after = await server.call('users.get', { as: manager, path: { userId: user.id } })
  expect(after.data()).toMatchObject({ hasSecondFactor: false })
  const notifications = await server.call('notifications.list', { as: user })
  expect(JSON.stringify(notifications.body)).toContain('Two-factor authentication was removed')
})

test.each(['users.sendPasswordLink', 'users.removeSecondFactor', 'users.endSessions'] as const)(
  '%s is limited to accounts below, and recorded in the audit log',
  async (name) => {
    const user = await buildUser(server.database, { parent: manager })
    expect((await server.call(name, { as: stranger, path: { userId: user.id } })).status).toBe(404)
    expect((await server.call(name, { as: manager, path: { userId: manager.id } })).status).toBeGreaterThanOrEqual(403)
    expect((await server.call(name, { as: reseller, path: { userId: user.id } })).status).toBeLessThan(500)
  },
)

test('a resent invitation has a new link, and the previous one stops working', async () => {
  const body = { email: 'late@test.example', type: 'user' as const, modules: [] }
  const first = await server.ask('invitations.create', { as: manager, body })
  const tokenOf = (link: string) => new URL(link).searchParams.get('t') ?? ''
  const resend = (as: Account) => server.call('invitations.resend', { as, path: { id: first._id } })
  const again = (await resend(manager)).data()
  expect(again.status).toBe('open')
  const kindOf = async (link = '') => (await server.ask('auth.registration', { body: { token: tokenOf(link) } })).kind
  expect(await kindOf(first.link)).toBe('closed')
  expect(await kindOf(again.link)).toBe('invitation')
  expect((await resend(stranger)).status).toBe(404)
  await server.call('invitations.revoke', { as: manager, path: { id: first._id } })
  expect((await resend(manager)).status).toBe(409)
})

test('resending an expired invitation replaces a newer one to the same address', async () => {
  const body = { email: 'twice@test.example', type: 'user' as const, modules: [] }
  const older = await server.ask('invitations.create', { as: manager, body })
  await server.database.ownerPool.query(`update invitations set expires_at = now() - interval '1 day' where id = $1`, [
    older._id,
  ])
  const newer = await server.ask('invitations.create', { as: manager, body })
  await server.call('invitations.resend', { as: manager, path: { id: older._id } })
  const token = new URL(newer.link ?? '').searchParams.get('t') ?? ''
  expect(await server.ask('auth.registration', { body: { token } })).toMatchObject({ kind: 'closed' })
})

test('no password link is sent to an address changed within a day', async () => {
  const user = await buildUser(server.database, { parent: manager })
  await server.database.ownerPool.query(
    `insert into email_changes (organization_id, id, account_id, requested_by, requested_at, old_email, new_email, confirm_hash, refuse_hash, expires_at, applied_at)
    values ($1, gen_random_uuid(), $2, $2, now(), 'old@test.example', 'new@test.example', 'a', 'b', now(), now())`,
    [user.organizationId, user.id],
  )
  const answer = await server.call('users.sendPasswordLink', { as: manager, path: { userId: user.id } })
  expect(answer).toMatchObject({ status: 409, body: { message: expect.stringContaining('24 hours') } })
})
