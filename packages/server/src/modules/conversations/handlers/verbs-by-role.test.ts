import type { EndpointName } from '@carillon/contract'
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

/** Each verb on a conversation, with valid input. */
const verbs: [EndpointName, (chat: Chat) => UncheckedOptions][] = [
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
]

type Chat = { id: string; contactId: string; otherId: string; replyId: string }

/** A conversation that the holder has, with a second contact and a planned reply. */
async function buildChat(name: EndpointName, holder: Account | undefined): Promise<Chat> {
  const id = await inbox.write(inbox.newPerson(), 'Hello')
  const other = name === 'contacts.merge' ? await inbox.write(inbox.newPerson(), 'Hello') : id
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
  return { id, contactId, otherId: (await inbox.find(other)).contactId, replyId }
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
