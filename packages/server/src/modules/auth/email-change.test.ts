import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { asSystem } from '../../db/pool.ts'
import { buildTree, type Account } from '../../testing/builders.ts'
import { testServer, type CallAnswer, type TestServer } from '../../testing/server.ts'
import { until } from '../../testing/until.ts'
import { hashPassword } from './passwords.ts'

let server: TestServer
let admin: Account
let reseller: Account
let manager: Account
let head: Account
let user: Account
let foreign: Account
let passwordHash: string
const password = 'a password of the owner'

beforeAll(async () => {
  // No server listens there, so mails stay in the database for the test.
  server = await testServer({ environment: { SMTP_URL: 'smtp://127.0.0.1:1', PUBLIC_URL: 'https://messages.example' } })
  passwordHash = await hashPassword(password)
})
afterAll(() => server.close())

beforeEach(async () => {
  ;({ admin, reseller, manager, head, user, foreign } = await buildTree(server.database))
  await change(reseller, { may_impersonate: true })
  for (const account of [manager, user]) await change(account, { password_hash: passwordHash })
})

const emailOf = ({ username }: Account) => `${username}@test.example`
const change = ({ id }: Account, set: object) =>
  asSystem(server.database, (db) => db.updateTable('accounts').set(set).where('id', '=', id).execute())
const row = ({ id }: Account) =>
  asSystem(server.database, (db) =>
    db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
  )
const mailsTo = (recipient: string) =>
  asSystem(server.database, (db) =>
    db
      .selectFrom('mails')
      .select(['subject', 'link'])
      .where('recipient', '=', recipient)
      .orderBy('created_at')
      .orderBy('id')
      .execute(),
  )
async function tokenTo(recipient: string, subject: string): Promise<string> {
  const mail = (await mailsTo(recipient)).findLast((one) => one.subject === subject)
  const place = new URL(mail?.link ?? 'https://no.example/')
  expect(place.href).toMatch(/^https:\/\/messages\.example\/reset-password\?[et]=[\da-f]{64}$/)
  return place.searchParams.get('e') ?? place.searchParams.get('t') ?? ''
}
const auditOf = ({ id }: Account) =>
  asSystem(server.database, (db) =>
    db
      .selectFrom('audit_log')
      .select(['organization_id', 'actor_id', 'action', 'details'])
      .where('object_id', '=', id)
      .orderBy('seq')
      .execute(),
  )

const update = (as: Account, target: Account, email: string) =>
  server.call('users.update', { as, body: { userId: target.id, email } })
const confirm = (token: string) => server.call('emailChange.confirm', { body: { token } })
const refuse = (token: string) => server.call('emailChange.refuse', { body: { token } })
const details = (token: string) => server.ask('emailChange.details', { body: { token } })
const login = (email: string, secret = password) => server.call('auth.login', { body: { email, password: secret } })
const changeOwn = (as: Account, email: string) =>
  server.call('profile.update', { as, body: { email, currentPassword: password } })
const setOneTime = (as: Account, target: Account) =>
  server.call('users.setOneTimePassword', { as, path: { userId: target.id } })

const confirmSubject = 'Confirm your new e-mail address'
const noticeSubject = 'Your e-mail address will change'
const changedSubject = 'Your e-mail address was changed'

/** Requests a reset link. The response does not wait for the mail, so a second account's mail marks that it was processed. */
async function requestReset(email: string) {
  const answer = await server.call('auth.sendResetLink', { body: { email } })
  await server.call('auth.sendResetLink', { body: { email: emailOf(foreign) } })
  await until(
    async () => (await mailsTo(emailOf(foreign))).some(({ subject }) => subject === 'Set a new password'),
    'the mail of the other account',
  )
  return answer
}

describe('email-change by another account', () => {
  test.each([
    ['a reseller without the right to visit, of its manager', () => [reseller, manager] as const],
    ['a manager, of its user', () => [manager, user] as const],
    ['a department head, of its user', () => [head, user] as const],
  ])('%s: rejected, and nothing is mailed', async (_, pick) => {
    await change(reseller, { may_impersonate: false })
    const [actor, target] = pick()
    const email = `taken-over-${target.username}@attacker.example`
    expect(await update(actor, target, email)).toMatchObject({
      status: 403,
      body: { message: 'Your account does not have the right to open this account' },
    })
    expect(await mailsTo(email)).toEqual([])
    expect((await row(target)).email).toBe(emailOf(target))
    // Other details stay editable.
    const named = await server.call('users.update', { as: actor, body: { userId: target.id, name: 'Renamed' } })
    expect(named.status).toBe(200)
  })

  test('with the right to impersonate: the old address stays until the new one confirms, both are notified, both names are logged', async () => {
    const email = `new-${manager.username}@test.example`
    expect(await update(reseller, manager, email)).toMatchObject({
      status: 200,
      body: { data: { email: emailOf(manager), pendingEmail: { email } } },
    })
    expect((await login(emailOf(manager))).status).toBe(200)
    expect((await login(email)).status).toBe(401)
    expect((await mailsTo(emailOf(manager))).map(({ subject }) => subject)).toEqual([noticeSubject])
    expect((await server.call('notifications.list', { as: manager })).text).toContain('changed your e-mail address')
    expect((await server.call('profile.details', { as: manager })).body).toMatchObject({
      data: { email: emailOf(manager), pendingEmail: { email } },
    })

    const token = await tokenTo(email, confirmSubject)
    expect(await details(token)).toEqual({
      kind: 'confirm',
      username: manager.username,
      oldEmail: emailOf(manager),
      newEmail: email,
    })
    expect((await confirm(token)).status).toBe(200)
    expect((await confirm(token)).status).toBe(400)
    expect((await login(email)).status).toBe(200)
    expect((await login(emailOf(manager))).status).toBe(401)
    const lines = await auditOf(manager)
    for (const organization_id of [manager.organizationId, reseller.organizationId])
      expect(lines).toContainEqual({
        organization_id,
        actor_id: reseller.id,
        action: 'email.change_requested',
        details: { to: email, actor: reseller.username, subject: manager.username },
      })
    expect(lines).toContainEqual(
      expect.objectContaining({
        action: 'email.changed',
        details: expect.objectContaining({ requestedBy: reseller.username }) as object,
      }),
    )
  })

  test('a request ends with the right of the account that made it', async () => {
    const email = `late-${manager.username}@attacker.example`
    await update(reseller, manager, email)
    await server.call('signUp.allowImpersonation', {
      as: admin,
      path: { userId: reseller.id },
      body: { mayImpersonate: false },
    })
    const token = await tokenTo(email, confirmSubject)
    expect(await details(token)).toEqual({ kind: 'gone' })
    expect((await confirm(token)).status).toBe(400)
    expect((await row(manager)).email).toBe(emailOf(manager))
  })
})

describe("email-change of one's own account", () => {
  test('requires the password, can be resent and cancelled', async () => {
    const email = `own-${user.username}@test.example`
    const wrong = await server.call('profile.update', { as: user, body: { email, currentPassword: 'wrong' } })
    expect(wrong.status).toBe(400)
    expect(await mailsTo(email)).toEqual([])

    expect(await changeOwn(user, email)).toMatchObject({
      status: 200,
      body: { data: { email: emailOf(user), pendingEmail: { email } } },
    })
    const first = await tokenTo(email, confirmSubject)
    expect((await server.call('emailChange.resend', { as: user, body: {} })).status).toBe(200)
    const second = await tokenTo(email, confirmSubject)
    expect(await details(first)).toEqual({ kind: 'gone' })
    expect(await details(second)).toMatchObject({ kind: 'confirm' })

    expect((await server.call('emailChange.cancel', { as: user, body: {} })).status).toBe(200)
    expect((await confirm(second)).status).toBe(400)
    expect((await server.call('emailChange.cancel', { as: user, body: {} })).status).toBe(404)
    expect(await server.ask('profile.details', { as: user })).not.toHaveProperty('pendingEmail')
  })

  test('only the account itself, or an account that may impersonate it, can resend or cancel', async () => {
    await changeOwn(user, `own-${user.username}@test.example`)
    for (const name of ['emailChange.resend', 'emailChange.cancel'] as const) {
      expect((await server.call(name, { as: head, body: { userId: user.id } })).status).toBe(403)
      expect((await server.call(name, { as: foreign, body: { userId: user.id } })).status).toBe(404)
    }
    expect((await server.call('emailChange.cancel', { as: admin, body: { userId: user.id } })).status).toBe(200)
  })

  test('mails to a new address are limited', async () => {
    const email = `many-${user.username}@test.example`
    await changeOwn(user, email)
    const resent = await Promise.all(
      Array.from({ length: 8 }, () => server.call('emailChange.resend', { as: user, body: {} })),
    )
    expect(resent.filter(({ status }) => status === 200)).toHaveLength(4)
    for (let count = 0; count < 4; count += 1) await changeOwn(user, `${count}-${email}`)
    expect((await changeOwn(user, `more-${email}`)).status).toBe(429)
  })

  test('does not reveal whether an address has an account: its owner is notified by mail instead', async () => {
    const free = await changeOwn(user, `free-${user.username}@test.example`)
    const taken = await changeOwn(user, emailOf(foreign))
    const shape = ({ status, text }: CallAnswer) => ({
      status,
      text: text.replaceAll(/"(email|expiresAt)":"[^"]*"/g, ''),
    })
    expect(shape(taken)).toEqual(shape(free))
    expect(await mailsTo(emailOf(foreign))).toEqual([{ subject: 'This address already has an account', link: null }])
  })

  test('the old address can reject a pending change', async () => {
    const email = `refused-${user.username}@test.example`
    await changeOwn(user, email)
    const notice = await tokenTo(emailOf(user), noticeSubject)
    expect(await details(notice)).toMatchObject({ kind: 'refuse', newEmail: email })
    expect((await confirm(notice)).status).toBe(400)
    expect((await refuse(notice)).status).toBe(200)
    expect((await confirm(await tokenTo(email, confirmSubject))).status).toBe(400)
    expect((await login(emailOf(user))).status).toBe(200)
  })

  test('after a change, password resets by mail are blocked for a day with the same response; meanwhile the old address can undo it', async () => {
    const email = `moved-${user.username}@test.example`
    await requestReset(emailOf(user))
    const earlier = await tokenTo(emailOf(user), 'Set a new password')
    await changeOwn(user, email)
    await confirm(await tokenTo(email, confirmSubject))

    const reset = (token: string) =>
      server.call('auth.resetPassword', { body: { token, newPassword: 'a password of the attacker' } })
    expect((await reset(earlier)).status).toBe(400)
    const known = await requestReset(email)
    const unknown = await requestReset('unknown@test.example')
    expect({ status: known.status, body: known.body }).toEqual({ status: unknown.status, body: unknown.body })
    expect((await mailsTo(email)).map(({ subject }) => subject)).toEqual([confirmSubject, changedSubject])

    // The old address stays reserved while the change can be undone.
    expect((await update(admin, foreign, emailOf(user))).status).toBe(200)
    expect((await mailsTo(emailOf(user))).at(-1)?.subject).toBe('This address already has an account')

    const session = { token: (await login(email)).data().token }
    expect((await refuse(await tokenTo(emailOf(user), changedSubject))).status).toBe(200)
    expect((await row(user)).email).toBe(emailOf(user))
    expect((await server.call('profile.details', { as: session })).status).toBe(401)
    expect((await login(emailOf(user))).status).toBe(401)
    const fresh = await tokenTo(emailOf(user), 'The change of your e-mail address was undone')
    const chosen = { token: fresh, newPassword: 'the next password of the owner' }
    expect((await server.call('auth.resetPassword', { body: chosen })).status).toBe(200)
    expect((await login(emailOf(user), chosen.newPassword)).status).toBe(200)
  })

  test('after a day the change is final, and resets work again', async () => {
    const email = `final-${user.username}@test.example`
    await changeOwn(user, email)
    await confirm(await tokenTo(email, confirmSubject))
    await asSystem(server.database, (db) =>
      db
        .updateTable('email_changes')
        .set({ applied_at: new Date(Date.now() - 25 * 3_600_000) })
        .where('account_id', '=', user.id)
        .execute(),
    )
    expect((await refuse(await tokenTo(emailOf(user), changedSubject))).status).toBe(400)
    await requestReset(email)
    await until(async () => (await mailsTo(email)).at(-1)?.subject === 'Set a new password', 'the reset mail')
  })

  test('an expired link changes nothing', async () => {
    const email = `slow-${user.username}@test.example`
    await changeOwn(user, email)
    await asSystem(server.database, (db) =>
      db.updateTable('email_changes').set({ expires_at: new Date() }).where('account_id', '=', user.id).execute(),
    )
    expect((await confirm(await tokenTo(email, confirmSubject))).status).toBe(400)
    expect(await server.ask('profile.details', { as: user })).not.toHaveProperty('pendingEmail')
  })
})

describe('email-change: one-time passwords for owners without mail', () => {
  test.each([
    ['a reseller without the right to visit, of its manager', () => [reseller, manager] as const, 403],
    ['a manager, of its user', () => [manager, user] as const, 403],
    ['a department head, of its user', () => [head, user] as const, 403],
    ['a reseller, of a foreign manager', () => [reseller, foreign] as const, 404],
    ['a reseller, of the admin above', () => [reseller, admin] as const, 404],
    ['an admin, of itself', () => [admin, admin] as const, 403],
  ])('%s: rejected', async (_, pick, status) => {
    await change(reseller, { may_impersonate: false })
    const [actor, target] = pick()
    const before = await row(target)
    expect((await setOneTime(actor, target)).status).toBe(status)
    expect(await row(target)).toMatchObject({ password_hash: before.password_hash })
  })

  test('it ends every session, must be replaced at the first login, and is notified and logged with both names', async () => {
    const set = await setOneTime(reseller, manager)
    expect(set.status).toBe(200)
    const { oneTimePassword } = set.data()
    expect((await server.call('profile.details', { as: manager })).status).toBe(401)
    expect((await login(emailOf(manager))).status).toBe(401)

    const first = await login(emailOf(manager), oneTimePassword)
    expect(first).toMatchObject({ status: 200, body: { isFirstLogin: true } })
    const as = { token: first.data().token }
    expect(await server.call('topUps.list', { as })).toMatchObject({ status: 403, body: { code: 'first_login' } })
    const chosen = { currentPassword: oneTimePassword, newPassword: 'the next password of the owner' }
    expect((await server.call('auth.changePassword', { as, body: chosen })).status).toBe(200)
    expect((await login(emailOf(manager), oneTimePassword)).status).toBe(401)
    expect((await login(emailOf(manager), chosen.newPassword)).status).toBe(200)

    expect((await mailsTo(emailOf(manager)))[0]?.subject).toBe('A one-time password was set for your account')
    expect(await auditOf(manager)).toContainEqual({
      organization_id: manager.organizationId,
      actor_id: reseller.id,
      action: 'password.one_time_set',
      details: { actor: reseller.username, subject: manager.username },
    })
    expect(JSON.stringify(await row(manager))).not.toContain(oneTimePassword)
  })

  test('the second factor is kept', async () => {
    await change(manager, { totp_secret: Buffer.from('secret'), totp_confirmed_at: new Date() })
    const { oneTimePassword } = (await setOneTime(reseller, manager)).data()
    expect(await login(emailOf(manager), oneTimePassword)).toMatchObject({
      body: { code: 'second_factor_required' },
    })
  })

  test('it expires after a day, and ends with the right of the account that set it, in open sessions too', async () => {
    const { oneTimePassword } = (await setOneTime(reseller, manager)).data()
    const opened = (await login(emailOf(manager), oneTimePassword)).data()
    await server.call('signUp.allowImpersonation', {
      as: admin,
      path: { userId: reseller.id },
      body: { mayImpersonate: false },
    })
    expect((await login(emailOf(manager), oneTimePassword)).status).toBe(401)
    await until(async () => (await server.call('profile.details', { as: opened })).status === 401, 'the session to end')

    const again = (await setOneTime(admin, manager)).data()
    await change(manager, { one_time_password_until: new Date() })
    expect((await login(emailOf(manager), again.oneTimePassword)).status).toBe(401)
  })
})
