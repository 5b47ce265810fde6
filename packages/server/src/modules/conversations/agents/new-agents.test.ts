import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import { buildManager, buildUser, type Account } from '../../../testing/builders.ts'
import { testServer, type TestServer } from '../../../testing/server.ts'
import { buildStaff } from '../test-agents.ts'
import { buildLine, type Line } from '../test-inbox.ts'

let server: TestServer

beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await server.database.ownerPool.query<Row>(text, values)).rows

async function addTeam(as: Account, members: Account[], lines: Line[] = []) {
  return server.ask('teams.create', {
    as,
    body: {
      name: `Team ${newId()}`,
      memberIds: members.map(({ id }) => id),
      lineIds: lines.map(({ senderId }) => senderId),
    },
  })
}

describe('a new agent', () => {
  const create = (as: Account, body: object) => server.callUnchecked('agents.create', { as, body })
  const newcomer = () => ({ name: 'Asha Rao', email: `${newId()}@test.example` })

  test('is an account with a one-time password, which must be changed, and the module chat only', async () => {
    const manager = await buildManager(server.database)
    const line = await buildLine(server.database, manager, 'sms')
    const team = await addTeam(manager, [])
    const answer = await create(manager, {
      ...newcomer(),
      role: 'department-head',
      skills: ['Tamil', 'Tamil'],
      teamIds: [team.id],
      lineIds: [line.senderId],
      maxOpen: 5,
      perChannel: { sms: 2 },
    })
    expect(answer).toMatchObject({
      status: 200,
      body: {
        data: {
          name: 'Asha Rao',
          role: 'department_head',
          skills: ['Tamil'],
          teams: [{ _id: team.id }],
          inboxes: [{ _id: line.senderId }],
          channels: ['sms'],
          capacity: { maxOpen: 5, perChannel: { sms: 2 } },
          status: 'active',
          temporaryPassword: expect.stringMatching(/^\w{16}$/),
        },
      },
    })
    const { _id } = answer.data() as { _id: string }
    expect(await query('select is_first_login from accounts where id = $1', [_id])).toEqual([{ is_first_login: true }])
    expect(await query('select module from account_modules where account_id = $1', [_id])).toEqual([{ module: 'chat' }])
  })

  test('needs a name and an email address, which is free', async () => {
    const manager = await buildManager(server.database)
    const email = `${newId()}@test.example`
    expect(await create(manager, {})).toMatchObject({ status: 400, body: { details: [{ field: 'name' }] } })
    expect(await create(manager, { name: 'Asha' })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'email' }] },
    })
    expect(await create(manager, { name: 'Asha', email })).toMatchObject({ status: 200 })
    expect(await create(manager, { name: 'Asha', email })).toMatchObject({
      status: 409,
      body: { details: [{ field: 'email' }] },
    })
    expect(await create(manager, { ...newcomer(), password: 'password' })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'password' }] },
    })
    expect(await create(manager, { ...newcomer(), teamIds: [newId()] })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'teamIds', message: 'Choose teams of your organisation' }] },
    })
    expect(await create(manager, { ...newcomer(), role: 'manager' })).toMatchObject({ status: 400 })
  })

  test('is created and invited by managers only', async () => {
    const { head, user } = await buildStaff(server.database)
    for (const as of [head, user])
      for (const name of ['agents.create', 'agents.invite'] as const)
        expect(await server.callUnchecked(name, { as, body: newcomer() })).toMatchObject({
          status: 403,
          body: { message: 'A user cannot be created by this account' },
        })
  })

  test('may be an existing account, within the own people, which gets the module chat', async () => {
    const { manager, otherHead, user, foreign } = await buildStaff(server.database)
    const without = await buildUser(server.database, { parent: otherHead, modules: [] })
    const outside = await buildUser(server.database, { parent: foreign })
    expect(await create(manager, { accountId: outside.id })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'accountId' }] },
    })
    expect(await create(user, { accountId: without.id })).toMatchObject({ status: 400 })
    expect(await create(otherHead, { accountId: without.id })).toMatchObject({ status: 200 })
    expect(await create(manager, { accountId: without.id })).toMatchObject({
      status: 409,
      body: { message: 'This account is an agent already' },
    })
    expect(await server.call('agents.own', { as: without })).toMatchObject({ status: 200 })
  })

  test('of oneself cannot add teams or lines, nor can a head give what they do not answer', async () => {
    const { manager, head, user } = await buildStaff(server.database)
    const line = await buildLine(server.database, manager, 'sms')
    const other = await buildLine(server.database, manager, 'sms')
    const own = await addTeam(manager, [head], [line])
    const team = await addTeam(manager, [], [other])
    const alone = await buildUser(server.database, { parent: head })
    expect(await create(alone, { accountId: alone.id, teamIds: [team.id] })).toMatchObject({ status: 403 })
    const update = (as: Account, agent: Account, body: object) =>
      server.call('agents.update', { as, path: { id: agent.id }, body })
    expect(await update(head, user, { teamIds: [team.id] })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'teamIds' }] },
    })
    expect(await update(head, user, { lineIds: [other.senderId] })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'lineIds' }] },
    })
    expect(await update(head, user, {})).toMatchObject({ status: 400, body: { details: [{ field: 'lineIds' }] } })
    expect(await update(head, user, { teamIds: [own.id], lineIds: [line.senderId] })).toMatchObject({ status: 200 })
    expect(await update(manager, user, { teamIds: [team.id] })).toMatchObject({ status: 200 })
    expect(await update(head, user, { teamIds: [team.id], skills: ['Hindi'] })).toMatchObject({ status: 200 })
    expect(await update(head, head, {})).toMatchObject({ status: 404 })
    expect(await update(head, await buildUser(server.database, { parent: manager }), {})).toMatchObject({ status: 404 })
  })
})

describe('an invited agent', () => {
  test('is listed, changed and revoked until they accept, and joins with the setup', async () => {
    const manager = await buildManager(server.database)
    const team = await addTeam(manager, [])
    const body = { email: `${newId()}@test.example`, name: 'Ravi', skills: ['Tamil'], teamIds: [team.id] }
    const { _id, link, status } = await server.ask('agents.invite', { as: manager, body })
    expect(status).toBe('invited')
    expect((await server.ask('agents.list', { as: manager })).agents).toMatchObject([
      { _id, name: 'Ravi', status: 'invited', isOnline: false, teams: [{ _id: team.id }] },
    ])
    await server.ask('agents.update', {
      as: manager,
      path: { id: _id },
      body: { skills: ['Hindi'], teamIds: [team.id], maxOpen: 4 },
    })
    const token = new URL(link ?? '').searchParams.get('t') ?? ''
    const account = await server.ask('invitations.accept', {
      body: { token, name: 'Ravi Kumar', username: `ravi-${newId().slice(-8)}`, password: 'a long enough password' },
    })
    const { agents } = await server.ask('agents.list', { as: manager })
    expect(agents).toMatchObject([
      {
        _id: account._id,
        name: 'Ravi Kumar',
        status: 'active',
        skills: ['Hindi'],
        teams: [{ _id: team.id }],
        capacity: { maxOpen: 4 },
        invitedAt: expect.any(String),
      },
    ])
    expect(await query('select module from account_modules where account_id = $1', [account._id])).toEqual([
      { module: 'chat' },
    ])
  })

  test('is removed by revoking the invitation', async () => {
    const manager = await buildManager(server.database)
    const { _id } = await server.ask('agents.invite', {
      as: manager,
      body: { email: `${newId()}@test.example`, name: 'Ravi' },
    })
    expect(
      await server.call('agents.remove', { as: await buildManager(server.database), path: { id: _id } }),
    ).toMatchObject({ status: 404 })
    await server.ask('agents.remove', { as: manager, path: { id: _id } })
    expect((await server.ask('agents.list', { as: manager })).agents).toEqual([])
    expect(await server.ask('invitations.list', { as: manager })).toMatchObject({
      invitations: [{ status: 'revoked' }],
    })
  })
})
