import { SupportMessage, SupportRequest } from '@carillon/contract/support'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asSystem } from '../../db/pool.ts'
import { newId } from '../../lib/ids.ts'
import { buildFixtures } from '../../testing/fixtures.ts'
import { buildManager, buildReseller, buildTree, buildUser, type Account } from '../../testing/builders.ts'
import { testServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let admin: Account
let reseller: Account
let manager: Account
let head: Account
let user: Account
let foreign: Account

beforeAll(async () => {
  server = await testServer()
  ;({ admin, reseller, manager, head, user, foreign } = await buildTree(server.database))
})
afterAll(() => server.close())

const question = {
  subject: 'Messages arrive late',
  body: 'Since this morning',
  category: 'delivery',
  priority: 'high',
} as const

async function open(as: Account, more: object = {}): Promise<SupportRequest> {
  return server.ask('support.open', { as, body: { ...question, ...more } })
}
async function get(as: Account, id: string) {
  return server.call('support.get', { as, path: { id } })
}
async function requestOf(as: Account, id: string): Promise<SupportRequest> {
  return SupportRequest.parse((await get(as, id)).data())
}
async function write(as: Account, id: string, body: string, isInternal = false) {
  return server.call('support.answer', { as, path: { id }, body: { body, isInternal } })
}
async function setStatus(as: Account, id: string, status: SupportRequest['status']) {
  return server.call('support.setStatus', { as, path: { id }, body: { status } })
}
async function escalate(as: Account, id: string, note = '') {
  return server.call('support.escalate', { as, path: { id }, body: { note } })
}
async function thread(as: Account, id: string): Promise<SupportMessage[]> {
  return (await server.ask('support.messages', { as, path: { id } })).data
    .map((message) => SupportMessage.parse(message))
    .toReversed()
}
async function listed(as: Account, box: 'mine' | 'incoming', query: Record<string, string> = {}): Promise<string[]> {
  return (await server.ask('support.list', { as, query: { box, limit: 100, ...query } })).data.map(({ id }) => id)
}
async function newsOf(as: Account, id: string): Promise<string[]> {
  const { notifications } = await server.ask('notifications.list', { as, query: { limit: 100 } })
  return notifications.filter(({ link }) => link?.id === id).map(({ title }) => title)
}

const absent = { status: 404, body: { success: false, message: 'Request not found', code: 'not_found' } }

describe('a request is answered by the account above', () => {
  test("a user's by its organisation, an organisation's by its reseller, a reseller's by the admin", async () => {
    const answerers = { user: manager, head: manager, manager: reseller, reseller: admin }
    for (const [name, opener] of Object.entries({ user, head, manager, reseller })) {
      const request = await open(opener)
      const answerer = answerers[name as keyof typeof answerers]
      expect(request).toMatchObject({
        status: 'open',
        openedBy: { _id: opener.id, type: opener.role },
        answeredBy: { _id: answerer.id, name: `Name of ${answerer.username}` },
        mayAnswer: false,
        unread: 0,
        messageCount: 1,
      })
      expect(await requestOf(answerer, request.id)).toMatchObject({ mayAnswer: true, unread: 1 })
      expect(await listed(answerer, 'incoming')).toContain(request.id)
      expect(await listed(opener, 'mine')).toContain(request.id)
      expect(await newsOf(answerer, request.id)).toEqual(['New support request'])
      for (const other of [user, head, manager, reseller, admin, foreign])
        if (other !== opener && other !== answerer) {
          expect(await get(other, request.id)).toMatchObject(absent)
          expect(await listed(other, 'incoming')).not.toContain(request.id)
        }
    }
  })

  test('an admin has no account above and gets a message that says so', async () => {
    expect(await server.call('support.open', { as: admin, body: question })).toMatchObject({
      status: 409,
      body: { message: 'There is no account above this one to answer requests' },
    })
  })

  test('numbers are consecutive across accounts that do not see each other', async () => {
    const [first, second] = [await open(user), await open(head)]
    expect(Number(second.requestNumber)).toBe(Number(first.requestNumber) + 1)
    const many = await Promise.all(Array.from({ length: 8 }, () => open(user)))
    expect(new Set(many.map(({ requestNumber }) => requestNumber)).size).toBe(8)
  })

  test('a referenced campaign must be in scope', async () => {
    const owner = await buildManager(server.database, { parent: reseller })
    const own = await buildFixtures(server.database, owner)
    const theirs = await buildFixtures(server.database, foreign)
    expect(await open(owner, { campaignId: own.campaign })).toMatchObject({ campaignId: own.campaign })
    const answers = await Promise.all(
      [theirs.campaign, newId()].map((campaignId) =>
        server.call('support.open', { as: owner, body: { ...question, campaignId } }),
      ),
    )
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 404, body: { message: 'Campaign not found', code: 'not_found' } })
  })
})

describe('a thread', () => {
  test('has messages from both sides, with unread ones counted on either side', async () => {
    const { id } = await open(user)
    expect(await thread(manager, id)).toMatchObject([{ body: 'Since this morning', direction: 'customer' }])
    expect(await requestOf(manager, id)).toMatchObject({ unread: 0 })

    expect(await write(manager, id, 'Which campaign?')).toMatchObject({
      status: 200,
      body: { data: { direction: 'staff', author: { _id: manager.id, type: 'manager' } } },
    })
    expect(await requestOf(user, id)).toMatchObject({ status: 'waiting_on_customer', unread: 1, messageCount: 2 })
    expect(await newsOf(user, id)).toEqual(['Your request was answered'])

    await write(user, id, 'The Diwali one')
    expect(await requestOf(manager, id)).toMatchObject({ status: 'in_progress', unread: 1 })
    await setStatus(manager, id, 'resolved')
    await write(user, id, 'It is late again')
    expect(await requestOf(manager, id)).toMatchObject({ status: 'reopened' })
    expect((await thread(user, id)).map(({ direction }) => direction)).toEqual([
      'customer',
      'staff',
      'customer',
      'system',
      'customer',
    ])
  })

  test('a note is visible to and counted for staff only', async () => {
    const { id } = await open(user)
    await write(manager, id, 'SECRET: he pays late', true)
    expect(await thread(manager, id)).toMatchObject([{}, { visibility: 'internal' }])
    expect(await thread(user, id)).toHaveLength(1)
    expect(await requestOf(user, id)).toMatchObject({ unread: 0, messageCount: 1, status: 'open' })
    expect(await newsOf(user, id)).toEqual([])
    expect(await write(user, id, 'A note of mine', true)).toMatchObject({ status: 403 })
  })

  test('is paged by ten, the newest page first', async () => {
    const { id } = await open(user)
    for (let number = 1; number <= 11; number += 1) await write(user, id, `Word ${number}`)
    const page = (number: number) => server.ask('support.messages', { as: user, path: { id }, query: { page: number } })
    expect((await page(1)).data).toMatchObject(
      Array.from({ length: 10 }, (_, index) => ({ body: `Word ${11 - index}` })),
    )
    expect(await page(2)).toMatchObject({
      data: [{ body: 'Word 1' }, { body: 'Since this morning' }],
      pagination: { page: 2, limit: 10, total: 12, totalPages: 2 },
    })
  })

  test('a closed one accepts no messages until it is reopened', async () => {
    const { id } = await open(user)
    await setStatus(user, id, 'closed')
    for (const who of [user, manager])
      expect(await write(who, id, 'One more thing')).toMatchObject({
        status: 409,
        body: { message: 'This request is closed: reopen it before writing' },
      })
    expect(await setStatus(user, id, 'reopened')).toMatchObject({ body: { data: { status: 'reopened' } } })
    expect(await write(user, id, 'One more thing')).toMatchObject({ status: 200 })
  })

  test('is private: out of scope and missing get the same response', async () => {
    const { id } = await open(user)
    for (const who of [foreign, reseller, admin, head])
      for (const known of [id, newId()]) {
        expect(await get(who, known)).toMatchObject(absent)
        expect(await write(who, known, 'Let me see')).toMatchObject(absent)
        expect(await setStatus(who, known, 'closed')).toMatchObject(absent)
        expect(await server.call('support.messages', { as: who, path: { id: known } })).toMatchObject(absent)
        if (who.role === 'manager' || who.role === 'reseller') expect(await escalate(who, known)).toMatchObject(absent)
      }
    expect(await thread(user, id)).toHaveLength(1)
  })
})

describe('escalation', () => {
  test('goes up one level at a time; the previous account can still read it and leave notes', async () => {
    const { id } = await open(user)
    expect(await requestOf(manager, id)).toMatchObject({ mayEscalate: true })
    expect(await escalate(manager, id, 'Their route is down')).toMatchObject({
      body: { data: { isEscalated: true, mayAnswer: false, answeredBy: { _id: reseller.id } } },
    })
    expect(await write(manager, id, 'Any news?')).toMatchObject({ status: 403 })
    expect(await write(manager, id, 'Any news?', true)).toMatchObject({ status: 200 })
    expect(await escalate(manager, id)).toMatchObject({ status: 409 })
    expect(await newsOf(reseller, id)).toEqual(['A support request was escalated to you'])
    expect((await thread(reseller, id)).map(({ body }) => body)).toContain('Their route is down')
    expect((await thread(user, id)).map(({ body }) => body)).not.toContain('Their route is down')

    expect(await write(reseller, id, 'It is repaired')).toMatchObject({ status: 200 })
    expect(await requestOf(user, id)).toMatchObject({ status: 'waiting_on_customer', answeredBy: { _id: reseller.id } })
    await escalate(reseller, id)
    expect(await requestOf(admin, id)).toMatchObject({ mayAnswer: true, mayEscalate: false })
    expect(await get(foreign, id)).toMatchObject(absent)
  })

  test('is for the account that has it, not for the requester', async () => {
    const { id } = await open(manager)
    expect(await escalate(manager, id)).toMatchObject({ status: 409 })
  })

  test('an organisation that moves takes its open requests to its new parent', async () => {
    const other = await buildReseller(server.database, { parent: admin })
    const moving = await buildManager(server.database, { parent: reseller })
    const { id } = await open(moving)
    expect(
      await server.call('users.move', { as: admin, path: { userId: moving.id }, body: { parentId: other.id } }),
    ).toMatchObject({ status: 200 })
    expect(await requestOf(other, id)).toMatchObject({ mayAnswer: true, answeredBy: { _id: other.id } })
    expect(await get(reseller, id)).toMatchObject(absent)
  })
})

describe('the list', () => {
  test('can be searched by text and by number, and filtered by kind and status', async () => {
    const person = await buildUser(server.database, { parent: manager })
    const late = await open(person, { subject: 'Late 100% of the time' })
    const feedback = await open(person, { subject: 'Nice charts', kind: 'feedback' })
    await setStatus(person, late.id, 'closed')
    expect(await listed(person, 'mine', { search: '100%' })).toEqual([late.id])
    expect(await listed(person, 'mine', { search: '%' })).toEqual([late.id])
    expect(await listed(person, 'mine', { search: `#${feedback.requestNumber}` })).toEqual([feedback.id])
    expect(await listed(person, 'mine', { kind: 'feedback' })).toEqual([feedback.id])
    expect(await listed(person, 'mine', { status: 'closed' })).toEqual([late.id])
    expect(await listed(person, 'mine')).toEqual([late.id, feedback.id])
  })

  test('decisions are in the audit log', async () => {
    const { id } = await open(user)
    await setStatus(manager, id, 'in_progress')
    await escalate(manager, id)
    const lines = await asSystem(server.database, (db) =>
      db.selectFrom('audit_log').select(['action', 'actor_id']).where('object_id', '=', id).orderBy('seq').execute(),
    )
    expect(lines).toEqual([
      { action: 'support.opened', actor_id: user.id },
      { action: 'support.in_progress', actor_id: manager.id },
      { action: 'support.escalated', actor_id: manager.id },
    ])
  })
})
