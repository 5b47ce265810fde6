import type { EndpointName } from '@carillon/contract'
import { contactEndpoints } from '@carillon/contract/contacts'
import { conversationEndpoints } from '@carillon/contract/conversations'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import { buildDepartmentHead, buildReseller, buildUser, type Account } from '../../../testing/builders.ts'
import type { UncheckedOptions } from '../../../testing/server.ts'
import { buildWhatsappInbox, type WhatsappInbox } from '../../../testing/whatsapp-inbox.ts'

let inbox: WhatsappInbox
let members: Record<string, Account>

beforeAll(async () => {
  inbox = await buildWhatsappInbox()
  const { database } = inbox.server
  members = {
    admin: inbox.admin,
    reseller: await buildReseller(database, { parent: inbox.admin }),
    manager: inbox.manager,
    'head above': inbox.head,
    holder: await buildUser(database, { parent: inbox.head }),
    'head elsewhere': await buildDepartmentHead(database, { parent: inbox.manager }),
    colleague: inbox.colleague,
    'without the module': await buildUser(database, { parent: inbox.manager, modules: ['campaign'] }),
    'foreign manager': inbox.foreign,
  }
})
afterAll(() => inbox.close())

const text = { type: 'text' as const, text: 'Hello' }
const pixel = {
  name: 'pixel.png',
  content: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
  type: 'image/png',
}
const soon = () => new Date(Date.now() + 3_600_000).toISOString()

/** Each call about a conversation or contact, with valid input. */
const verbs: [EndpointName, (chat: Chat) => UncheckedOptions][] = [
  ['conversations.get', ({ id }) => ({ path: { id } })],
  ['conversations.thread', ({ id }) => ({ path: { id } })],
  ['conversations.threadChanges', ({ id }) => ({ path: { id }, query: { since: '1:1:' } })],
  ['conversations.deliveries', ({ id }) => ({ path: { id }, query: { ids: newId() } })],
  ['conversations.reply', ({ id }) => ({ path: { id }, body: { clientId: newId(), content: text } })],
  ['conversations.note', ({ id }) => ({ path: { id }, body: { text: 'Look' } })],
  ['conversations.read', ({ id }) => ({ path: { id }, body: {} })],
  ['conversations.change', ({ id }) => ({ path: { id }, body: { priority: 'urgent' } })],
  ['conversations.schedule', ({ id }) => ({ path: { id }, body: { content: text, sendAt: soon() } })],
  ['conversations.upload', ({ id }) => ({ path: { id }, files: { fileContent: pixel } })],
  ['conversations.unschedule', ({ id, replyId }) => ({ path: { id, replyId } })],
  ['contacts.get', ({ contactId }) => ({ path: { id: contactId } })],
  ['contacts.rename', ({ contactId }) => ({ path: { id: contactId }, body: { name: 'Asha' } })],
  ['contacts.merge', ({ contactId, otherId }) => ({ path: { id: contactId }, body: { contactId: otherId } })],
  [
    'contacts.split',
    ({ contactId, otherIdentity: identity }) => ({
      path: { id: contactId },
      body: { identities: [{ channel: 'whatsapp', identity }] },
    }),
  ],
  ['contacts.undo', ({ contactId, changeId }) => ({ path: { id: contactId, changeId } })],
]

type Chat = {
  id: string
  contactId: string
  otherId: string
  otherIdentity: string
  replyId: string
  /** Of a merge with the other contact. */
  changeId: string
}

const withOther: readonly EndpointName[] = ['contacts.merge', 'contacts.split', 'contacts.undo']

/** A conversation that the holder has, with a second contact and a planned reply. */
async function buildChat(name: EndpointName, holder: Account | undefined): Promise<Chat> {
  const otherIdentity = inbox.newPerson()
  const id = await inbox.write(inbox.newPerson(), 'Hello')
  const other = withOther.includes(name) ? await inbox.write(otherIdentity, 'Hello') : id
  const { id: replyId } = await inbox.server.ask('conversations.schedule', {
    as: inbox.manager,
    path: { id },
    body: { content: text, sendAt: soon() },
  })
  if (holder)
    for (const each of [id, other])
      await inbox.server.ask('conversations.change', {
        as: inbox.manager,
        path: { id: each },
        body: { assigneeId: holder.id },
      })
  const { contactId } = await inbox.find(id)
  const { contactId: otherId } = await inbox.find(other)
  const chat = { id, contactId, otherId, otherIdentity, replyId, changeId: '' }
  if (name !== 'contacts.split' && name !== 'contacts.undo') return chat
  const { changes } = await inbox.server.ask('contacts.merge', {
    as: inbox.manager,
    path: { id: contactId },
    body: { contactId: otherId },
  })
  return { ...chat, changeId: changes[0]?.id ?? '' }
}

const held: Record<string, number> = {
  admin: 403,
  reseller: 403,
  manager: 200,
  'head above': 200,
  holder: 200,
  'head elsewhere': 404,
  colleague: 404,
  'without the module': 403,
  'foreign manager': 404,
}
const unassigned = { ...held, 'head elsewhere': 200, colleague: 200 }

describe.each(verbs)('%s', (name, inputOf) => {
  test.each([
    ['that a user holds', held, true],
    ['that is unassigned', unassigned, false],
  ] as const)('of a conversation %s', async (_, expected, isHeld) => {
    const statuses: Record<string, number> = {}
    for (const [who, as] of Object.entries(members)) {
      const chat = await buildChat(name, isHeld ? members['holder'] : undefined)
      statuses[who] = (await inbox.server.callUnchecked(name, { ...inputOf(chat), as })).status
    }
    expect(statuses).toEqual(expected)
  })
})

test('each call about a conversation or contact is among these, but files and templates, whose tests are in lines', () => {
  const tables = { ...conversationEndpoints, ...contactEndpoints }
  const names = (Object.keys(tables) as (keyof typeof tables)[]).filter((name) => tables[name].route.includes('{id}'))
  const covered = [...verbs.map(([name]) => name), 'conversations.file', 'conversations.templates']
  expect(new Set(covered)).toEqual(new Set(names))
})

test('of many conversations each member changes those that they see', async () => {
  const [held, free] = [
    (await buildChat('conversations.changeMany', members['holder'])).id,
    (await buildChat('conversations.changeMany', undefined)).id,
  ]
  const nameOf = (id: string) => (id === held ? 'held' : 'free')
  const changed: Record<string, number | { changed: string[]; refused: string[] }> = {}
  for (const [who, as] of Object.entries(members)) {
    const body = { ids: [held, free], change: { labels: [who] } }
    const answer = await inbox.server.call('conversations.changeMany', { as, body })
    if (answer.status !== 200) changed[who] = answer.status
    else {
      const { conversations, refused } = answer.data()
      changed[who] = {
        changed: conversations.map(({ chatId }) => nameOf(chatId)).toSorted(),
        refused: refused.map(({ chatId, message }) => `${nameOf(chatId)}: ${message}`).toSorted(),
      }
    }
  }
  const both = { changed: ['free', 'held'], refused: [] }
  const onlyFree = { changed: ['free'], refused: ['held: Conversation not found'] }
  expect(changed).toEqual({
    admin: 403,
    reseller: 403,
    manager: both,
    'head above': both,
    holder: both,
    'head elsewhere': onlyFree,
    colleague: onlyFree,
    'without the module': 403,
    'foreign manager': { changed: [], refused: ['free', 'held'].map((name) => `${name}: Conversation not found`) },
  })
})

test('what an admin does in the name of a member is in the audit with both names', async () => {
  const { server, admin, user } = inbox
  const chat = await buildChat('contacts.merge', undefined)
  const { id, contactId, otherId, replyId } = chat
  const { impersonatedUser } = await server.ask('auth.impersonate', {
    as: admin,
    body: { userId: user.id, reason: 'Support request' },
  })
  const as = { ...user, token: impersonatedUser.token }
  const path = { id }
  await server.ask('conversations.read', { as, path, body: {} })
  await server.ask('conversations.change', { as, path, body: { isUnread: true } })
  await server.ask('conversations.change', { as, path, body: { assigneeId: user.id, priority: 'high' } })
  await server.ask('conversations.changeMany', { as, body: { ids: [id], change: { isBlocked: true } } })
  await server.ask('conversations.change', { as, path, body: { isBlocked: false } })
  await server.ask('conversations.note', { as, path, body: { text: 'Look' } })
  await server.ask('conversations.schedule', { as, path, body: { content: text, sendAt: soon() } })
  await server.ask('conversations.unschedule', { as, path: { id, replyId } })
  await server.ask('conversations.reply', { as, path, body: { clientId: newId(), content: text } })
  await server.ask('contacts.rename', { as, path: { id: contactId }, body: { name: 'Asha' } })
  await server.ask('contacts.merge', { as, path: { id: contactId }, body: { contactId: otherId } })
  const recorded = await inbox.query<{ action: string; actor_id: string; subject_id: string }>(
    `select action, actor_id, subject_id from audit_log where object_id = any($1) and subject_id is not null order by seq`,
    [[id, contactId]],
  )
  expect(recorded.map(({ action }) => action).toSorted()).toEqual(
    [
      'contact.merged',
      'contact.renamed',
      'conversation.assigned',
      'conversation.blocked',
      'conversation.marked_unread',
      'conversation.note',
      'conversation.priority_changed',
      'conversation.read',
      'conversation.replied',
      'conversation.reply_cancelled',
      'conversation.reply_scheduled',
      'conversation.unblocked',
    ].toSorted(),
  )
  expect(new Set(recorded.map(({ actor_id, subject_id }) => `${actor_id} ${subject_id}`))).toEqual(
    new Set([`${admin.id} ${user.id}`]),
  )
})
