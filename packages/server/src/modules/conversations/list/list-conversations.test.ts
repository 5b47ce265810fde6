import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildDepartmentHead, buildManager, buildUser, type Account } from '../../../testing/builders.ts'
import { testServer, type CallOptions, type TestServer } from '../../../testing/server.ts'
import { newId } from '../../../lib/ids.ts'
import { buildLine, chatOf, receive, setConversation, type Line } from '../test-inbox.ts'

let server: TestServer
let manager: Account
let line: Line

beforeAll(async () => {
  server = await testServer()
  manager = await buildManager(server.database)
  line = await buildLine(server.database, manager)
})
afterAll(() => server.close())

const minute = 60_000
const numberOf = (index: number) => `9198000${String(index).padStart(5, '0')}`
const chat = (index: number, of = line) => chatOf(of, numberOf(index))

type Fields = Record<string, unknown>

/** Conversations of people by index, with these columns. */
async function open(of: Line, rows: Record<number, Fields>) {
  for (const [index, fields] of Object.entries(rows)) {
    await receive(server.database, of, { from: numberOf(Number(index)) })
    if (Object.keys(fields).length > 0) await setConversation(server.database, chat(Number(index), of), fields)
  }
}

type Query = CallOptions<'conversations.list'>['query']

/** All pages of a list. */
async function listAll(as: Account, query: Query = {}, limit = 100): Promise<string[]> {
  const chats: string[] = []
  let after: string | undefined
  do {
    const page = await server.ask('conversations.list', { as, query: { ...query, limit, after } })
    expect(page.conversations.length).toBeLessThanOrEqual(limit)
    chats.push(...page.conversations.map(({ chatId }) => chatId))
    after = page.next
  } while (after !== undefined)
  return chats
}

describe('orders', () => {
  const now = Date.now()
  const ago = (minutes: number) => new Date(now - minutes * minute)
  const ahead = (minutes: number) => new Date(now + minutes * minute)
  const tied = ahead(300)
  let own: Line
  let as: Account
  const names = (chats: readonly string[]) => {
    const byChat = new Map(Array.from({ length: 12 }, (_, index) => [chat(index, own), index]))
    return chats.map((id) => byChat.get(id))
  }

  beforeAll(async () => {
    as = await buildManager(server.database)
    own = await buildLine(server.database, as)
    const rows = {
      0: { window_expires_at: ahead(10), last_at: ago(50), waiting_since: ago(50) },
      1: { window_expires_at: ahead(90), last_at: ago(40), waiting_since: null },
      2: { window_expires_at: tied, last_at: ago(30), waiting_since: ago(200) },
      3: { window_expires_at: tied, last_at: ago(30), waiting_since: ago(200) },
      4: { window_expires_at: tied, last_at: ago(30), waiting_since: ago(200) },
      5: { window_expires_at: null, last_at: ago(1), waiting_since: null },
      6: { window_expires_at: null, last_at: ago(2), waiting_since: ago(2) },
      7: { window_expires_at: ago(5), last_at: ago(3), waiting_since: ago(3) },
      8: { window_expires_at: ago(4), last_at: ago(3), waiting_since: ago(9) },
      9: { status: 'resolved', window_expires_at: ahead(1), last_at: ago(6) },
      10: { status: 'resolved', window_expires_at: ahead(2), last_at: ago(5) },
      11: { status: 'snoozed', window_expires_at: ahead(20), last_at: ago(60), waiting_since: null },
    }
    await open(own, rows)
  })

  const tiedIndexes = () =>
    [2, 3, 4].toSorted((one, other) => (chat(one, own) < chat(other, own) ? -1 : 1)) as [number, number, number]

  test.each([100, 1, 2, 3, 5])('closing soonest, then without a window, then closed, %i a page', async (limit) => {
    expect(names(await listAll(as, {}, limit))).toEqual([0, 11, 1, ...tiedIndexes(), 5, 6, 8, 7])
  })

  test.each([100, 1, 2])('newest, %i a page', async (limit) => {
    const tiedDown = tiedIndexes().toReversed()
    const closed = [7, 8].toSorted((one, other) => (chat(one, own) > chat(other, own) ? -1 : 1))
    expect(names(await listAll(as, { order: 'newest' }, limit))).toEqual([5, 6, ...closed, ...tiedDown, 1, 0, 11])
  })

  test.each([100, 1, 2])('longest waiting, %i a page', async (limit) => {
    expect(names(await listAll(as, { order: 'waiting' }, limit))).toEqual([...tiedIndexes(), 0, 8, 7, 6, 5, 1, 11])
  })

  test('resolved ones are listed newest first in any order', async () => {
    expect(names(await listAll(as, { status: 'resolved' }, 1))).toEqual([10, 9])
  })

  test('filters, and counts by box', async () => {
    expect(names(await listAll(as, { status: 'snoozed' }))).toEqual([11])
    expect(names(await listAll(as, { closingSoon: 'true' }))).toEqual([0, 11, 1])
    await setConversation(server.database, chat(0, own), {
      labels: ['vip'],
      unread: 0,
      held_by: 'bot',
      assignee_id: as.id,
    })
    expect(names(await listAll(as, { label: 'vip' }))).toEqual([0])
    expect(names(await listAll(as, { handledBy: 'bot' }))).toEqual([0])
    expect(names(await listAll(as, { box: 'mine' }))).toEqual([0])
    expect(names(await listAll(as, { assignee: as.id }))).toEqual([0])
    expect(names(await listAll(as, { unread: 'false' }))).toEqual([0])
    expect(names(await listAll(as, { channel: 'sms' }))).toEqual([])
    expect(await listAll(as, { line: own.senderId })).toHaveLength(10)
    expect(await listAll(as, { line: newId() })).toEqual([])
    expect(await server.ask('conversations.counts', { as })).toEqual({
      mine: 1,
      unassigned: 9,
      all: 10,
      unread: 9,
      closingSoon: 3,
    })
    expect(await server.ask('conversations.counts', { as, query: { label: 'vip' } })).toEqual({
      mine: 1,
      unassigned: 0,
      all: 1,
      unread: 0,
      closingSoon: 1,
    })
  })

  test.each(['', 'x', '9.1.00000000-0000-0000-0000-000000000000', '0.1', "0.1.' or 1=1"])(
    'a position %j of no response is refused',
    async (after) => {
      expect(await server.callUnchecked('conversations.list', { as, query: { after } })).toMatchObject({ status: 400 })
    },
  )
})

test('a row has the names of its line, person, team and assignee', async () => {
  const colleague = await buildUser(server.database, { parent: manager })
  const team = newId()
  const query = (text: string, values: unknown[]) => server.database.systemPool.query(text, values)
  await query('insert into teams (organization_id, id, name) values ($1, $2, $3)', [line.organizationId, team, 'Sales'])
  const identity = { id: '919800000099', name: 'Asha\n<b>', username: 'asha' }
  await receive(server.database, line, { from: '919800000099', text: '<script>', identity })
  const chatId = chatOf(line, '919800000099')
  await setConversation(server.database, chatId, { assignee_id: colleague.id, team_id: team, priority: 3 })
  const { conversation } = await server.ask('conversations.get', { as: manager, path: { id: chatId } })
  expect(conversation).toMatchObject({
    chatId,
    channel: 'whatsapp',
    line: { _id: line.senderId },
    name: 'Asha <b>',
    phoneNumber: '+919800000099',
    username: 'asha',
    assignee: { _id: colleague.id, name: `Name of ${colleague.username}` },
    team: { _id: team, name: 'Sales' },
    priority: 'urgent',
    unread: 1,
    lastMessage: { text: '<script>', type: 'text', by: 'person' },
  })
  await query('insert into contacts (organization_id, id, name) values ($1, $2, $3)', [
    line.organizationId,
    conversation.contactId,
    'Given name',
  ])
  const again = await server.ask('conversations.get', { as: colleague, path: { id: chatId } })
  expect(again.conversation).toMatchObject({ name: 'Given name', assignee: { name: `Name of ${colleague.username}` } })
})

describe('who sees what', () => {
  let accounts: Record<string, Account>
  let lines: Record<string, Line>
  let chats: Record<string, string>

  beforeAll(async () => {
    const boss = await buildManager(server.database)
    const head = await buildDepartmentHead(server.database, { parent: boss })
    const member = await buildUser(server.database, { parent: head })
    const other = await buildUser(server.database, { parent: boss })
    const anyLine = await buildUser(server.database, { parent: boss })
    const foreign = await buildManager(server.database)
    accounts = { boss, head, member, other, anyLine, foreign }
    lines = {
      first: await buildLine(server.database, boss),
      second: await buildLine(server.database, boss),
      foreign: await buildLine(server.database, foreign),
    }
    const { systemPool } = server.database
    const { organizationId } = boss
    const [team, headTeam] = [newId(), newId()]
    for (const [id, name] of [
      [team, 'Team'],
      [headTeam, 'Team of the head'],
    ])
      await systemPool.query('insert into teams (organization_id, id, name) values ($1, $2, $3)', [
        organizationId,
        id,
        name,
      ])
    const join = (teamId: string, account: Account) =>
      systemPool.query('insert into team_members values ($1, $2, $3)', [organizationId, teamId, account.id])
    await join(team, member)
    await join(headTeam, head)
    await systemPool.query('insert into team_lines values ($1, $2, $3)', [
      organizationId,
      headTeam,
      lines['second']?.senderId,
    ])
    for (const account of [member, other]) {
      await systemPool.query('insert into live_agents (organization_id, account_id) values ($1, $2)', [
        organizationId,
        account.id,
      ])
      await systemPool.query('insert into live_agent_lines values ($1, $2, $3)', [
        organizationId,
        account.id,
        lines['first']?.senderId,
      ])
    }
    chats = {}
    const add = async (name: string, ofLine: string, fields: Fields) => {
      const of = lines[ofLine] as Line
      const index = 100 + Object.keys(chats).length
      await open(of, { [index]: fields })
      chats[name] = chat(index, of)
    }
    await add('unassigned on the first line', 'first', {})
    await add('unassigned on the second line', 'second', {})
    await add('of the team on the second line', 'second', { team_id: team })
    await add('of the member', 'second', { assignee_id: member.id })
    await add('of another', 'first', { assignee_id: other.id })
    await add('of another on the second line', 'second', { assignee_id: other.id })
    await add('of another in the team', 'first', { assignee_id: other.id, team_id: team })
    await add('of another in the team of the head', 'first', { assignee_id: other.id, team_id: headTeam })
    await add('foreign', 'foreign', {})
  })

  const onSecond = ['unassigned on the second line', 'of the team on the second line']
  const unassigned = ['unassigned on the first line', ...onSecond]
  const expected: Record<string, string[]> = {
    boss: [
      ...unassigned,
      'of the member',
      'of another',
      'of another on the second line',
      'of another in the team',
      'of another in the team of the head',
    ],
    head: [...onSecond, 'of the member', 'of another on the second line', 'of another in the team of the head'],
    member: ['unassigned on the first line', 'of the team on the second line', 'of the member'],
    other: [
      'unassigned on the first line',
      'of another',
      'of another on the second line',
      'of another in the team',
      'of another in the team of the head',
    ],
    anyLine: unassigned,
    foreign: ['foreign'],
  }

  test.each(Object.keys(expected))('%s', async (name) => {
    const as = accounts[name] as Account
    const seen = expected[name] ?? []
    const ids = new Set(seen.map((each) => chats[each]))
    for (const order of ['closing', 'newest', 'waiting'] as const)
      expect(new Set(await listAll(as, { order }, 2)), order).toEqual(ids)
    expect(await server.ask('conversations.counts', { as })).toMatchObject({ all: seen.length })
    const { conversations } = await server.ask('conversations.changes', { as, query: { since: '1:1:' } })
    expect(new Set(conversations.map(({ chatId }) => chatId))).toEqual(ids)
    for (const id of Object.values(chats)) {
      const { status } = await server.call('conversations.get', { as, path: { id } })
      const thread = await server.call('conversations.thread', { as, path: { id } })
      const answer = ids.has(id) ? 200 : 404
      expect([status, thread.status]).toEqual([answer, answer])
    }
  })
})
