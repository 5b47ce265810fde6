import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildManager, buildUser, type Account } from '../../../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../../../testing/database.ts'
import { assignAutomatically, buildAgent, newPerson, receiveChats } from '../test-agents.ts'
import { buildLine, type Line } from '../test-inbox.ts'
import { assign, recordOverdue } from './queue.ts'

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
const change = (id: string, set: string) =>
  query(`update conversations set ${set} where organization_id = $1 and id = $2`, [manager.organizationId, id])

describe('due answers', () => {
  const targets = (first: number | null, next: number | null, hours: unknown = null) =>
    query(
      `update inbox_settings set first_reply_minutes = $2, next_reply_minutes = $3, business_hours = $4, timezone = 'Asia/Kolkata'
        where organization_id = $1`,
      [manager.organizationId, first, next, hours === null ? null : JSON.stringify(hours)],
    )
  const dueOf = async (id: string | undefined) =>
    (await query<{ due: Date | null }>('select due_at as due from conversations where id = $1', [id]))[0]?.due ?? null
  /** 9:30 to 18:00 from Monday to Friday. */
  const week = [...Array.from({ length: 5 }, () => ({ start: '09:30', end: '18:00' })), null, null]

  test('follow the first target, and later ones after an answer', async () => {
    await targets(30, 10)
    const [from, at] = [newPerson(), new Date('2026-03-02T05:00:00Z')]
    const [id] = await receiveChats(own.database, line, [{ from, at }])
    expect(await dueOf(id)).toEqual(new Date('2026-03-02T05:30:00Z'))
    await receiveChats(own.database, line, [{ from, at: new Date('2026-03-02T05:20:00Z') }])
    expect(await dueOf(id)).toEqual(new Date('2026-03-02T05:30:00Z'))
    await change(
      id ?? '',
      `waiting_since = null, answered_at = '2026-03-02T05:25:00Z', first_answered_at = '2026-03-02T05:25:00Z'`,
    )
    expect(await dueOf(id)).toBeNull()
    await receiveChats(own.database, line, [{ from, at: new Date('2026-03-02T06:00:00Z') }])
    expect(await dueOf(id)).toEqual(new Date('2026-03-02T06:10:00Z'))
    await change(id ?? '', `status = 'resolved', waiting_since = null, answered_at = '2026-03-02T06:01:00Z'`)
    await receiveChats(own.database, line, [{ from, at: new Date('2026-03-02T07:00:00Z') }])
    expect(await dueOf(id)).toEqual(new Date('2026-03-02T07:30:00Z'))
  })

  test('are not set without targets', async () => {
    const [id] = await receiveChats(own.database, line, [{}])
    expect(await dueOf(id)).toBeNull()
  })

  test.each([
    ['inside the hours', '2026-03-02T05:00:00Z', '2026-03-02T06:00:00Z'],
    ['before they open', '2026-03-02T01:00:00Z', '2026-03-02T05:00:00Z'],
    ['over the evening', '2026-03-02T12:00:00Z', '2026-03-03T04:30:00Z'],
    ['over the weekend', '2026-03-06T12:15:00Z', '2026-03-09T04:45:00Z'],
  ])('count business hours: %s', async (_, at, due) => {
    await targets(60, null, week)
    const [id] = await receiveChats(own.database, line, [{ at: new Date(at) }])
    expect(await dueOf(id)).toEqual(new Date(due))
  })

  test('have no time if there are no hours, and an end of 00:00 is the end of the day', async () => {
    await targets(
      60,
      null,
      Array.from({ length: 7 }, () => null),
    )
    const [never] = await receiveChats(own.database, line, [{}])
    expect(await dueOf(never)).toBeNull()
    await targets(
      60,
      null,
      Array.from({ length: 7 }, () => ({ start: '23:30', end: '00:00' })),
    )
    const [late] = await receiveChats(own.database, line, [{ at: new Date('2026-03-02T17:00:00Z') }])
    expect(await dueOf(late)).toEqual(new Date('2026-03-03T18:30:00Z'))
  })

  test('the seconds of business hours between two instants', async () => {
    const between = async (since: string, until: string) =>
      (
        await query<{ seconds: number }>('select business_seconds($1, $2, $3) as seconds', [
          manager.organizationId,
          since,
          until,
        ])
      )[0]?.seconds
    expect(await between('2026-03-02T05:00:00Z', '2026-03-02T06:00:00Z')).toBe(3600)
    await targets(60, null, week)
    expect(await between('2026-03-02T05:00:00Z', '2026-03-02T06:00:00Z')).toBe(3600)
    expect(await between('2026-03-02T12:00:00Z', '2026-03-03T04:30:00Z')).toBe(3600)
    expect(await between('2026-03-06T12:15:00Z', '2026-03-09T04:45:00Z')).toBe(3600)
    expect(await between('2026-03-07T00:00:00Z', '2026-03-08T00:00:00Z')).toBe(0)
    expect(await between('2026-03-02T06:00:00Z', '2026-03-02T05:00:00Z')).toBe(0)
  })

  test('are breached once for each wait, whether a job or the late answer records it', async () => {
    await targets(1, 1)
    const { id } = await buildUser(own.database, { parent: manager })
    await buildAgent(own.database, { ...manager, id })
    const from = newPerson()
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000)
    const [conversation] = await receiveChats(own.database, line, [{ from, at: ago(30) }])
    await assign(own.database, manager.organizationId)
    const breaches = async () =>
      (await query(`select from agent_facts where account_id = $1 and kind = 'sla_breach'`, [id])).length
    await recordOverdue(own.database)
    await recordOverdue(own.database)
    expect(await breaches()).toBe(1)
    await query(
      'update conversations set waiting_since = null, answered_at = $2, first_answered_at = $2 where id = $1',
      [conversation, ago(20)],
    )
    expect(await breaches()).toBe(1)
    await receiveChats(own.database, line, [{ from, at: ago(10) }])
    await change(conversation ?? '', 'waiting_since = null, answered_at = now()')
    await recordOverdue(own.database)
    expect(await breaches()).toBe(2)
    await receiveChats(own.database, line, [{ from, at: new Date(Date.now() + 1000) }])
    await change(conversation ?? '', 'waiting_since = null, answered_at = now()')
    expect(await breaches()).toBe(2)
  })
})
