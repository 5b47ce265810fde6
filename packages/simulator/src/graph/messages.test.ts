import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { demoAccount } from './demo-account.ts'
import { type Business, graphClient, startBusiness, helloWorld, messageIdOf, person } from './testing.ts'
import type { Row } from './objects.ts'

const [numberId] = demoAccount.phoneNumberIds
let business: Business

beforeEach(async () => {
  business = await startBusiness({ gapMs: [1, 5] })
})
afterEach(() => business.close())

const writes = (text = 'Hi') =>
  business.control.write(person, { phoneNumberId: numberId, type: 'text', text: { body: text } })

test('a template is accepted, shown on the phone, and reported sent, delivered and read with a signature', async () => {
  const answer = await business.send({ ...helloWorld, biz_opaque_callback_data: 'm_1' })
  expect(answer).toEqual({
    status: 200,
    body: {
      messaging_product: 'whatsapp',
      contacts: [{ input: `+${person}`, wa_id: person }],
      messages: [{ id: expect.stringMatching(/^wamid\./), message_status: 'accepted' }],
    },
  })
  const statuses = await business.webhook.waitForStatuses(3)
  const about = { id: messageIdOf(answer), recipient_id: person, biz_opaque_callback_data: 'm_1' }
  const pricing = { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' }
  expect(statuses).toEqual([
    { ...about, status: 'sent', timestamp: expect.stringMatching(/^\d{10}$/), pricing },
    { ...about, status: 'delivered', timestamp: expect.any(String), pricing },
    { ...about, status: 'read', timestamp: expect.any(String) },
  ])
  expect(business.webhook.posts.every(({ isSigned }) => isSigned)).toBe(true)
  expect(business.webhook.posts[0]?.body).toMatchObject({
    object: 'whatsapp_business_account',
    entry: [{ id: demoAccount.wabaId }],
  })
  expect(business.webhook.changes()[0]).toMatchObject({
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: '918047181000', phone_number_id: numberId },
  })
  expect(business.received()).toMatchObject([
    {
      channel: 'whatsapp',
      via: 'graph',
      id: messageIdOf(answer),
      peer: numberId,
      account: demoAccount.wabaId,
      reference: 'm_1',
      text: 'Hello World\nYour account is set up and this is its first message.\nA sample from the simulator',
      content: { type: 'template', header: { kind: 'text', text: 'Hello World' }, template: { name: 'hello_world' } },
    },
  ])
})

test('up to v23 a report contains the conversation, from v24 it does not', async () => {
  const old = graphClient(business.simulator, { version: 'v23.0' })
  await old(`POST ${numberId}/messages`, { messaging_product: 'whatsapp', to: `+${person}`, ...helloWorld })
  const [sent, delivered] = await business.webhook.waitForStatuses(3)
  expect(sent).toMatchObject({
    conversation: { id: expect.any(String), expiration_timestamp: expect.any(String), origin: { type: 'utility' } },
  })
  expect(delivered?.conversation).toEqual({ id: expect.any(String), origin: { type: 'utility' } })
})

describe('the 24 hours', () => {
  test('a free-form message outside them is accepted, and fails later with 131047', async () => {
    expect((await business.send({ type: 'text', text: { body: 'Hello' } })).status).toBe(200)
    expect(await business.webhook.waitForStatuses(1)).toMatchObject([
      {
        status: 'failed',
        errors: [{ code: 131047, title: 'Re-engagement message', error_data: { details: expect.any(String) } }],
      },
    ])
    expect(business.received()).toEqual([])
  })

  test('a free-form message inside them is free', async () => {
    writes()
    await business.send({ type: 'text', text: { body: 'Hello' } })
    const [sent] = await business.webhook.waitForStatuses(3)
    expect(sent?.pricing).toEqual({
      billable: false,
      pricing_model: 'PMP',
      type: 'free_customer_service',
      category: 'service',
    })
    expect(business.received()).toMatchObject([{ text: 'Hello' }])
  })

  test('a reply to a person from an advertisement is a free entry point', async () => {
    const referral = { source_type: 'ad', source_id: '1', source_url: 'https://fb.me/1' }
    business.control.write(person, { phoneNumberId: numberId, type: 'text', text: { body: 'Hi' }, referral })
    await business.send({ type: 'text', text: { body: 'Hello' } })
    const [sent] = await business.webhook.waitForStatuses(3)
    expect(sent?.pricing).toMatchObject({ type: 'free_entry_point', category: 'referral_conversion' })
    expect(business.webhook.messages()[0]).toMatchObject({ referral })
  })
})

const picture = { link: 'https://example.com/a.png' }
const button = (id: string, title = id) => ({ type: 'reply', reply: { id, title } })
const interactive = (fields: Row) => ({ type: 'interactive', interactive: { body: { text: 'Pick' }, ...fields } })
const rows = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `r${index}`, title: `Row ${index}` }))

test.each<[string, Row, Row]>([
  ['text', { type: 'text', text: { body: 'Hi *you*' } }, { body: 'Hi *you*' }],
  [
    'image',
    { type: 'image', image: { ...picture, caption: 'Look' } },
    { body: 'Look', media: { kind: 'image', ...picture } },
  ],
  ['video', { type: 'video', video: picture }, { media: { kind: 'video' } }],
  ['audio', { type: 'audio', audio: { ...picture, voice: true } }, { media: { kind: 'audio', voice: true } }],
  ['document', { type: 'document', document: { ...picture, filename: 'a.pdf' } }, { media: { fileName: 'a.pdf' } }],
  ['sticker', { type: 'sticker', sticker: picture }, { media: { kind: 'sticker' } }],
  [
    'location',
    { type: 'location', location: { latitude: 12.9, longitude: 77.6, name: 'Shop' } },
    { place: { name: 'Shop' } },
  ],
  [
    'contacts',
    { type: 'contacts', contacts: [{ name: { formatted_name: 'Asha' }, phones: [{ phone: '+911' }] }] },
    { contacts: [{ name: 'Asha', phones: ['+911'] }] },
  ],
  ['a reaction', { type: 'reaction', reaction: { message_id: 'wamid.x', emoji: '👍' } }, { reaction: { emoji: '👍' } }],
  [
    'buttons',
    interactive({
      type: 'button',
      header: { type: 'image', image: picture },
      footer: { text: 'Soon' },
      action: { buttons: [button('yes'), button('no')] },
    }),
    {
      body: 'Pick',
      footer: 'Soon',
      header: { kind: 'media' },
      buttons: [{ kind: 'reply', text: 'yes', payload: 'yes' }, {}],
    },
  ],
  [
    'a list',
    interactive({ type: 'list', action: { button: 'Choose', sections: [{ rows: rows(3) }] } }),
    { list: { button: 'Choose', sections: [{ rows: rows(3) }] } },
  ],
  [
    'a link',
    interactive({
      type: 'cta_url',
      action: { name: 'cta_url', parameters: { display_text: 'Open', url: 'https://a.in' } },
    }),
    { buttons: [{ kind: 'url', text: 'Open', url: 'https://a.in' }] },
  ],
  [
    'a flow',
    interactive({
      type: 'flow',
      action: {
        name: 'flow',
        parameters: { flow_message_version: '3', flow_id: '1', flow_cta: 'Book', flow_token: 't' },
      },
    }),
    { buttons: [{ kind: 'flow', payload: 't' }] },
  ],
  [
    'a request for a place',
    interactive({ type: 'location_request_message', action: { name: 'send_location' } }),
    { buttons: [{ kind: 'location' }] },
  ],
])('%s reaches the phone', async (_, message, content) => {
  writes()
  expect((await business.send(message)).status).toBe(200)
  expect(business.received()).toMatchObject([{ content }])
})

test.each<[string, Row, number, string?]>([
  ['no messaging_product', { messaging_product: undefined, ...helloWorld }, 100],
  ['no number', { to: undefined, ...helloWorld }, 100],
  ['text instead of a number', { to: 'Asha', ...helloWorld }, 131009],
  ['its own number', { to: '+918047181000', ...helloWorld }, 131021],
  ['an unknown type', { type: 'poem' }, 100],
  ['a text without body', { type: 'text', text: {} }, 131008],
  ['a text beyond 4096', { type: 'text', text: { body: 'x'.repeat(4097) } }, 131009],
  ['a caption beyond 1024', { type: 'image', image: { ...picture, caption: 'x'.repeat(1025) } }, 131009],
  ['unknown media', { type: 'image', image: { id: '123' } }, 100],
  ['media without source', { type: 'image', image: {} }, 100],
  ['a place off the earth', { type: 'location', location: { latitude: 91, longitude: 0 } }, 131009],
  ['a contact without name', { type: 'contacts', contacts: [{ name: {} }] }, 131008],
  [
    'four buttons',
    interactive({ type: 'button', action: { buttons: ['a', 'b', 'c', 'd'].map((id) => button(id)) } }),
    131009,
  ],
  [
    'two buttons of one id',
    interactive({ type: 'button', action: { buttons: [button('a', 'A'), button('a', 'B')] } }),
    131009,
  ],
  ['a title beyond 20', interactive({ type: 'button', action: { buttons: [button('a', 'x'.repeat(21))] } }), 131009],
  [
    'eleven rows',
    interactive({
      type: 'list',
      action: {
        button: 'B',
        sections: [
          { title: 'A', rows: rows(6) },
          { title: 'B', rows: rows(5) },
        ],
      },
    }),
    131009,
  ],
  [
    'a picture above a list',
    interactive({
      type: 'list',
      header: { type: 'image', image: picture },
      action: { button: 'B', sections: [{ rows: rows(1) }] },
    }),
    131009,
  ],
  [
    'a footer beyond 60',
    interactive({ type: 'button', footer: { text: 'x'.repeat(61) }, action: { buttons: [button('a')] } }),
    131009,
  ],
  [
    'a link to nowhere',
    interactive({ type: 'cta_url', action: { name: 'cta_url', parameters: { display_text: 'A', url: 'ftp://a' } } }),
    131009,
  ],
  ['an unknown template', { type: 'template', template: { name: 'nothing', language: { code: 'en' } } }, 132001],
  ['another language', { type: 'template', template: { name: 'hello_world', language: { code: 'hi' } } }, 132001],
])('%s is rejected', async (_, message, code) => {
  writes()
  const answer = await business.send(message)
  expect(answer.body).toMatchObject({ error: { code, type: 'OAuthException', fbtrace_id: expect.any(String) } })
  expect(answer.status).toBe(code === 132001 ? 404 : 400)
  expect(business.received()).toEqual([])
})

test('read receipts and typing indicators', async () => {
  const { id } = writes()
  const read = { messaging_product: 'whatsapp', status: 'read', message_id: id }
  expect(await business.call(`POST ${numberId}/messages`, { ...read, typing_indicator: { type: 'text' } })).toEqual({
    status: 200,
    body: { success: true },
  })
  expect(business.control.showPerson(person).numbers[0]?.isTyping).toBe(true)
  expect((await business.call(`POST ${numberId}/messages`, { ...read, message_id: 'wamid.none' })).body).toMatchObject({
    error: { code: 100 },
  })
})

test('calls without a token, with a wrong one, or outside its scope', async () => {
  const url = `${business.simulator.graph.baseUrl}/v25.0/${numberId}/messages`
  expect((await (await fetch(url, { method: 'POST' })).json()).error.code).toBe(104)
  expect(
    (await graphClient(business.simulator, { token: 'guess' })(`POST ${numberId}/messages`, {})).body,
  ).toMatchObject({
    error: { code: 190 },
  })
  expect((await fetch(`${url}?access_token=${demoAccount.token}`, { method: 'POST' })).status).toBe(400)
  expect((await business.call('POST 999/messages', {})).body).toMatchObject({ error: { code: 100, error_subcode: 33 } })
  expect((await business.call('POST nobody/messages', {})).body).toMatchObject({
    error: { code: 803, type: 'GraphMethodException' },
  })
  expect((await business.call(`GET ${numberId}/poems`)).body).toMatchObject({ error: { code: 100 } })
  expect((await fetch(`${business.simulator.graph.baseUrl}/latest/${numberId}`)).status).toBe(404)
})
