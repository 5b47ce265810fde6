import type { FailedStatus } from '@carillon/contract/realtime'
import { io, type Socket } from 'socket.io-client'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import type { Account } from '../../../testing/builders.ts'
import { until } from '../../../testing/until.ts'
import { buildWhatsappInbox, type WhatsappInbox } from '../../../testing/whatsapp-inbox.ts'

let inbox: WhatsappInbox
const open: Socket[] = []

beforeAll(async () => {
  inbox = await buildWhatsappInbox()
})
afterEach(() => {
  for (const socket of open.splice(0)) socket.disconnect()
})
afterAll(() => inbox.close())

async function connect(account: Account) {
  const socket = io(inbox.server.url, { transports: ['websocket'], query: { token: account.token }, forceNew: true })
  open.push(socket)
  const failures: FailedStatus[] = []
  socket.on('failedStatus', (failed: FailedStatus) => failures.push(failed))
  await new Promise<void>((resolve) => socket.on('connect', resolve))
  return { failures, emit: (frame: object) => socket.emit('message', JSON.stringify(frame)) }
}

async function newChat() {
  const from = inbox.newPerson()
  const chatId = await inbox.write(from, 'Hello')
  const object = (body: string, clientId = newId()) => ({ type: 'text', text: { body }, clientId })
  const frame = { phoneNumber: `+${from}`, chatId, channel: 'whatsapp', messageType: 'text' }
  const sent = async () =>
    (await inbox.items(chatId)).flatMap((item) => (item.kind === 'outbound' ? [item.body.text] : []))
  return { chatId, frame, object, sent }
}

test('a message of the specification’s client is sent once, however often it arrives', async () => {
  const { frame, object, sent } = await newChat()
  const { emit, failures } = await connect(inbox.user)
  const messageObject = object('From the socket')
  emit({ ...frame, messageObject, text: 'From the socket' })
  emit({ ...frame, messageObject, text: 'From the socket' })
  emit({ phoneNumber: frame.phoneNumber, chatId: frame.chatId, channel: frame.channel, messageObject: object('Short') })
  await until(async () => (await sent()).length === 2, 'the messages')
  expect(await sent()).toEqual(['From the socket', 'Short'])
  expect(failures).toEqual([])
})

test('one that does not agree with its conversation, or is refused, comes back with the reason', async () => {
  const { chatId, frame, object, sent } = await newChat()
  const { emit, failures } = await connect(inbox.user)
  const messageObject = object('Hi', 'client-1-of-browser')
  const reasons = async (...frames: object[]) => {
    const before = failures.length
    for (const one of frames) emit(one)
    await until(() => failures.length === before + frames.length, 'the refusals')
    return failures.slice(before).map(({ reason }) => reason)
  }
  expect(
    await reasons(
      { ...frame, messageObject, phoneNumber: '+919800000000' },
      { ...frame, messageObject, channel: 'sms' },
      { ...frame, messageObject, chatId: newId() },
      { ...frame, messageObject, chatId: 'not an id' },
      { ...frame, messageObject: {}, text: ' ' },
      { ...frame, messageObject: { fileId: 'x' }, messageType: 'media' },
    ),
  ).toEqual([
    'This conversation is with another number or channel',
    'This conversation is with another number or channel',
    'Conversation not found',
    'Conversation not found',
    'Write a message',
    expect.any(String),
  ])
  expect(failures[0]).toMatchObject({ chatId, clientId: 'client-1-of-browser', channel: 'whatsapp' })
  await inbox.query(`update service_windows set expires_at = now() - interval '1 second'`)
  expect(await reasons({ ...frame, messageObject })).toEqual([
    'Outside the 24-hour window: only approved templates can be sent',
  ])
  expect(await sent()).toEqual([])
  const stranger = await connect(inbox.foreign)
  stranger.emit({ ...frame, messageObject })
  await until(() => stranger.failures.length === 1, 'the refusal')
  expect(stranger.failures).toMatchObject([{ reason: 'Conversation not found' }])
})
