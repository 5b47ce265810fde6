import type pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { asSystem } from '../../../db/pool.ts'
import { newId } from '../../../lib/ids.ts'
import { until } from '../../../testing/until.ts'
import { buildWhatsappInbox, type WhatsappInbox } from '../../../testing/whatsapp-inbox.ts'
import { checkInvariants } from '../../balance/index.ts'

let inbox: WhatsappInbox

beforeAll(async () => {
  inbox = await buildWhatsappInbox()
})
afterEach(async () => expect(await asSystem(inbox.server.database, checkInvariants)).toEqual([]))
afterAll(() => inbox.close())

const shown = (number: string) =>
  (inbox.simulator.handset.find(number)?.messages ?? []).filter(({ direction }) => direction === 'received')
const sends = (id: string) =>
  inbox.query<{ id: string; kind: string }>('select id, kind from single_sends where conversation_id = $1', [id])
const receipt = async (id: string, itemId: string, status: string) =>
  until(async () => (await inbox.delivery(id, itemId)).status === status, status)

/** A reply that waits, when everything was checked, until the transaction of the test commits. */
async function holdUp(id: string, text: string, work?: (other: pg.Client) => Promise<unknown>) {
  const other = await inbox.server.database.connectAsOwner()
  await other.query('begin')
  await work?.(other)
  await other.query('lock table priority_messages in share row exclusive mode')
  const replying = inbox.reply(id, text)
  const waiting = `select from pg_locks where not granted and relation = 'priority_messages'::regclass and database = (
    select oid from pg_database where datname = current_database())`
  await until(async () => ((await other.query(waiting)).rowCount ?? 0) > 0, 'the reply')
  return {
    replying,
    async commit() {
      await other.query('commit')
      await other.end()
    },
  }
}

test('a reply reaches the phone, costs nothing and moves the conversation', async () => {
  const from = inbox.newPerson()
  const id = await inbox.write(from, 'Is it open?')
  expect(await inbox.find(id)).toMatchObject({ status: 'open', unread: 1, waitingSince: expect.any(String) })
  const sent = (await inbox.reply(id, 'Until nine')).data()
  expect(sent).toMatchObject({
    kind: 'outbound',
    body: { type: 'text', text: 'Until nine' },
    source: 'reply',
    author: { _id: inbox.user.id },
  })
  const conversation = await inbox.find(id)
  expect(conversation).toMatchObject({
    status: 'open',
    unread: 0,
    assignee: { _id: inbox.user.id },
    lastMessage: { text: 'Until nine', by: 'member' },
  })
  expect(conversation.waitingSince).toBeUndefined()
  await receipt(id, sent.id, 'read')
  expect(shown(from).map(({ text }) => text)).toEqual(['Until nine'])
  expect(await inbox.query('select price, status from messages where campaign_id = $1', [sent.id])).toEqual([
    { price: 0, status: 'read' },
  ])
  expect(
    await inbox.query('select kind, account_id from agent_facts where conversation_id = $1 order by kind', [id]),
  ).toEqual([
    { kind: 'assigned', account_id: inbox.user.id },
    { kind: 'first_response', account_id: inbox.user.id },
    { kind: 'message_out', account_id: inbox.user.id },
  ])
  expect(await inbox.events(id)).toEqual(['assigned'])
})

test('the same reply twice at once is one message', async () => {
  const from = inbox.newPerson()
  const id = await inbox.write(from, 'Hello')
  const clientId = newId()
  const answers = await Promise.all(Array.from({ length: 5 }, () => inbox.reply(id, 'Good morning', { clientId })))
  expect(new Set(answers.map((answer) => answer.data().id)).size).toBe(1)
  expect(await sends(id)).toHaveLength(1)
  const [answer] = answers
  await receipt(id, answer?.data().id ?? '', 'read')
  expect((await inbox.reply(id, 'Another text', { clientId })).data()).toMatchObject({ body: { text: 'Good morning' } })
  expect(shown(from)).toHaveLength(1)
})

test('a reply that is repeated after midnight is the first one', async () => {
  const id = await inbox.write(inbox.newPerson(), 'Hello')
  const clientId = newId()
  const first = (await inbox.reply(id, 'Good evening', { clientId })).data()
  await receipt(id, first.id, 'read')
  for (const table of ['single_sends', 'messages'])
    await inbox.query(
      `update ${table} set created_on = created_on - 1 where ${table === 'messages' ? 'campaign_id' : 'id'} = $1`,
      [first.id],
    )
  await inbox.query('update conversation_days set day = day - 1 where conversation_id = $1', [id])
  expect((await inbox.reply(id, 'Good evening', { clientId })).data()).toMatchObject({
    id: first.id,
    delivery: { status: 'read' },
  })
  expect(await sends(id)).toHaveLength(1)
})

test('a reply quotes a message, and a reaction is shown with it', async () => {
  const from = inbox.newPerson()
  const id = await inbox.write(from, 'Do you deliver?')
  const [asked] = await inbox.items(id)
  const sent = (await inbox.reply(id, 'Yes, to Pune', { inReplyTo: asked?.id ?? '' })).data()
  expect(sent).toMatchObject({ inReplyTo: { id: asked?.id, text: 'Do you deliver?', by: 'person' } })
  await receipt(id, sent.id, 'read')
  expect(shown(from).at(-1)?.content?.quotes).toBeDefined()
  const react = (to: string, emoji: string) =>
    inbox.server.call('conversations.reply', {
      as: inbox.user,
      path: { id },
      body: { clientId: newId(), content: { type: 'reaction', to, emoji } },
    })
  expect((await react(asked?.id ?? '', '👍')).data()).toMatchObject({
    id: asked?.id,
    kind: 'inbound',
    reactions: [{ emoji: '👍', by: 'member' }],
  })
  await until(() => shown(from).some(({ content }) => content?.reaction?.emoji === '👍'), 'the reaction')
  expect((await react(sent.id, '👍')).body).toMatchObject({
    details: [{ field: 'content.to', message: 'Only messages of the person can be reacted to' }],
  })
  expect((await inbox.reply(id, 'Which?', { inReplyTo: newId() })).body).toMatchObject({
    code: 'bad_request',
    details: [{ field: 'inReplyTo' }],
  })
})

describe('the service window', () => {
  test('closed, it admits templates only', async () => {
    const id = await inbox.write(inbox.newPerson(), 'Hello')
    await closeWindow(id)
    expect((await inbox.reply(id, 'Are you there?')).body).toMatchObject({
      code: 'conflict',
      details: [{ field: 'outside_window' }],
    })
    expect(await sends(id)).toEqual([])
    expect((await inbox.find(id)).assignee).toBeUndefined()
  })

  test('a reply whose window closes before it is sent fails without a charge', async () => {
    const from = inbox.newPerson()
    const id = await inbox.write(from, 'Hello')
    await inbox.query(`update service_windows set expires_at = now() + interval '3 seconds' where identity = $1`, [
      from,
    ])
    // The reply is accepted in time, and committed when its window has closed.
    const { replying, commit } = await holdUp(id, 'Just in time')
    const closed = 'select from service_windows where identity = $1 and expires_at < clock_timestamp()'
    await until(async () => (await inbox.query(closed, [from])).length > 0, 'the end of the window')
    await commit()
    const sent = (await replying).data()
    await receipt(id, sent.id, 'failed')
    expect(await inbox.delivery(id, sent.id)).toMatchObject({ reason: 'outside_window', cost: 0 })
    expect(shown(from)).toEqual([])
  })

  async function closeWindow(id: string) {
    await inbox.query(
      `update service_windows set expires_at = now() - interval '1 second'
      where identity = (select identity from conversations where id = $1)`,
      [id],
    )
  }
})

describe('a person without a visible number', () => {
  test('is answered by their id', async () => {
    const from = inbox.newPerson()
    inbox.simulator.graph.control.describePerson(from, {
      hidesNumber: true,
      userId: 'IN.7001',
      name: 'Meera',
      username: 'meera.j',
    })
    const id = await inbox.write(from, 'Hello', { identity: 'IN.7001' })
    expect(await inbox.find(id)).toMatchObject({ name: 'Meera', username: 'meera.j' })
    const sent = (await inbox.reply(id, 'Hello Meera')).data()
    await receipt(id, sent.id, 'read')
    expect(shown(from).map(({ text }) => text)).toEqual(['Hello Meera'])
    expect(await inbox.query('select phone, identity from single_sends where id = $1', [sent.id])).toEqual([
      { phone: null, identity: 'IN.7001' },
    ])
    expect(await inbox.server.ask('messages.get', { as: inbox.user, path: { id: sent.id } })).not.toHaveProperty(
      'phoneNumber',
    )
  })

  test('is not answered after STOP', async () => {
    const from = inbox.newPerson()
    inbox.simulator.graph.control.describePerson(from, { hidesNumber: true, userId: 'IN.7002' })
    const id = await inbox.write(from, 'STOP', { identity: 'IN.7002' })
    expect((await inbox.reply(id, 'Why?')).body).toMatchObject({ details: [{ field: 'opted_out' }] })
    await inbox.write(from, 'start', { identity: 'IN.7002' })
    expect((await inbox.reply(id, 'Welcome back')).status).toBe(200)
  })
})

describe('after STOP', () => {
  test('a person is answered once they write again, until they repeat it', async () => {
    const from = inbox.newPerson()
    const id = await inbox.write(from, 'Hello')
    await inbox.write(from, 'STOP')
    expect((await inbox.reply(id, 'One more offer')).body).toMatchObject({
      code: 'conflict',
      message: 'This person opted out of WhatsApp messages. You can answer once they write again',
    })
    await pause()
    await inbox.write(from, 'Where is my refund?')
    const sent = (await inbox.reply(id, 'It is on its way')).data()
    await receipt(id, sent.id, 'read')
    await pause()
    await inbox.write(from, 'STOP')
    expect((await inbox.reply(id, 'Goodbye')).status).toBe(409)
    expect(shown(from)).toHaveLength(1)
  })

  test('a reply that was accepted before it is not sent', async () => {
    const from = inbox.newPerson()
    const id = await inbox.write(from, 'Hello')
    // It sees no opt-out yet; the lane does.
    const { replying, commit } = await holdUp(id, 'Too late', (other) =>
      other.query(
        `insert into opt_outs (organization_id, channel, phone, keyword) values ($1, 'whatsapp', $2, 'STOP')`,
        [inbox.manager.organizationId, from],
      ),
    )
    await commit()
    const sent = (await replying).data()
    await receipt(id, sent.id, 'skipped')
    expect(await inbox.delivery(id, sent.id)).toMatchObject({ reason: 'opted_out', cost: 0 })
    expect(shown(from)).toEqual([])
  })

  /** Meta's times have whole seconds. */
  const pause = () => new Promise((resume) => setTimeout(resume, 1100))
})

test('a blocked person, an unknown conversation and a switched-off number are errors', async () => {
  const id = await inbox.write(inbox.newPerson(), 'Spam')
  await inbox.server.ask('conversations.change', { as: inbox.user, path: { id }, body: { isBlocked: true } })
  expect((await inbox.reply(id, 'Hi')).body).toMatchObject({ message: 'This person is blocked. Unblock them to write' })
  await inbox.server.ask('conversations.change', { as: inbox.user, path: { id }, body: { isBlocked: false } })
  await inbox.ask('wabas.activate', { body: { id: inbox.senderId, isActive: false } })
  expect((await inbox.reply(id, 'Hi')).body).toMatchObject({ message: expect.stringContaining('is off') })
  await inbox.ask('wabas.activate', { body: { id: inbox.senderId, isActive: true } })
  expect((await inbox.reply(newId(), 'Hi')).body).toMatchObject({ message: 'Conversation not found' })
  expect((await inbox.reply(id, 'Hi', { as: inbox.foreign })).body).toMatchObject({ message: 'Conversation not found' })
  expect((await inbox.reply(id, '  ')).body).toMatchObject({ details: [{ field: 'content.text' }] })
})

test('a member takes over from a bot, and a resolved conversation opens again', async () => {
  const id = await inbox.write(inbox.newPerson(), 'Hello')
  await inbox.query(`update conversations set held_by = 'bot', status = 'pending' where id = $1`, [id])
  await inbox.reply(id, 'Let me help')
  expect(await inbox.find(id)).toMatchObject({ handledBy: 'human', status: 'open' })
  await inbox.server.ask('conversations.change', { as: inbox.user, path: { id }, body: { status: 'resolved' } })
  await inbox.reply(id, 'One more thing')
  expect(await inbox.find(id)).toMatchObject({ status: 'open' })
  expect(await inbox.events(id)).toEqual(['taken_over', 'assigned', 'resolved', 'reopened'])
})

test('both names are shown of a reply that is written for another account', async () => {
  const id = await inbox.write(inbox.newPerson(), 'Hello')
  const { impersonatedUser } = await inbox.server.ask('auth.impersonate', {
    as: inbox.admin,
    body: { userId: inbox.user.id, reason: 'Support request' },
  })
  const sent = (await inbox.reply(id, 'Hello', { as: { ...inbox.user, token: impersonatedUser.token } })).data()
  const [admin] = await inbox.query<{ name: string }>('select name from accounts where id = $1', [inbox.admin.id])
  expect(sent).toMatchObject({ author: { _id: inbox.user.id, impersonatedBy: admin?.name } })
  expect(
    await inbox.query(
      `select actor_id, subject_id from audit_log where action = 'conversation.replied' and object_id = $1`,
      [id],
    ),
  ).toEqual(expect.arrayContaining([{ actor_id: inbox.admin.id, subject_id: inbox.user.id }]))
})

describe('writing first', () => {
  const start = (phoneNumber: string, as = inbox.user, lineId = inbox.senderId) =>
    inbox.server.call('conversations.start', {
      as,
      body: { lineId, phoneNumber, clientId: newId(), content: { type: 'text', text: 'Hello' } },
    })

  test('needs a template, and leaves no conversation behind without one', async () => {
    const to = inbox.newPerson()
    expect((await start(`+${to}`)).body).toMatchObject({ details: [{ field: 'outside_window' }] })
    expect(await inbox.query('select from conversations where identity = $1', [to])).toEqual([])
    await inbox.write(to, 'Hello')
    expect((await start(`+${to}`)).data()).toMatchObject({
      conversation: { phoneNumber: `+${to}`, assignee: { _id: inbox.user.id } },
      item: { body: { text: 'Hello' } },
    })
    expect((await start(`+${to}`, inbox.colleague)).body).toMatchObject({
      message: 'A colleague has a conversation with this number',
    })
    expect((await start(`+${to}`, inbox.user, newId())).body).toMatchObject({ message: 'Line not found' })
  })
})
