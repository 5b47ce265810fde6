import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import { buildWhatsappInbox, type WhatsappInbox } from '../../../testing/whatsapp-inbox.ts'

let inbox: WhatsappInbox

beforeAll(async () => {
  inbox = await buildWhatsappInbox()
})
afterAll(() => inbox.close())

async function newContact(): Promise<{ from: string; chatId: string; id: string }> {
  const from = inbox.newPerson()
  const chatId = await inbox.write(from, 'Hello')
  return { from, chatId, id: (await inbox.find(chatId)).contactId }
}

const get = (id: string, as = inbox.user) => inbox.server.ask('contacts.get', { as, path: { id } })
const merge = (id: string, contactId: string, as = inbox.user) =>
  inbox.server.call('contacts.merge', { as, path: { id }, body: { contactId } })
const split = (id: string, identity: string) =>
  inbox.server.call('contacts.split', {
    as: inbox.user,
    path: { id },
    body: { identities: [{ channel: 'whatsapp', identity }] },
  })
const undo = (id: string, changeId: string, as = inbox.user) =>
  inbox.server.call('contacts.undo', { as, path: { id, changeId } })
const identitiesOf = async (id: string) => (await get(id)).identities.map(({ identity }) => identity)

test('a name is shown in the list, and can be removed again', async () => {
  const { id, chatId, from } = await newContact()
  const rename = (name: string | null, as = inbox.user) =>
    inbox.server.call('contacts.rename', { as, path: { id }, body: { name } })
  const { revision } = await inbox.find(chatId)
  expect((await rename('Asha Rao')).data()).toMatchObject({ name: 'Asha Rao', givenName: 'Asha Rao' })
  expect(await inbox.find(chatId)).toMatchObject({ name: 'Asha Rao', revision: revision + 1 })
  const unnamed = (await rename(null)).data()
  expect(unnamed).not.toHaveProperty('givenName')
  expect(unnamed).toMatchObject({
    identities: [{ channel: 'whatsapp', identity: from, phoneNumber: `+${from}`, optedOut: false }],
    conversations: [{ chatId, lastText: 'Hello' }],
  })
  expect((await rename('X', inbox.foreign)).body).toMatchObject({ message: 'Contact not found' })
})

test('two contacts become one and two again, and each change is undone once', async () => {
  const [one, other] = [await newContact(), await newContact()]
  expect((await merge(one.id, one.id)).body).toMatchObject({ details: [{ field: 'contactId' }] })
  expect((await merge(one.id, newId())).body).toMatchObject({ message: 'Contact not found' })
  const merged = (await merge(one.id, other.id)).data()
  expect(merged.identities).toHaveLength(2)
  expect(merged.conversations.map(({ chatId }) => chatId).toSorted()).toEqual([one.chatId, other.chatId].toSorted())
  expect(await inbox.find(other.chatId)).toMatchObject({ contactId: one.id })
  expect(await inbox.events(other.chatId)).toEqual(['contact_merged'])
  expect((await merge(one.id, other.id)).status).toBe(404)

  const [change] = merged.changes
  expect(change).toMatchObject({ kind: 'merge', identities: [`+${other.from}`] })
  expect((await undo(one.id, change?.id ?? '')).data().identities).toHaveLength(1)
  expect(await identitiesOf(other.id)).toEqual([other.from])
  expect((await undo(one.id, change?.id ?? '')).body).toMatchObject({ message: 'This change was already undone' })
  expect((await undo(one.id, newId())).body).toMatchObject({ message: 'Change not found' })
  expect(await inbox.query(`select action from audit_log where object_id = $1 order by seq`, [one.id])).toEqual([
    { action: 'contact.merged' },
    { action: 'contact.change_undone' },
  ])
})

test('a number that changed hands becomes a contact of its own', async () => {
  const [one, other] = [await newContact(), await newContact()]
  await merge(one.id, other.id)
  expect((await split(one.id, '919800000000')).body).toMatchObject({ details: [{ field: 'identities.0' }] })
  const both = await inbox.server.call('contacts.split', {
    as: inbox.user,
    path: { id: one.id },
    body: { identities: [one.from, other.from].map((identity) => ({ channel: 'whatsapp' as const, identity })) },
  })
  expect(both.body).toMatchObject({ details: [{ field: 'identities', message: expect.stringContaining('Leave') }] })
  const left = (await split(one.id, other.from)).data()
  expect(left.identities).toMatchObject([{ identity: one.from }])
  const { contactId } = await inbox.find(other.chatId)
  expect(contactId).not.toBe(other.id)
  const [splitting, merging] = left.changes
  expect((await undo(one.id, merging?.id ?? '')).body).toMatchObject({
    message: 'Some of these identities were moved again since: undo the later change first',
  })
  expect((await undo(contactId, splitting?.id ?? '')).data()).toMatchObject({ _id: one.id, identities: { length: 2 } })
})

test('a number that shows behind a username joins its contact, until that is undone', async () => {
  const from = inbox.newPerson()
  const { describePerson } = inbox.simulator.graph.control
  describePerson(from, { hidesNumber: true, userId: 'IN.9001', name: 'Meera', username: 'meera.j' })
  const hidden = await inbox.write(from, 'Hello', { identity: 'IN.9001' })
  const { contactId } = await inbox.find(hidden)
  describePerson(from, { hidesNumber: false })
  const visible = await inbox.write(from, 'It is me')
  expect(visible).not.toBe(hidden)
  expect(await inbox.find(visible)).toMatchObject({ contactId })
  const { identities, changes } = await get(contactId)
  expect(identities.map(({ identity }) => identity)).toEqual([from, 'IN.9001'])
  expect(changes).toMatchObject([{ kind: 'merge', by: 'The server' }])
  expect(await inbox.events(visible)).toEqual(['contact_merged'])

  await undo(contactId, changes[0]?.id ?? '')
  await inbox.write(from, 'Still me')
  expect((await inbox.find(visible)).contactId).not.toBe(contactId)
})

test('only members who see one of its conversations see a contact', async () => {
  const { id, chatId } = await newContact()
  await inbox.server.ask('conversations.change', {
    as: inbox.colleague,
    path: { id: chatId },
    body: { assigneeId: inbox.colleague.id },
  })
  expect((await inbox.server.call('contacts.get', { as: inbox.user, path: { id } })).body).toMatchObject({
    message: 'Contact not found',
  })
  expect(await get(id, inbox.manager)).toMatchObject({ _id: id })
  expect(await get(id, inbox.colleague)).toMatchObject({ _id: id })
})
