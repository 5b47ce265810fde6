import type { ThreadItemOf } from '@carillon/contract/conversation-records'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { asSystem } from '../../../db/pool.ts'
import { newId } from '../../../lib/ids.ts'
import { buildUser } from '../../../testing/builders.ts'
import { until } from '../../../testing/until.ts'
import { buildWhatsappInbox, type WhatsappInbox } from '../../../testing/whatsapp-inbox.ts'
import { checkInvariants } from '../../balance/index.ts'
import { enqueueOverdue, sendScheduledReply } from './send-scheduled.ts'

let inbox: WhatsappInbox

beforeAll(async () => {
  inbox = await buildWhatsappInbox()
})
afterEach(async () => expect(await asSystem(inbox.server.database, checkInvariants)).toEqual([]))
afterAll(() => inbox.close())

const later = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()
const text = (words: string) => ({ type: 'text' as const, text: words })

const schedule = (id: string, sendAt: string, { as = inbox.user, words = 'Good morning', endsOnAnswer = true } = {}) =>
  inbox.server.call('conversations.schedule', {
    as,
    path: { id },
    body: { content: text(words), sendAt, endsOnAnswer },
  })

const stored = async (replyId: string) =>
  (
    await inbox.query<{ result: string | null; detail: string | null; message_id: string | null }>(
      'select result, detail, message_id from scheduled_replies where id = $1',
      [replyId],
    )
  )[0]

const ended = (replyId: string) => until(async () => (await stored(replyId))?.result !== null, 'the end of the reply')

const run = (id: string) =>
  sendScheduledReply(
    { database: inbox.server.database, publicUrl: () => 'https://carillon.example' },
    { organizationId: inbox.manager.organizationId, id },
  )

/** Its time has come. */
const makeDue = (replyId: string) =>
  inbox.query(`update scheduled_replies set send_at = now() - interval '1 second' where id = $1`, [replyId])

async function cancellation(id: string) {
  const found = (await inbox.items(id)).filter(
    (item): item is ThreadItemOf<'event'> => item.kind === 'event' && item.event === 'reply_cancelled',
  )
  return found.at(-1)?.details
}

test('a reply is sent at its time, once, by its author', async () => {
  const id = await inbox.write(inbox.newPerson(), 'Call me tomorrow')
  const planned = (await schedule(id, later(1.5))).data()
  expect(planned).toMatchObject({ text: 'Good morning', result: 'waiting', author: { _id: inbox.user.id } })
  await ended(planned.id)
  const { message_id } = (await stored(planned.id)) ?? {}
  expect(await stored(planned.id)).toMatchObject({ result: 'sent' })
  await Promise.all([run(planned.id), run(planned.id)])
  const sent = (await inbox.items(id)).filter((item) => item.kind === 'outbound')
  expect(sent).toMatchObject([{ id: message_id, author: { _id: inbox.user.id }, body: { text: 'Good morning' } }])
  expect(await inbox.find(id)).toMatchObject({ assignee: { _id: inbox.user.id }, unread: 0 })
  expect(await inbox.events(id)).toEqual(['reply_scheduled', 'assigned'])
})

test('a lost job is made up for, and two at once send one message', async () => {
  const id = await inbox.write(inbox.newPerson(), 'Hello')
  const { id: replyId } = (await schedule(id, later(600))).data()
  await inbox.server.database.ownerPool
    .query(`delete from graphile_worker.jobs where key = $1`, [`scheduled:${replyId}`])
    .catch(() =>
      inbox.server.database.ownerPool.query(`select graphile_worker.remove_job($1)`, [`scheduled:${replyId}`]),
    )
  await inbox.query(`update scheduled_replies set send_at = now() - interval '5 minutes' where id = $1`, [replyId])
  await Promise.all([enqueueOverdue(inbox.server.database), run(replyId), run(replyId)])
  await ended(replyId)
  expect(await inbox.query('select from single_sends where conversation_id = $1', [id])).toHaveLength(1)
})

test('an answer cancels it, unless it is to be sent anyway', async () => {
  const from = inbox.newPerson()
  const id = await inbox.write(from, 'Hello')
  const one = (await schedule(id, later(600))).data()
  const other = (await schedule(id, later(600), { words: 'In any case', endsOnAnswer: false })).data()
  await inbox.write(from, 'Never mind')
  expect(await stored(one.id)).toMatchObject({ result: 'answered' })
  expect(await stored(other.id)).toMatchObject({ result: null })
  expect(await cancellation(id)).toEqual({ reason: 'The person wrote first' })
  await makeDue(one.id)
  await run(one.id)
  expect(await inbox.query('select from single_sends where conversation_id = $1', [id])).toEqual([])
})

test('a member cancels it, once', async () => {
  const id = await inbox.write(inbox.newPerson(), 'Hello')
  const { id: replyId } = (await schedule(id, later(600))).data()
  const cancel = (as = inbox.colleague) => inbox.server.call('conversations.unschedule', { as, path: { id, replyId } })
  expect((await cancel(inbox.foreign)).status).toBe(404)
  expect((await cancel()).status).toBe(200)
  expect((await cancel()).body).toMatchObject({ message: 'This reply was already cancelled' })
  expect(
    (await inbox.server.call('conversations.unschedule', { as: inbox.user, path: { id, replyId: newId() } })).body,
  ).toMatchObject({ message: 'Scheduled reply not found' })
})

test('it is refused when the window is closed by then, and the thread says so', async () => {
  const from = inbox.newPerson()
  const id = await inbox.write(from, 'Hello')
  expect((await schedule(id, later(25 * 3600))).body).toMatchObject({
    details: [
      {
        field: 'sendAt',
        message: 'The 24-hour window is closed by then: choose an earlier time, or a template',
      },
    ],
  })
  const { id: replyId } = (await schedule(id, later(25 * 3600), { endsOnAnswer: false })).data()
  await makeDue(replyId)
  await inbox.query(`update service_windows set expires_at = now() - interval '1 second' where identity = $1`, [from])
  await run(replyId)
  expect(await stored(replyId)).toMatchObject({ result: 'outside_window' })
  expect(await cancellation(id)).toEqual({
    reason: 'Outside the 24-hour window: only approved templates can be sent',
  })
  const { scheduled } = await inbox.server.ask('conversations.get', { as: inbox.user, path: { id } })
  expect(scheduled).toMatchObject([{ id: replyId, result: 'outside_window', detail: expect.any(String) }])
})

test('it is refused when its author lost the conversation or the right to answer', async () => {
  const leaving = await buildUser(inbox.server.database, { parent: inbox.manager })
  const id = await inbox.write(inbox.newPerson(), 'Hello')
  const taken = (await schedule(id, later(600), { as: leaving })).data()
  const kept = (await schedule(id, later(600), { as: leaving })).data()
  await inbox.server.ask('conversations.change', {
    as: inbox.manager,
    path: { id },
    body: { assigneeId: inbox.user.id },
  })
  await makeDue(taken.id)
  await run(taken.id)
  expect(await stored(taken.id)).toMatchObject({ result: 'refused', detail: 'Conversation not found' })
  await inbox.query('delete from account_modules where account_id = $1', [leaving.id])
  await makeDue(kept.id)
  await run(kept.id)
  expect(await stored(kept.id)).toMatchObject({
    result: 'refused',
    detail: 'Its author cannot answer conversations any more',
  })
  expect(await inbox.query('select from single_sends where conversation_id = $1', [id])).toEqual([])
})

test('a reply that costs is refused without balance, and costs nothing', async () => {
  const id = await inbox.write(inbox.newPerson(), 'Hello')
  const { id: replyId } = (await schedule(id, later(600))).data()
  const card = newId()
  await inbox.query(`insert into rate_cards (organization_id, id, name) values ($1, $2, 'Dear')`, [
    inbox.manager.organizationId,
    card,
  ])
  await inbox.query(
    `insert into rates (organization_id, rate_card_id, channel, category, price) values ($1, $2, 'whatsapp', 'service', 100000000000)`,
    [inbox.manager.organizationId, card],
  )
  await makeDue(replyId)
  await run(replyId)
  expect(await stored(replyId)).toMatchObject({ result: 'refused', detail: expect.stringContaining('short') })
  await inbox.query('delete from rates where rate_card_id = $1', [card])
})

test('times and contents that cannot be planned are errors', async () => {
  const id = await inbox.write(inbox.newPerson(), 'Hello')
  expect((await schedule(id, later(-5))).body).toMatchObject({
    details: [{ field: 'sendAt', message: 'Choose a time in the future' }],
  })
  expect((await schedule(id, later(400 * 86_400))).body).toMatchObject({ details: [{ field: 'sendAt' }] })
  const [item] = await inbox.items(id)
  const reaction = { type: 'reaction' as const, to: item?.id ?? '', emoji: '👍' }
  expect(
    (
      await inbox.server.call('conversations.schedule', {
        as: inbox.user,
        path: { id },
        body: { content: reaction, sendAt: later(60) },
      })
    ).body,
  ).toMatchObject({ details: [{ field: 'content.type' }] })
})
