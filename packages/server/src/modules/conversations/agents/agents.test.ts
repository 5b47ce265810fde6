import type { Role } from '@carillon/contract/roles'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import {
  buildAdmin,
  buildDepartmentHead,
  buildManager,
  buildReseller,
  buildUser,
  type Account,
} from '../../../testing/builders.ts'
import { assignAutomatically, buildAgent, buildLine, receive, type Line } from '../../../testing/inbox.ts'
import { testServer, type TestServer } from '../../../testing/server.ts'
import { until } from '../../../testing/until.ts'
import { endAbsences, touchAgents } from './availability.ts'
import { assign } from './queue.ts'

let server: TestServer

beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await server.database.ownerPool.query<Row>(text, values)).rows

/** An organisation: a manager, a head with two users, and a user of another head. */
async function buildOrganization() {
  const admin = await buildAdmin(server.database)
  const reseller = await buildReseller(server.database, { parent: admin })
  const manager = await buildManager(server.database, { parent: reseller })
  const head = await buildDepartmentHead(server.database, { parent: manager })
  const otherHead = await buildDepartmentHead(server.database, { parent: manager })
  const user = await buildUser(server.database, { parent: head })
  const colleague = await buildUser(server.database, { parent: head })
  const sibling = await buildUser(server.database, { parent: otherHead })
  const agents = { head, user, colleague, sibling }
  for (const agent of Object.values(agents)) await buildAgent(server.database, agent, { availability: 'offline' })
  const foreign = await buildManager(server.database)
  return { admin, reseller, manager, otherHead, ...agents, foreign }
}
type Organization = Awaited<ReturnType<typeof buildOrganization>>

const listed = async (as: Account) =>
  (await server.ask('agents.list', { as, query: { limit: 100 } })).agents.map(({ _id }) => _id).toSorted()
const ids = (...accounts: Account[]) => accounts.map(({ id }) => id).toSorted()

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

describe('the agents that an account sees', () => {
  let all: Organization
  beforeAll(async () => {
    all = await buildOrganization()
  })

  test('all for managers, the own people for heads, themselves for users; none for an admin', async () => {
    const { admin, manager, head, user, colleague, sibling, foreign } = all
    expect(await listed(manager)).toEqual(ids(head, user, colleague, sibling))
    expect(await listed(head)).toEqual(ids(head, user, colleague))
    expect(await listed(user)).toEqual(ids(user))
    expect(await listed(admin)).toEqual([])
    expect(await listed(foreign)).toEqual([])
  })

  test('for users also the colleagues of their teams, without their metrics', async () => {
    const { manager, head, user, sibling } = all
    const team = await addTeam(manager, [user, sibling])
    expect(await listed(user)).toEqual(ids(user, sibling))
    const { agents } = await server.ask('agents.list', { as: user })
    const shown = agents.find(({ _id }) => _id === sibling.id)
    expect(shown).toMatchObject({ mayMonitor: false, mayManage: false, teams: [{ _id: team.id }] })
    expect(shown).not.toHaveProperty('resolved')
    expect(shown).not.toHaveProperty('firstResponseSeconds')
    expect(shown).not.toHaveProperty('lastSeenAt')
    expect(await listed(head)).not.toContain(sibling.id)
    expect((await server.ask('agents.search', { as: user, query: { searchTerm: '' } })).agents).toHaveLength(2)
  })

  test('metrics and day: 404 outside', async () => {
    const { admin, reseller, manager, head, user, colleague, sibling, foreign } = all
    const callers: [Account, Account[]][] = [
      [admin, [head, user, colleague, sibling]],
      [reseller, [head, user, colleague, sibling]],
      [manager, [head, user, colleague, sibling]],
      [head, [head, user, colleague]],
      [user, [user]],
      [foreign, []],
    ]
    for (const [caller, sees] of callers)
      for (const agent of [head, user, colleague, sibling]) {
        const status = sees.includes(agent) ? 200 : 404
        const path = { id: agent.id }
        expect(await server.call('agents.metrics', { as: caller, path })).toMatchObject({ status })
        if (caller !== admin && caller !== reseller)
          expect(await server.call('agents.day', { as: caller, path })).toMatchObject({ status })
      }
  })

  test('search finds by name and email, those online first', async () => {
    const { manager, colleague, sibling } = all
    await server.ask('agents.setAvailability', {
      as: manager,
      path: { id: sibling.id },
      body: { availability: 'online' },
    })
    const found = await server.ask('agents.search', { as: manager, query: { searchTerm: '' } })
    expect(found.agents[0]).toMatchObject({ _id: sibling.id, isOnline: true, activeChats: 0 })
    expect(
      (await server.ask('agents.search', { as: manager, query: { searchTerm: colleague.username } })).agents,
    ).toMatchObject([{ _id: colleague.id }])
    expect((await server.ask('agents.search', { as: manager, query: { searchTerm: '100%' } })).agents).toEqual([])
  })
})

test('the list is paged and filtered by online, channel and name', async () => {
  const { manager, user, colleague, sibling } = await buildOrganization()
  const line = await buildLine(server.database, manager)
  await query('insert into live_agent_lines values ($1, $2, $3)', [manager.organizationId, user.id, line.senderId])
  await server.ask('agents.setAvailability', { as: user, path: { id: user.id }, body: { availability: 'online' } })
  const first = await server.ask('agents.list', { as: manager, query: { limit: 2 } })
  expect(first).toMatchObject({ online: 1, pagination: { total: 5, totalPages: 3 }, agents: [{ _id: user.id }, {}] })
  const online = await server.ask('agents.list', { as: manager, query: { online: 'true' } })
  expect(online.agents).toMatchObject([
    { _id: user.id, isOnline: true, inboxes: [{ _id: line.senderId }], channels: ['sms'] },
  ])
  const rcs = await server.ask('agents.list', { as: manager, query: { channel: 'rcs', limit: 100 } })
  expect(rcs.agents.map(({ _id }) => _id)).not.toContain(user.id)
  expect(rcs.agents.map(({ _id }) => _id)).toContain(colleague.id)
  const named = await server.ask('agents.list', { as: manager, query: { search: sibling.username } })
  expect(named.agents).toMatchObject([{ _id: sibling.id }])
})

describe('the own agent', () => {
  test('begins with the first call, offline', async () => {
    const user = await buildUser(server.database, { parent: await buildManager(server.database) })
    expect(await server.ask('agents.own', { as: user })).toMatchObject({
      _id: user.id,
      availability: 'offline',
      status: 'active',
      mayManage: false,
    })
    await server.ask('agents.own', { as: user })
    expect(await query('select availability from live_agent_spans where account_id = $1', [user.id])).toEqual([
      { availability: 'offline' },
    ])
  })

  test('needs the module chat', async () => {
    const user = await buildUser(server.database, { parent: await buildManager(server.database), modules: ['agent'] })
    expect(await server.call('agents.own', { as: user })).toMatchObject({ status: 403 })
    expect(
      await server.call('agents.setAvailability', {
        as: user,
        path: { id: user.id },
        body: { availability: 'online' },
      }),
    ).toMatchObject({ status: 404 })
  })
})

describe('availability', () => {
  const set = (as: Account, agent: Account, availability: 'online' | 'busy' | 'away' | 'offline') =>
    server.call('agents.setAvailability', { as, path: { id: agent.id }, body: { availability } })

  test('is set by oneself, by managers, and by heads for those below', async () => {
    const { manager, head, user, colleague, sibling, foreign } = await buildOrganization()
    const attempts: [Account, Account, number][] = [
      [user, user, 200],
      [user, colleague, 404],
      [head, user, 200],
      [head, head, 200],
      [head, sibling, 404],
      [manager, sibling, 200],
      [foreign, user, 404],
    ]
    for (const [caller, agent, status] of attempts) expect(await set(caller, agent, 'busy')).toMatchObject({ status })
  })

  test('is recorded without gaps; setting it again changes nothing', async () => {
    const { manager, user } = await buildOrganization()
    for (const availability of ['online', 'online', 'busy', 'away', 'offline'] as const)
      await set(manager, user, availability)
    const spans = await query<{ availability: string; began_at: Date; ended_at: Date | null }>(
      'select availability, began_at, ended_at from live_agent_spans where account_id = $1 order by began_at',
      [user.id],
    )
    expect(spans.map(({ availability }) => availability)).toEqual(['offline', 'online', 'busy', 'away', 'offline'])
    expect(spans.slice(0, -1).map(({ ended_at }) => ended_at)).toEqual(spans.slice(1).map(({ began_at }) => began_at))
    expect(spans.at(-1)?.ended_at).toBeNull()
  })

  test('becomes offline two minutes after the last browser was closed, from when it was last seen', async () => {
    const { user, colleague, sibling, head } = await buildOrganization()
    const seen = new Date(Date.now() - 150_000)
    for (const agent of [user, colleague, sibling, head])
      await query(
        `update live_agents set availability = 'online', available_since = now() - interval '1 hour', goes_offline = true, last_seen_at = $2
          where account_id = $1`,
        [agent.id, seen],
      )
    await query(`update live_agent_spans set availability = 'online' where account_id = any($1)`, [
      ids(user, colleague, sibling, head),
    ])
    await query('update live_agents set goes_offline = false where account_id = $1', [colleague.id])
    await query(`update live_agents set available_since = now() where account_id = $1`, [head.id])
    await touchAgents(server.database, [{ organizationId: sibling.organizationId, accountId: sibling.id }])
    await endAbsences(server.database)
    const states = await query<{ account_id: string; availability: string }>(
      'select account_id, availability from live_agents where account_id = any($1)',
      [ids(user, colleague, sibling, head)],
    )
    const of = ({ id }: Account) => states.find(({ account_id }) => account_id === id)?.availability
    expect([user, colleague, sibling, head].map(of)).toEqual(['offline', 'online', 'online', 'online'])
    expect(
      await query(
        'select availability, began_at, ended_at from live_agent_spans where account_id = $1 order by began_at',
        [user.id],
      ),
    ).toEqual([
      { availability: 'online', began_at: expect.any(Date), ended_at: seen },
      { availability: 'offline', began_at: seen, ended_at: null },
    ])
  })
})

describe('a new agent', () => {
  const create = (as: Account, body: object) => server.callUnchecked('agents.create', { as, body })
  const newcomer = () => ({ name: 'Asha Rao', email: `${newId()}@test.example` })

  test('is an account with a one-time password, which must be changed, and the module chat only', async () => {
    const manager = await buildManager(server.database)
    const line = await buildLine(server.database, manager)
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
    const { head, user } = await buildOrganization()
    for (const as of [head, user])
      for (const name of ['agents.create', 'agents.invite'] as const)
        expect(await server.callUnchecked(name, { as, body: newcomer() })).toMatchObject({
          status: 403,
          body: { message: 'A user cannot be created by this account' },
        })
  })

  test('may be an existing account, within the own people, which gets the module chat', async () => {
    const { manager, otherHead, user, foreign } = await buildOrganization()
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
    const { manager, head, user } = await buildOrganization()
    const line = await buildLine(server.database, manager)
    const other = await buildLine(server.database, manager)
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

test('a removed agent loses conversations, teams, lines and the module chat; the account stays', async () => {
  const { manager, head, user, colleague, foreign } = await buildOrganization()
  const line = await buildLine(server.database, manager)
  await addTeam(manager, [user], [line])
  const [open, resolved] = await receive(server.database, line, [{}, {}])
  await query('update conversations set assignee_id = $1 where id = any($2)', [user.id, [open, resolved]])
  await query(`update conversations set status = 'resolved', waiting_since = null where id = $1`, [resolved])
  for (const as of [colleague, foreign])
    expect((await server.call('agents.remove', { as, path: { id: user.id } })).status).toBe(
      as === colleague ? 403 : 404,
    )
  await server.ask('agents.remove', { as: head, path: { id: user.id } })
  expect(await query('select id, assignee_id from conversations where id = any($1)', [[open, resolved]])).toEqual(
    expect.arrayContaining([
      { id: open, assignee_id: null },
      { id: resolved, assignee_id: user.id },
    ]),
  )
  expect(await query('select kind, actor_id from conversation_events where conversation_id = $1', [open])).toEqual([
    { kind: 'unassigned', actor_id: head.id },
  ])
  for (const table of ['live_agents', 'live_agent_lines', 'live_agent_spans', 'team_members'])
    expect(await query(`select from ${table} where account_id = $1`, [user.id])).toEqual([])
  expect(await server.call('agents.own', { as: user })).toMatchObject({ status: 403 })
  expect(await server.call('profile.details', { as: user })).toMatchObject({ status: 200 })
})

describe('waiting conversations are assigned at once', () => {
  async function waiting() {
    const { manager, user } = await buildOrganization()
    const line = await buildLine(server.database, manager)
    await assignAutomatically(server.database, manager)
    await query(`delete from live_agents where organization_id = $1 and account_id <> $2`, [
      manager.organizationId,
      user.id,
    ])
    return { manager, user, line }
  }
  const holds = async (user: Account, conversation: string | undefined) => {
    await until(
      async () =>
        (await query('select from conversations where id = $1 and assignee_id = $2', [conversation, user.id])).length >
        0,
      'the assignment',
    )
    // Nothing else is left.
    expect(await assign(server.database, user.organizationId)).toBe(0)
  }
  const online = (user: Account) =>
    query(`update live_agents set availability = 'online' where account_id = $1`, [user.id])

  test('when a message arrives', async () => {
    const { user, line } = await waiting()
    await online(user)
    const [conversation] = await receive(server.database, line, [{}])
    await holds(user, conversation)
  })

  test('when an agent comes online', async () => {
    const { user, line } = await waiting()
    const [conversation] = await receive(server.database, line, [{}])
    await server.ask('agents.setAvailability', { as: user, path: { id: user.id }, body: { availability: 'online' } })
    await holds(user, conversation)
  })

  test.each([
    ['resolved', `status = 'resolved', waiting_since = null`],
    ['snoozed', `status = 'snoozed'`],
    ['handed to another agent', 'assignee_id = organization_id'],
    ['handed to a bot', `status = 'pending', held_by = 'bot', assignee_id = null`],
  ])('when a conversation is %s', async (_, set) => {
    const { user, line } = await waiting()
    await query('update live_agents set capacity = 1 where account_id = $1', [user.id])
    await online(user)
    const [first] = await receive(server.database, line, [{}])
    await holds(user, first)
    const [second] = await receive(server.database, line, [{}])
    await query(`update conversations set ${set} where id = $1`, [first])
    server.database.notifySoon('carillon_events')
    await holds(user, second)
  })

  test('when capacity, skills or lines change', async () => {
    const { manager, user, line } = await waiting()
    await query(`update live_agents set capacity = 1, skills = '{}' where account_id = $1`, [user.id])
    await online(user)
    const [first] = await receive(server.database, line, [{}])
    await holds(user, first)
    const [second] = await receive(server.database, line, [{}])
    const update = (body: object) => server.ask('agents.update', { as: manager, path: { id: user.id }, body })
    await update({ maxOpen: 2 })
    await holds(user, second)
    const [third] = await receive(server.database, line, [{}])
    await query(`update conversations set skills = '{Tamil}' where id = $1`, [third])
    await update({ skills: ['Tamil'], maxOpen: 3 })
    await holds(user, third)
    const other = await buildLine(server.database, manager)
    await update({ lineIds: [line.senderId] })
    await query('delete from live_agents where account_id = $1', [manager.id])
    const [fourth] = await receive(server.database, other, [{}])
    await update({ lineIds: [line.senderId, other.senderId] })
    await holds(user, fourth)
  })

  test('when a team gets lines or members', async () => {
    const { manager, user, line } = await waiting()
    const other = await buildLine(server.database, manager)
    await query('delete from live_agents where account_id = $1', [manager.id])
    await query('insert into live_agent_lines values ($1, $2, $3)', [manager.organizationId, user.id, other.senderId])
    await online(user)
    const [conversation] = await receive(server.database, line, [{}])
    await addTeam(manager, [user], [line])
    await holds(user, conversation)
  })

  test('when another agent is removed', async () => {
    const { manager, user, line } = await waiting()
    const leaving = await buildUser(server.database, { parent: manager })
    await buildAgent(server.database, leaving)
    const [conversation] = await receive(server.database, line, [{}])
    await holds(leaving, conversation)
    await online(user)
    await server.ask('agents.remove', { as: manager, path: { id: leaving.id } })
    await holds(user, conversation)
  })

  test('when automatic assignment is switched on', async () => {
    const { manager, user, line } = await waiting()
    await query('update inbox_settings set assigns_automatically = false where organization_id = $1', [
      manager.organizationId,
    ])
    await online(user)
    const [conversation] = await receive(server.database, line, [{}])
    const settings = await server.ask('inboxSettings.get', { as: manager })
    await server.ask('inboxSettings.update', { as: manager, body: { ...settings, assignsAutomatically: true } })
    await holds(user, conversation)
  })
})

test.each<[Role, boolean]>([
  ['manager', true],
  ['department_head', false],
  ['user', false],
])('a %s may change settings and teams: %s', async (role, may) => {
  const { manager, head, user } = await buildOrganization()
  const as = { manager, department_head: head, user, admin: manager, reseller: manager }[role]
  const settings = await server.ask('inboxSettings.get', { as })
  const status = may ? 200 : 403
  expect(await server.call('inboxSettings.update', { as, body: settings })).toMatchObject({ status })
  expect(await server.call('teams.create', { as, body: { name: 'Returns' } })).toMatchObject({ status })
  expect(await server.call('teams.list', { as })).toMatchObject({ status: 200 })
})
