import { MessageBody } from '@carillon/contract/conversation-records'
import { expect, test } from 'vitest'
import { getChannel } from './index.ts'

const whatsapp = (content: unknown, text = '') => getChannel('whatsapp').readBody({ text, content })
const rcs = (content: unknown, text = '') => getChannel('rcs').readBody({ text, content })

test.each([
  ['a text', undefined, 'Hello', { type: 'text', text: 'Hello' }],
  [
    'a forwarded text',
    { type: 'text', context: { forwarded: true } },
    'Hello',
    { type: 'text', text: 'Hello', isForwarded: true },
  ],
  [
    'a document without a caption',
    { type: 'document', document: { id: '1', mime_type: 'application/pdf', filename: 'bill.pdf', size: 12 } },
    'bill.pdf',
    {
      type: 'document',
      text: '',
      media: { state: 'waiting', mimeType: 'application/pdf', name: 'bill.pdf', sizeBytes: 12 },
    },
  ],
  [
    'a location',
    { type: 'location', location: { latitude: 18.5, longitude: 73.8, name: 'Shop' } },
    'Shop',
    { type: 'location', text: 'Shop', location: { latitude: 18.5, longitude: 73.8, name: 'Shop' } },
  ],
  [
    'contacts',
    { type: 'contacts', contacts: [{ name: { formatted_name: 'Asha' }, phones: [{ phone: '+91 98' }, {}] }] },
    'Asha',
    { type: 'contact', text: 'Asha', contacts: [{ name: 'Asha', phoneNumbers: ['+91 98'] }] },
  ],
  [
    'a reaction that was removed',
    { type: 'reaction', reaction: { message_id: 'wamid.1' } },
    '',
    { type: 'reaction', text: '', reaction: '' },
  ],
  [
    'the tap on a list',
    { type: 'interactive', interactive: { type: 'list_reply', list_reply: { id: '1', title: 'Blue' } } },
    'Blue',
    { type: 'button_reply', text: 'Blue' },
  ],
  [
    'the answers of a form',
    {
      type: 'interactive',
      interactive: {
        type: 'nfm_reply',
        nfm_reply: { body: 'Sent', response_json: '{"flow_token":"secret","first_name":"Asha","age":7,"more":{}}' },
      },
    },
    'Sent',
    { type: 'form_reply', text: 'first name: Asha\nage: 7' },
  ],
  [
    'an order',
    { type: 'order', order: { product_items: [{ product_retailer_id: 'tea', quantity: 2 }] } },
    '',
    { type: 'order', text: '2 × tea' },
  ],
  [
    'reply buttons that were sent',
    {
      type: 'interactive',
      interactive: {
        type: 'button',
        header: { type: 'text', text: 'Order' },
        body: { text: 'Shall we?' },
        action: { buttons: [{ type: 'reply', reply: { id: 'y', title: 'Yes' } }] },
      },
    },
    'Shall we?',
    {
      type: 'interactive',
      text: 'Shall we?',
      header: 'Order',
      footer: undefined,
      buttons: [{ kind: 'reply', text: 'Yes' }],
    },
  ],
  [
    'an edited text',
    { type: 'edit', edit: { message: { type: 'text', text: { body: 'New' } } } },
    'New',
    { type: 'text', text: 'New' },
  ],
])('WhatsApp: %s', (_, content, text, body) => {
  expect(whatsapp(content, text)).toEqual(body)
})

test('WhatsApp: a template with its frozen leg shows all its parts', () => {
  const leg = {
    template: {
      name: 'order',
      language: 'en',
      content: {
        header: { type: 'HEADER', format: 'TEXT', text: 'Hi {{1}}' },
        body: 'Your order {{1}} left.',
        footer: 'Reply STOP to opt out',
        buttons: [
          { type: 'QUICK_REPLY', text: 'Thanks' },
          { type: 'URL', text: 'Track', url: 'https://shop.example/{{1}}' },
        ],
      },
    },
    values: { header: { fallback: 'Asha' }, body: [{ fallback: '12' }], urls: [{ fallback: '12' }] },
  }
  const body = {
    type: 'template',
    text: 'Your order 12 left.',
    header: 'Hi Asha',
    footer: 'Reply STOP to opt out',
    buttons: [
      { kind: 'reply', text: 'Thanks' },
      { kind: 'url', text: 'Track' },
    ],
  }
  expect(whatsapp({ type: 'template', leg }, 'ignored')).toEqual(body)
  expect(getChannel('whatsapp').readLegBody(leg, { cells: [], columns: [] })).toEqual(body)
  expect(whatsapp({ type: 'template', template: { name: 'order' } }, 'As sent')).toEqual({
    type: 'template',
    text: 'As sent',
  })
})

test.each([
  ['a tap', { type: 'button', button: { text: 'Yes', type: 'REPLY' } }, 'Yes', { type: 'button_reply', text: 'Yes' }],
  [
    'a file',
    { type: 'image', image: { link: 'https://rcs.example/1', mime_type: 'image/png' } },
    '',
    { type: 'image', text: '', media: { state: 'waiting', mimeType: 'image/png' } },
  ],
  [
    'a card that was sent',
    {
      type: 'rcs',
      message: {
        richCard: {
          standaloneCard: {
            cardContent: {
              title: 'Sale',
              description: 'Today',
              suggestions: [{ action: { text: 'Open', openUrlAction: { url: 'https://shop.example' } } }],
            },
          },
        },
        suggestions: [{ reply: { text: 'Stop', postbackData: 'stop' } }],
      },
    },
    '',
    {
      type: 'card',
      text: '',
      cards: [{ title: 'Sale', text: 'Today', buttons: [{ kind: 'url', text: 'Open' }] }],
      buttons: [{ kind: 'reply', text: 'Stop' }],
    },
  ],
])('RCS: %s', (_, content, text, body) => {
  expect(rcs(content, text)).toEqual(body)
})

test('RCS: the text of a template with the values of a row', () => {
  const content = { type: 'text_message', textMessageContent: 'Hi {{name}}, {{day}}' }
  const leg = {
    template: { name: 'hi', category: 'PROMOTION', content },
    values: { variables: [{ column: 0 }, { column: 1 }] },
  }
  expect(getChannel('rcs').readLegBody(leg, { cells: ['Asha'], columns: ['name'] })).toEqual({
    type: 'text',
    text: 'Hi Asha, {{day}}',
  })
})

const types = ['text', 'image', 'document', 'location', 'contacts', 'reaction', 'interactive', 'template', 'order']
const oddTypes = [...types, 'button', 'system', 'edit', 'revoke', 'unsupported', 'rcs', '__proto__', 'constructor', 7]
const oddValues = [null, 7, '', 'x'.repeat(9000), '\u0301'.repeat(4096), '\ud800', [], [[null]], {}, { text: [] }]
const oddFields = oddValues.map((value) => ({
  body: value,
  type: value,
  message: value,
  emoji: value,
  latitude: value,
  longitude: 1e300,
  action: value,
  nfm_reply: value,
  product_items: [value, { quantity: value }],
  caption: value,
  filename: value,
  size: value,
  buttons: [value, { reply: value }],
  parameters: value,
  header: value,
  response_json: value,
  text: value,
}))

test.each(['sms', 'rcs', 'whatsapp'] as const)('%s: any content can be shown', (channel) => {
  const { readBody } = getChannel(channel)
  for (const type of oddTypes) {
    for (const fields of [...oddValues, ...oddFields]) {
      const content = { type, [String(type)]: fields, message: fields, contacts: fields, context: fields, leg: fields }
      const body = readBody({ text: '\u0301'.repeat(5000), content })
      expect(MessageBody.parse(body)).toEqual(body)
      expect(JSON.stringify(body).length).toBeLessThan(20_000)
    }
  }
  for (const content of oddValues) expect(readBody({ text: 'Hello', content }).text).toBe('Hello')
})
