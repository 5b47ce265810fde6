import type { Role } from '@carillon/contract/roles'
import { io } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import { buildManager, buildUser, type Account } from '../../../testing/builders.ts'
import { testServer, type TestServer } from '../../../testing/server.ts'
import { buildStaff, receiveChats, type Staff } from '../test-agents.ts'
import { buildLine, type Line } from '../test-inbox.ts'
import { endAbsences, touchAgents } from './availability.ts'

let server: TestServer

beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await server.database.ownerPool.query<Row>(text, values)).rows

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
  let all: Staff
  beforeAll(async () => {
    all = await buildStaff(server.database)
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
  const { manager, user, colleague, sibling } = await buildStaff(server.database)
  const line = await buildLine(server.database, manager, 'sms')
  await query('insert into live_agent_lines values ($1, $2, $3)', [manager.organizationId, user.id, line.senderId])
  await server.ask('agents.setAvailability', { as: user, path: { id: user.id }, body: { availability: 'online' } })
  const first = await server.ask('agents.list', { as: manager, query: { limit: 2 } })
  expect(first).toMatchObject({ online: 1, pagination: { total: 4, totalPages: 2 }, agents: [{ _id: user.id }, {}] })
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
    const { manager, head, user, colleague, sibling, foreign } = await buildStaff(server.database)
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
    const { manager, user } = await buildStaff(server.database)
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
    const { user, colleague, sibling, head } = await buildStaff(server.database)
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

  test('returns with the browser after that, unless the agent chose to be offline', async () => {
    const { user, colleague, sibling, head, manager } = await buildStaff(server.database)
    const agents = [user, colleague, sibling, head]
    for (const agent of agents) await set(agent, agent, agent === colleague ? 'busy' : 'online')
    await set(head, head, 'offline')
    await query(
      `update live_agents set available_since = now() - interval '1 hour', last_seen_at = now() - interval '3 minutes', goes_offline = true
        where account_id = any($1)`,
      [ids(...agents)],
    )
    await query(
      `update live_agent_spans set began_at = now() - interval '1 hour' where account_id = any($1) and ended_at is null`,
      [ids(...agents)],
    )
    await endAbsences(server.database)
    const states = async () => {
      const { agents: found } = await server.ask('agents.list', { as: manager })
      return agents.map(({ id }) => found.find(({ _id }) => _id === id)?.availability)
    }
    expect(await states()).toEqual(['offline', 'offline', 'offline', 'offline'])
    // Chosen while they are offline already.
    await set(sibling, sibling, 'offline')
    const present = agents.map(({ organizationId, id: accountId }) => ({ organizationId, accountId }))
    await touchAgents(server.database, present)
    expect(await states()).toEqual(['online', 'busy', 'offline', 'offline'])
    const spans = await query<{ availability: string; ended_at: Date | null }>(
      'select availability, ended_at from live_agent_spans where account_id = $1 order by began_at',
      [user.id],
    )
    expect(spans.map(({ availability }) => availability)).toEqual(['offline', 'online', 'offline', 'online'])
    expect(spans.filter(({ ended_at }) => ended_at === null)).toHaveLength(1)
    await set(user, user, 'offline')
    await touchAgents(server.database, present)
    expect(await states()).toEqual(['offline', 'busy', 'offline', 'offline'])
  })

  test('returns within seconds once the socket is connected', async () => {
    const { user, manager } = await buildStaff(server.database)
    await query(`update live_agents set returns_to = 'online' where account_id = $1`, [user.id])
    const socket = io(server.url, { transports: ['websocket'], query: { token: user.token }, forceNew: true })
    const find = async () =>
      (await server.ask('agents.list', { as: manager })).agents.find(({ _id }) => _id === user.id)
    await expect.poll(async () => (await find())?.isOnline, { timeout: 5000 }).toBe(true)
    socket.disconnect()
  })
})

test('a removed agent loses conversations, teams, lines and the module chat; the account stays', async () => {
  const { manager, head, user, colleague, foreign } = await buildStaff(server.database)
  const line = await buildLine(server.database, manager, 'sms')
  await addTeam(manager, [user], [line])
  const [open, resolved] = await receiveChats(server.database, line, [{}, {}])
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

test.each<[Role, boolean]>([
  ['manager', true],
  ['department_head', false],
  ['user', false],
])('a %s may change settings and teams: %s', async (role, may) => {
  const { manager, head, user } = await buildStaff(server.database)
  const as = { manager, department_head: head, user, admin: manager, reseller: manager }[role]
  const settings = await server.ask('inboxSettings.get', { as })
  const status = may ? 200 : 403
  expect(await server.call('inboxSettings.update', { as, body: settings })).toMatchObject({ status })
  expect(await server.call('teams.create', { as, body: { name: 'Returns' } })).toMatchObject({ status })
  expect(await server.call('teams.list', { as })).toMatchObject({ status: 200 })
})
