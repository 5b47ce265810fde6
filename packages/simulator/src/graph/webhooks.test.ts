import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Simulator, startSimulator } from '../index.ts'
import { demoAccount } from './demo-account.ts'
import { type Answer, graphClient, startWebhook } from './testing.ts'
import type { Row } from './objects.ts'

const [numberId] = demoAccount.phoneNumberIds
const person = '919812345678'
let simulator: Simulator
let webhook: Awaited<ReturnType<typeof startWebhook>>
let call: (line: string, body?: unknown) => Promise<Answer>

beforeEach(async () => {
  simulator = await startSimulator({ graph: { gapMs: [0, 1], webhookRetryMs: 10, throughput: 0 } })
  call = graphClient(simulator)
})
afterEach(async () => {
  await simulator.close()
  await webhook.close()
})

const write = (message: Row) => simulator.graph.control.write(person, { phoneNumberId: numberId, ...message })
const hello = {
  messaging_product: 'whatsapp',
  type: 'template',
  template: { name: 'hello_world', language: { code: 'en_US' } },
}

test('the handshake: a callback with the right response is accepted, any other is rejected', async () => {
  webhook = await startWebhook()
  const subscribe = (override_callback_uri: string, verify_token: string) =>
    call(`POST ${demoAccount.wabaId}/subscribed_apps`, { override_callback_uri, verify_token })
  expect(await subscribe(webhook.url, 'guess')).toMatchObject({ status: 400, body: { error: { code: 2200 } } })
  expect(await subscribe('http://127.0.0.1:1/', demoAccount.verifyToken)).toMatchObject({
    body: { error: { code: 2200 } },
  })
  expect(await subscribe(webhook.url, demoAccount.verifyToken)).toEqual({ status: 200, body: { success: true } })
  expect(webhook.handshakes.at(-1)?.get('hub.mode')).toBe('subscribe')
  expect((await call(`GET ${demoAccount.wabaId}/subscribed_apps`)).body).toMatchObject({
    data: [{ whatsapp_business_api_data: { id: demoAccount.appId }, override_callback_uri: webhook.url }],
  })
  write({ type: 'text', text: { body: 'Hi' } })
  await webhook.waitForMessages(1)
  expect((await call(`DELETE ${demoAccount.wabaId}/subscribed_apps`)).body).toEqual({ success: true })
  expect((await call(`GET ${demoAccount.wabaId}/subscribed_apps`)).body).toEqual({ data: [] })
})

test('a post is repeated until it is answered 200', async () => {
  webhook = await startWebhook((count) => [500, 204, 200][count - 1] ?? 200)
  await simulator.graph.control.setWebhook({ url: webhook.url })
  write({ type: 'text', text: { body: 'Hi' } })
  const posts = await webhook.waitForPosts(3)
  expect(new Set(posts.map(({ raw }) => raw.replaceAll(/"time":\d+/g, ''))).size).toBe(1)
  await expect
    .poll(() => simulator.graph.control.overview().webhooks)
    .toMatchObject({ waiting: 0, taken: 1, failedPosts: 2 })
})

test('concurrent events are sent together, each change separately or several statuses in one', async () => {
  webhook = await startWebhook()
  await simulator.graph.control.setWebhook({ url: webhook.url })
  simulator.graph.control.set({ webhookGatherMs: 200, statusesPerChange: 100 })
  await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      call(`POST ${numberId}/messages`, { ...hello, to: `+9198123400${index + 60}` }),
    ),
  )
  const statuses = await webhook.waitForStatuses(90)
  expect(statuses).toHaveLength(90)
  expect(webhook.posts.length).toBeLessThan(10)
  expect(webhook.changes().length).toBeLessThan(20)
})

test('non-ASCII characters are escaped, and the signature covers the escaped bytes', async () => {
  webhook = await startWebhook()
  await simulator.graph.control.setWebhook({ url: webhook.url })
  write({ type: 'text', text: { body: 'नमस्ते 👋' } })
  const [message] = await webhook.waitForMessages(1)
  expect(message?.text).toEqual({ body: 'नमस्ते 👋' })
  expect(webhook.posts[0]?.raw).toContain('\\u0928\\u092e')
  expect(webhook.posts[0]?.isSigned).toBe(true)
})

test.each<[string, Row, Row]>([
  [
    'text with a quote',
    { type: 'text', text: { body: 'Hi' }, context: { id: 'wamid.a', forwarded: true } },
    { context: { from: '918047181000', id: 'wamid.a', forwarded: true } },
  ],
  [
    'image',
    { type: 'image', image: { caption: 'Look' } },
    {
      image: {
        caption: 'Look',
        mime_type: 'image/png',
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        id: expect.stringMatching(/^\d+$/),
      },
    },
  ],
  ['video', { type: 'video' }, { video: { mime_type: 'video/mp4' } }],
  ['audio', { type: 'audio', audio: { voice: true } }, { audio: { voice: true } }],
  ['document', { type: 'document', document: { filename: 'a.pdf' } }, { document: { filename: 'a.pdf' } }],
  ['sticker', { type: 'sticker' }, { sticker: { animated: false } }],
  [
    'location',
    { type: 'location', location: { latitude: 1, longitude: 2 } },
    { location: { latitude: 1, longitude: 2 } },
  ],
  [
    'contacts',
    { type: 'contacts', contacts: [{ name: { formatted_name: 'Asha' } }] },
    { contacts: [{ name: { formatted_name: 'Asha' } }] },
  ],
  [
    'reaction',
    { type: 'reaction', reaction: { message_id: 'wamid.a', emoji: '👍' } },
    { reaction: { message_id: 'wamid.a', emoji: '👍' } },
  ],
  ['button', { type: 'button', button: { payload: 'p', text: 'Yes' } }, { button: { payload: 'p', text: 'Yes' } }],
  [
    'list reply',
    { type: 'interactive', interactive: { type: 'list_reply', list_reply: { id: 'r', title: 'Row' } } },
    { interactive: { list_reply: { id: 'r' } } },
  ],
  ['order', { type: 'order', order: { catalog_id: '1', product_items: [] } }, { order: { catalog_id: '1' } }],
  [
    'system',
    { type: 'system', system: { body: 'changed', wa_id: '1', type: 'user_changed_number' } },
    { system: { wa_id: '1' } },
  ],
  ['unsupported', { type: 'unsupported' }, { errors: [{ code: 131051 }] }],
])('a person sends: %s', async (_, message, expected) => {
  webhook = await startWebhook()
  await simulator.graph.control.setWebhook({ url: webhook.url })
  const { id } = write(message)
  expect(await webhook.waitForMessages(1)).toMatchObject([
    { from: person, id, type: message.type, timestamp: expect.stringMatching(/^\d{10}$/), ...expected },
  ])
  expect(webhook.changes()[0]?.contacts).toEqual([{ profile: { name: expect.any(String) }, wa_id: person }])
})

test('a person who hides the number is identified by the business-scoped id only', async () => {
  webhook = await startWebhook()
  await simulator.graph.control.setWebhook({ url: webhook.url })
  simulator.graph.control.describePerson(person, { userId: 'IN.1234', hidesNumber: true })
  write({ type: 'text', text: { body: 'Hi' } })
  const [message] = await webhook.waitForMessages(1)
  expect(message).toMatchObject({ from_user_id: 'IN.1234' })
  expect(message).not.toHaveProperty('from')
  const answer = await call(`POST ${numberId}/messages`, {
    messaging_product: 'whatsapp',
    recipient: 'IN.1234',
    type: 'text',
    text: { body: 'Hello' },
  })
  expect(answer.body.contacts).toEqual([{ input: 'IN.1234', user_id: 'IN.1234' }])
  const [status] = await webhook.waitForStatuses(3)
  expect(status).toMatchObject({ recipient_user_id: 'IN.1234' })
  expect(status).not.toHaveProperty('recipient_id')
})

test('taps, reactions, reading and blocking', async () => {
  webhook = await startWebhook()
  await simulator.graph.control.setWebhook({ url: webhook.url })
  simulator.graph.control.set({ readShare: 0 })
  write({ type: 'text', text: { body: 'Hi' } })
  const buttons = [{ type: 'reply', reply: { id: 'yes', title: 'Yes' } }]
  const answer = await call(`POST ${numberId}/messages`, {
    messaging_product: 'whatsapp',
    to: `+${person}`,
    type: 'interactive',
    interactive: { type: 'button', body: { text: 'Well?' }, action: { buttons } },
  })
  const [{ id } = { id: '' }] = answer.body.messages as { id: string }[]
  await webhook.waitForStatuses(2)
  expect(simulator.graph.control.read(person, {})).toEqual({ read: 1 })
  expect((await webhook.waitForStatuses(3)).at(-1)).toMatchObject({ id, status: 'read' })
  simulator.graph.control.tap(person, { messageId: id, button: 0 })
  simulator.graph.control.react(person, { messageId: id, emoji: '❤️' })
  expect((await webhook.waitForMessages(3)).slice(1)).toMatchObject([
    {
      type: 'interactive',
      context: { id },
      interactive: { type: 'button_reply', button_reply: { id: 'yes', title: 'Yes' } },
    },
    { type: 'reaction', reaction: { message_id: id, emoji: '❤️' } },
  ])
  simulator.graph.control.block(person, { phoneNumberId: numberId })
  await call(`POST ${numberId}/messages`, { ...hello, to: `+${person}` })
  expect((await webhook.waitForStatuses(4)).at(-1)).toMatchObject({ status: 'sent' })
})
