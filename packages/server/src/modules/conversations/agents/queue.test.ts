import { afterAll, beforeEach, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../../db/pool.ts'
import { createLogger } from '../../../lib/logger.ts'
import { newId } from '../../../lib/ids.ts'
import { buildManager, buildUser, type Account } from '../../../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../../../testing/database.ts'
import { assign, assignAfter, checkQueue } from './queue.ts'
import { assignAutomatically, buildAgent, newPerson, receiveChats, type AgentOptions } from '../test-agents.ts'
import { buildLine, type Line } from '../test-inbox.ts'

let own: TestDatabase
let manager: Account
let line: Line

beforeAll(async () => {
  own = await testDatabase()
})
afterAll(() => own.drop())
beforeEach(async () => {
  manager = await buildManager(own.database)
  line = await buildLine(own.database, manager, 'sms')
  await assignAutomatically(own.database, manager)
})

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await own.database.ownerPool.query<Row>(text, values)).rows

async function agent(options: AgentOptions = {}): Promise<Account> {
  const account = await buildUser(own.database, { parent: manager })
  await buildAgent(own.database, account, options)
  return account
}

const people = (count: number) => Array.from({ length: count }, () => ({}))
const run = () => assign(own.database, manager.organizationId)
const change = (id: string, set: string) =>
  query(`update conversations set ${set} where organization_id = $1 and id = $2`, [manager.organizationId, id])

/** The holder of each conversation. */
async function holders(ids: readonly string[]): Promise<(string | null)[]> {
  const rows = await query<{ id: string; assignee_id: string | null }>(
    'select id, assignee_id from conversations where organization_id = $1',
    [manager.organizationId],
  )
  return ids.map((id) => rows.find((row) => row.id === id)?.assignee_id ?? null)
}

async function loads(): Promise<Record<string, number>> {
  const rows = await query<{ assignee_id: string; count: number }>(
    `select assignee_id, count(*) from conversations where organization_id = $1 and status = 'open' and assignee_id is not null group by 1`,
    [manager.organizationId],
  )
  return Object.fromEntries(rows.map(({ assignee_id, count }) => [assignee_id, count]))
}

describe('the order', () => {
  test('is priority, then the due answer, then the longest wait', async () => {
    const at = (minutesAgo: number) => new Date(Date.now() - minutesAgo * 60_000)
    const [late, early, due, urgent] = await receiveChats(own.database, line, [
      { at: at(5) },
      { at: at(9) },
      { at: at(1) },
      { at: at(2) },
    ])
    await change(due ?? '', `due_at = now() + interval '1 hour'`)
    await change(urgent ?? '', 'priority = 3')
    const taken: (string | undefined)[] = []
    for (let turn = 0; turn < 4; turn += 1) {
      const { id } = await agent({ capacity: 1 })
      expect(await run()).toBe(1)
      taken.push((await query<{ id: string }>('select id from conversations where assignee_id = $1', [id]))[0]?.id)
    }
    expect(taken).toEqual([urgent, due, early, late])
  })

  test('of agents is the least load, then the longest time since the last assignment', async () => {
    const [one, other] = [await agent(), await agent()]
    await receiveChats(own.database, line, people(5))
    await run()
    expect(Object.values(await loads()).toSorted((one, other) => one - other)).toEqual([2, 3])
    const [next] = await receiveChats(own.database, line, people(1))
    await run()
    expect(Object.values(await loads())).toEqual([3, 3])
    await query(`update live_agents set assigned_at = now() - interval '1 hour' where account_id = $1`, [other.id])
    const [after] = await receiveChats(own.database, line, people(1))
    await run()
    expect(await holders([next ?? '', after ?? ''])).toEqual([expect.stringMatching(`${one.id}|${other.id}`), other.id])
  })
})

describe('an assignment', () => {
  test('is recorded in the thread, for metrics and for browsers', async () => {
    const { id, username } = await agent()
    const [conversation] = await receiveChats(own.database, line, [{ from: '919845011103', text: 'Is it open?' }])
    await query('delete from domain_events')
    expect(await run()).toBe(1)
    expect(
      await query('select kind, actor_id, details from conversation_events where conversation_id = $1', [conversation]),
    ).toEqual([{ kind: 'assigned', actor_id: null, details: { assignee: `Name of ${username}`, assigneeId: id } }])
    expect(await query('select kind, conversation_id from agent_facts where account_id = $1', [id])).toEqual([
      { kind: 'assigned', conversation_id: conversation },
    ])
    const events = await query<{ type: string }>('select type from domain_events order by type')
    expect(events.map(({ type }) => type)).toEqual(['conversation.changed', 'notification.added', 'thread.changed'])
    expect(await query('select kind, title, description, link from notifications where account_id = $1', [id])).toEqual(
      [
        {
          kind: 'conversation_assigned',
          title: 'A conversation was assigned to you',
          description: '+919845011103: Is it open?',
          link: { type: 'conversation', id: conversation },
        },
      ],
    )
  })

  test('needs automatic assignment, an agent who is online, and an account that may answer', async () => {
    const [conversation] = await receiveChats(own.database, line, people(1))
    for (const availability of ['busy', 'away', 'offline'] as const) await agent({ availability })
    const locked = await agent()
    await query(`update accounts set status = 'suspended' where id = $1`, [locked.id])
    const without = await agent()
    await query(`delete from account_modules where account_id = $1 and module = 'chat'`, [without.id])
    expect(await run()).toBe(0)
    const online = await agent()
    await query('update inbox_settings set assigns_automatically = false where organization_id = $1', [
      manager.organizationId,
    ])
    expect(await run()).toBe(0)
    await assignAutomatically(own.database, manager)
    expect(await run()).toBe(1)
    expect(await holders([conversation ?? ''])).toEqual([online.id])
  })

  test.each([
    ['resolved', `status = 'resolved'`],
    ['snoozed', `status = 'snoozed'`],
    ['pending', `status = 'pending'`],
    ['held by a bot', `held_by = 'bot'`],
    ['answered', 'waiting_since = null'],
  ])('leaves out conversations that are %s', async (_, set) => {
    await agent()
    const [conversation] = await receiveChats(own.database, line, people(1))
    await change(conversation ?? '', set)
    expect(await run()).toBe(0)
  })

  test('needs all skills, and a line or team of the agent', async () => {
    const other = await buildLine(own.database, manager, 'sms')
    const ago = (minutes: number) => ({ at: new Date(Date.now() - minutes * 60_000) })
    const [tamil, plain, elsewhere, teams] = await receiveChats(own.database, line, [4, 3, 2, 1].map(ago))
    await change(tamil ?? '', `skills = '{tamil,billing}'`)
    const team = newId()
    await query(`insert into teams (organization_id, id, name) values ($1, $2, 'Returns')`, [
      manager.organizationId,
      team,
    ])
    await query(`update conversations set sender_id = $2, identity = 'x' where id = $1`, [elsewhere, other.senderId])
    await query('update conversations set team_id = $2 where id = $1', [teams, team])
    const skilled = await agent({ skills: ['tamil', 'billing', 'hindi'], lines: [line], capacity: 1 })
    const half = await agent({ skills: ['tamil'], lines: [line], capacity: 1 })
    expect(await run()).toBe(2)
    expect(await holders([tamil ?? '', plain ?? '', elsewhere ?? '', teams ?? ''])).toEqual([
      skilled.id,
      half.id,
      null,
      null,
    ])
    const member = await agent({ lines: [line], capacity: 1 })
    await query('insert into team_members (organization_id, team_id, account_id) values ($1, $2, $3)', [
      manager.organizationId,
      team,
      member.id,
    ])
    await agent({ lines: [line] })
    const anyLine = await agent()
    expect(await run()).toBe(2)
    expect(await holders([elsewhere ?? '', teams ?? ''])).toEqual([anyLine.id, member.id])
  })

  test('respects the capacity in all and by channel, and counts open conversations only', async () => {
    const { id } = await agent({ capacity: 3, channelCapacity: { sms: 2, whatsapp: 9 } })
    const ids = await receiveChats(own.database, line, people(5))
    expect(await run()).toBe(2)
    const held = (await holders(ids)).flatMap((holder, index) => (holder === id ? [ids[index] ?? ''] : []))
    await change(held[0] ?? '', `status = 'resolved', waiting_since = null`)
    await change(held[1] ?? '', `status = 'snoozed'`)
    expect(await run()).toBe(2)
    expect(await run()).toBe(0)
    await query(`update live_agents set channel_capacity = '{}' where account_id = $1`, [id])
    expect(await run()).toBe(1)
  })
})

test('several processes at once never exceed a capacity and leave nothing that could be assigned', async () => {
  const agents = [await agent({ capacity: 7 }), await agent({ capacity: 5 }), await agent({ capacity: 11 })]
  const beside = openDatabase(own.url, { app: 1, system: 8, owner: 1 })
  try {
    for (let round = 0; round < 6; round += 1) {
      await Promise.all([
        receiveChats(own.database, line, people(5)),
        ...Array.from({ length: 8 }, (_, index) =>
          assign(index % 2 === 0 ? own.database : beside, manager.organizationId),
        ),
      ])
    }
    await run()
    const held = await loads()
    expect(agents.map(({ id }) => held[id])).toEqual([7, 5, 11])
    const [{ count } = { count: 0 }] = await query<{ count: number }>(
      `select count(*) from agent_facts where organization_id = $1 and kind = 'assigned'`,
      [manager.organizationId],
    )
    expect(count).toBe(23)
  } finally {
    await beside.close()
  }
})

test('one conversation is given once, though many ask at the same moment', async () => {
  for (let count = 0; count < 4; count += 1) await agent()
  const ids = await receiveChats(own.database, line, people(40))
  const given = await Promise.all(Array.from({ length: 10 }, run))
  expect(given.reduce((sum, count) => sum + count, 0)).toBe(40)
  expect(new Set(await holders(ids)).size).toBe(4)
})

test('a conversation that another transaction holds is skipped, and follows with its commit', async () => {
  await agent()
  const [locked, free] = await receiveChats(own.database, line, people(2))
  const client = await own.database.ownerPool.connect()
  try {
    await client.query('begin')
    await client.query('select from conversations where id = $1 for update', [locked])
    expect(await run()).toBe(1)
    expect((await holders([locked ?? '', free ?? ''])).map((holder) => holder !== null)).toEqual([false, true])
    await client.query('commit')
  } finally {
    client.release()
  }
  expect(await run()).toBe(1)
})

test('events of several organisations assign those of each; one without automatic assignment is left alone', async () => {
  await agent()
  const other = await buildManager(own.database)
  const theirs = await buildLine(own.database, other, 'sms')
  await query(`update live_agents set availability = 'online' where account_id = $1`, [other.id])
  await receiveChats(own.database, theirs, people(1))
  const ids = await receiveChats(own.database, line, people(2))
  const logger = createLogger('silent')
  await assignAfter({ database: own.database, logger }, [manager, other, manager])
  expect((await holders(ids)).every(Boolean)).toBe(true)
  expect(
    await query('select from conversations where organization_id = $1 and assignee_id is not null', [
      other.organizationId,
    ]),
  ).toEqual([])
})

test('the check assigns what was left for longer than events take, and logs it', async () => {
  const lines: string[] = []
  const logger = createLogger('warn', { write: (text) => lines.push(text) })
  await agent()
  const [old, recent] = await receiveChats(own.database, line, [{ at: new Date(Date.now() - 60_000) }, {}])
  await checkQueue({ database: own.database, logger })
  expect((await holders([old ?? '', recent ?? ''])).map((holder) => holder !== null)).toEqual([true, false])
  expect(lines.filter((text) => text.includes(manager.organizationId))).toHaveLength(1)
})

test('messages to an agent and a reopened conversation are facts of the agent', async () => {
  const { id } = await agent()
  const from = newPerson()
  const [conversation] = await receiveChats(own.database, line, [{ from }])
  await run()
  await receiveChats(own.database, line, [
    { from, text: 'One' },
    { from, text: 'Two' },
  ])
  await change(conversation ?? '', `status = 'resolved', waiting_since = null, answered_at = now()`)
  await receiveChats(own.database, line, [{ from, text: 'Three' }])
  expect(
    await query('select kind, count(*) from agent_facts where account_id = $1 group by 1 order by 1', [id]),
  ).toEqual([
    { kind: 'assigned', count: 1 },
    { kind: 'message_in', count: 3 },
    { kind: 'reopened', count: 1 },
  ])
})
