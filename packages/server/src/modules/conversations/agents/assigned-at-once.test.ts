import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import { buildUser, type Account } from '../../../testing/builders.ts'
import { testServer, type TestServer } from '../../../testing/server.ts'
import { until } from '../../../testing/until.ts'
import { assignAutomatically, buildAgent, buildStaff, receiveChats } from '../test-agents.ts'
import { buildLine, type Line } from '../test-inbox.ts'
import { assign } from './queue.ts'

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

describe('waiting conversations are assigned at once', () => {
  async function waiting() {
    const { manager, user } = await buildStaff(server.database)
    const line = await buildLine(server.database, manager, 'sms')
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
    const [conversation] = await receiveChats(server.database, line, [{}])
    await holds(user, conversation)
  })

  test('when an agent comes online', async () => {
    const { user, line } = await waiting()
    const [conversation] = await receiveChats(server.database, line, [{}])
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
    const [first] = await receiveChats(server.database, line, [{}])
    await holds(user, first)
    const [second] = await receiveChats(server.database, line, [{}])
    await query(`update conversations set ${set} where id = $1`, [first])
    server.database.notifySoon('carillon_events')
    await holds(user, second)
  })

  test('when capacity, skills or lines change', async () => {
    const { manager, user, line } = await waiting()
    await query(`update live_agents set capacity = 1, skills = '{}' where account_id = $1`, [user.id])
    await online(user)
    const [first] = await receiveChats(server.database, line, [{}])
    await holds(user, first)
    const [second] = await receiveChats(server.database, line, [{}])
    const update = (body: object) => server.ask('agents.update', { as: manager, path: { id: user.id }, body })
    await update({ maxOpen: 2 })
    await holds(user, second)
    const [third] = await receiveChats(server.database, line, [{}])
    await query(`update conversations set skills = '{Tamil}' where id = $1`, [third])
    await update({ skills: ['Tamil'], maxOpen: 3 })
    await holds(user, third)
    const other = await buildLine(server.database, manager, 'sms')
    await update({ lineIds: [line.senderId] })
    await query('delete from live_agents where account_id = $1', [manager.id])
    const [fourth] = await receiveChats(server.database, other, [{}])
    await update({ lineIds: [line.senderId, other.senderId] })
    await holds(user, fourth)
  })

  test('when a team gets lines or members', async () => {
    const { manager, user, line } = await waiting()
    const other = await buildLine(server.database, manager, 'sms')
    await query('delete from live_agents where account_id = $1', [manager.id])
    await query('insert into live_agent_lines values ($1, $2, $3)', [manager.organizationId, user.id, other.senderId])
    await online(user)
    const [conversation] = await receiveChats(server.database, line, [{}])
    await addTeam(manager, [user], [line])
    await holds(user, conversation)
  })

  test('when another agent is removed', async () => {
    const { manager, user, line } = await waiting()
    const leaving = await buildUser(server.database, { parent: manager })
    await buildAgent(server.database, leaving)
    const [conversation] = await receiveChats(server.database, line, [{}])
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
    const [conversation] = await receiveChats(server.database, line, [{}])
    const settings = await server.ask('inboxSettings.get', { as: manager })
    await server.ask('inboxSettings.update', { as: manager, body: { ...settings, assignsAutomatically: true } })
    await holds(user, conversation)
  })
})
