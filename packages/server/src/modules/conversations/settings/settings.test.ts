import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inScope } from '../../../db/pool.ts'
import { buildDepartmentHead, buildManager, buildUser, type Account } from '../../../testing/builders.ts'
import { testServer, type TestServer } from '../../../testing/server.ts'
import type { UserActor } from '../../../actor.ts'
import { loadReach, sees } from '../access/sees.ts'
import { buildAgent, receiveChats } from '../test-agents.ts'
import { buildLine } from '../test-inbox.ts'

let server: TestServer
let manager: Account
let user: Account
let foreign: Account

beforeAll(async () => {
  server = await testServer({ flags: ['--run=web'] })
  manager = await buildManager(server.database)
  user = await buildUser(server.database, { parent: manager })
  foreign = await buildManager(server.database)
  await buildAgent(server.database, user)
})
afterAll(() => server.close())

describe('teams', () => {
  const create = (body: object, as = manager) => server.callUnchecked('teams.create', { as, body })

  test('have a name that no other team has, agents and lines of the organisation', async () => {
    const line = await buildLine(server.database, manager, 'sms')
    const team = await server.ask('teams.create', {
      as: manager,
      body: { name: 'Returns', memberIds: [user.id, user.id], lineIds: [line.senderId] },
    })
    expect(team).toMatchObject({
      name: 'Returns',
      members: [{ _id: user.id }],
      lines: [{ _id: line.senderId }],
    })
    const refused = (field: string, message: string) => ({ status: 400, body: { details: [{ field, message }] } })
    expect(await create({ name: 'returns' })).toMatchObject(refused('name', 'Another team has this name'))
    expect(await create({ name: '' })).toMatchObject(refused('name', 'Enter a name'))
    const theirs = await buildLine(server.database, foreign, 'sms')
    expect(await create({ name: 'Sales', lineIds: [theirs.senderId] })).toMatchObject(
      refused('lineIds', 'Choose lines of your organisation'),
    )
    expect(await create({ name: 'Sales', memberIds: [foreign.id] })).toMatchObject(
      refused('memberIds', 'Choose agents of your organisation'),
    )
    const sales = await server.ask('teams.create', { as: manager, body: { name: 'Sales' } })
    const update = (as: Account, body: { name: string }) =>
      server.call('teams.update', { as, path: { id: sales.id }, body })
    expect(await update(manager, { name: 'RETURNS' })).toMatchObject(refused('name', 'Another team has this name'))
    expect(await update(foreign, { name: 'Ours' })).toMatchObject({ status: 404 })
    expect(await update(manager, { name: 'Sales India' })).toMatchObject({ status: 200 })
    expect((await server.ask('teams.list', { as: manager })).teams.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Returns', 'Sales India']),
    )
  })

  test('are named to all members, who see the members that they may see', async () => {
    const head = await buildDepartmentHead(server.database, { parent: manager })
    await buildAgent(server.database, head)
    const { id } = await server.ask('teams.create', { as: manager, body: { name: 'Billing', memberIds: [user.id] } })
    const members = async (as: Account) =>
      (await server.ask('teams.list', { as })).teams.find((team) => team.id === id)?.members.map(({ _id }) => _id)
    expect([await members(manager), await members(user), await members(head)]).toEqual([[user.id], [user.id], []])
    expect((await server.ask('teams.list', { as: foreign })).teams.map((team) => team.id)).not.toContain(id)
  })

  test('deleted, leave their conversations without a team', async () => {
    const line = await buildLine(server.database, manager, 'sms')
    const { id } = await server.ask('teams.create', { as: manager, body: { name: 'Short-lived' } })
    const [conversation] = await receiveChats(server.database, line, [{}])
    const { ownerPool } = server.database
    await ownerPool.query('update conversations set team_id = $1 where id = $2', [id, conversation])
    expect(await server.call('teams.delete', { as: foreign, path: { id } })).toMatchObject({ status: 404 })
    await server.ask('teams.delete', { as: manager, path: { id } })
    const { rows } = await ownerPool.query('select team_id from conversations where id = $1', [conversation])
    expect(rows).toEqual([{ team_id: null }])
    expect(await server.call('teams.delete', { as: manager, path: { id } })).toMatchObject({ status: 404 })
  })

  test('decide which unassigned conversations their members see', async () => {
    const organization = await buildManager(server.database)
    const head = await buildDepartmentHead(server.database, { parent: organization })
    const member = await buildUser(server.database, { parent: organization })
    for (const agent of [head, member]) await buildAgent(server.database, agent)
    const [line, other] = [
      await buildLine(server.database, organization, 'sms'),
      await buildLine(server.database, organization, 'sms'),
    ]
    const [plain, ofTeam, held] = await receiveChats(server.database, line, [{}, {}, {}])
    const [elsewhere] = await receiveChats(server.database, other, [{}])
    const lists = async (account: Account) => {
      const scope = { organizationId: account.organizationId, path: account.path, descends: false }
      const actor: UserActor = {
        kind: 'user',
        accountId: account.id,
        organizationId: account.organizationId,
        role: account.role,
        scope,
        username: '',
        email: '',
        timezone: '',
        modules: new Set(),
        sessionId: '',
        impersonatedBy: undefined,
        isSuspended: false,
        mustSetPassword: false,
      }
      return inScope(server.database, scope, async (db) => {
        const reach = await loadReach(db, actor)
        const rows = await db.selectFrom('conversations as conversation').select('id').where(sees(reach)).execute()
        return new Set(rows.map(({ id }) => id))
      })
    }
    const { ownerPool } = server.database
    await ownerPool.query('update conversations set assignee_id = $1 where id = $2', [organization.id, held])
    const all = new Set([plain, ofTeam, elsewhere])
    expect([await lists(member), await lists(head)]).toEqual([all, all])
    const team = await server.ask('teams.create', {
      as: organization,
      body: { name: 'Returns', memberIds: [member.id, head.id], lineIds: [line.senderId] },
    })
    expect(await lists(member)).toEqual(new Set([plain, ofTeam]))
    expect(await lists(head)).toEqual(new Set([plain, ofTeam, held]))
    await ownerPool.query('update conversations set team_id = $1 where id = $2', [team.id, elsewhere])
    expect(await lists(member)).toEqual(new Set([plain, ofTeam, elsewhere]))
    await server.ask('teams.update', {
      as: organization,
      path: { id: team.id },
      body: { name: 'Returns', memberIds: [head.id], lineIds: [line.senderId] },
    })
    expect(await lists(member)).toEqual(all)
  })
})

describe('canned replies', () => {
  const body = (shortcut: string, text = 'Hello {{name}}') => ({ shortcut, text })

  test('are shared in the organisation and found by unique shortcuts', async () => {
    const manager = await buildManager(server.database)
    const user = await buildUser(server.database, { parent: manager })
    const foreign = await buildManager(server.database)
    const hours = await server.ask('cannedReplies.create', { as: user, body: body('hours', 'We are open until 6 pm.') })
    await server.ask('cannedReplies.create', { as: manager, body: body('address') })
    expect((await server.ask('cannedReplies.list', { as: manager })).cannedReplies).toMatchObject([
      { shortcut: 'address' },
      { shortcut: 'hours', text: 'We are open until 6 pm.' },
    ])
    expect((await server.ask('cannedReplies.list', { as: foreign })).cannedReplies).toEqual([])
    const taken = { status: 400, body: { details: [{ field: 'shortcut' }] } }
    expect(await server.call('cannedReplies.create', { as: user, body: body('HOURS') })).toMatchObject(taken)
    const update = (as: Account, shortcut: string) =>
      server.call('cannedReplies.update', { as, path: { id: hours.id }, body: body(shortcut) })
    expect(await update(user, 'Address')).toMatchObject(taken)
    expect(await update(foreign, 'ours')).toMatchObject({ status: 404 })
    expect(await update(user, 'opening')).toMatchObject({ status: 200, body: { data: { shortcut: 'opening' } } })
    expect(await server.call('cannedReplies.delete', { as: foreign, path: { id: hours.id } })).toMatchObject({
      status: 404,
    })
    await server.ask('cannedReplies.delete', { as: user, path: { id: hours.id } })
    expect((await server.ask('cannedReplies.list', { as: user })).cannedReplies).toMatchObject([
      { shortcut: 'address' },
    ])
  })

  test.each([
    ['a shortcut with a blank', { shortcut: 'two words', text: 'Hello' }, 'shortcut'],
    ['no text', { shortcut: 'empty', text: '  ' }, 'text'],
    ['a long text', { shortcut: 'long', text: 'x'.repeat(4097) }, 'text'],
  ])('reject %s', async (_, sent, field) => {
    expect(await server.callUnchecked('cannedReplies.create', { as: user, body: sent })).toMatchObject({
      status: 400,
      body: { details: [{ field }] },
    })
  })
})

describe('settings', () => {
  const week = Array.from({ length: 7 }, (_, day) => (day < 5 ? { start: '09:30', end: '18:00' } : null))
  const settings = {
    assignsAutomatically: true,
    timezone: 'Asia/Dubai',
    businessHours: week,
    firstReplyMinutes: 30,
    nextReplyMinutes: null,
    asksForRating: false,
    ratingText: null,
    ratingTemplates: {},
  }

  test('are none at first, in the time zone of the organisation, and are read by its members', async () => {
    expect(await server.ask('inboxSettings.get', { as: user })).toEqual({
      assignsAutomatically: false,
      timezone: 'Asia/Kolkata',
      businessHours: null,
      firstReplyMinutes: null,
      nextReplyMinutes: null,
      asksForRating: false,
      ratingText: null,
      ratingTemplates: {},
    })
    await server.ask('inboxSettings.update', { as: manager, body: settings })
    expect(await server.ask('inboxSettings.get', { as: user })).toEqual(settings)
    expect(await server.ask('inboxSettings.get', { as: foreign })).toMatchObject({ assignsAutomatically: false })
  })

  test.each([
    ['six days', { businessHours: week.slice(1) }, 'businessHours'],
    [
      'an end before the start',
      { businessHours: [{ start: '18:00', end: '09:00' }, ...week.slice(1)] },
      'businessHours.0.end',
    ],
    [
      'an hour that does not exist',
      { businessHours: [{ start: '0930', end: '09:00' }, ...week.slice(1)] },
      'businessHours.0.start',
    ],
    ['an unknown time zone', { timezone: 'Asia/Atlantis' }, 'timezone'],
    ['no minutes', { firstReplyMinutes: 0 }, 'firstReplyMinutes'],
  ])('reject %s', async (_, change, field) => {
    expect(
      await server.callUnchecked('inboxSettings.update', { as: manager, body: { ...settings, ...change } }),
    ).toMatchObject({ status: 400, body: { details: [{ field }] } })
  })
})

test('labels of the conversations that one sees, the most frequent first', async () => {
  const organization = await buildManager(server.database)
  const member = await buildUser(server.database, { parent: organization })
  const line = await buildLine(server.database, organization, 'sms')
  const [one, two] = await receiveChats(server.database, line, [{}, {}])
  const { ownerPool } = server.database
  await ownerPool.query(`update conversations set labels = '{refund,vip}' where id = $1`, [one])
  await ownerPool.query(`update conversations set labels = '{vip}', assignee_id = $2 where id = $1`, [
    two,
    organization.id,
  ])
  const labels = async (as: Account, search?: string) =>
    (await server.ask('labels.list', { as, query: search === undefined ? {} : { search } })).labels
  expect(await labels(organization)).toEqual(['vip', 'refund'])
  expect(await labels(organization, 'EFU')).toEqual(['refund'])
  expect(await labels(organization, '%')).toEqual([])
  expect(await labels(member)).toEqual(['refund', 'vip'])
  expect(await labels(foreign)).toEqual([])
})
