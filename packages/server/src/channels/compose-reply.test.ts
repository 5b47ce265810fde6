import type { Channel } from '@carillon/contract/channels'
import { describe, expect, test } from 'vitest'
import type { FreeReply, ReplyFile } from './replies.ts'
import { getChannel } from './index.ts'

const publicUrl = 'https://carillon.example'
const compose = (channel: Channel, reply: FreeReply) => getChannel(channel).composeReply(reply, { publicUrl })
const text = (words: string): FreeReply => ({ type: 'text', text: words })
const file = (mimeType: string, more: Partial<ReplyFile> = {}): ReplyFile => ({
  id: 'file-1',
  name: 'a.bin',
  mimeType,
  sizeBytes: 1000,
  ...more,
})
const media = (mimeType: string, caption = '', more: Partial<ReplyFile> = {}): FreeReply => ({
  type: 'media',
  file: file(mimeType, more),
  caption,
})

test.each<[Channel, string, string]>([
  ['sms', 'Yes', 'service_implicit'],
  ['rcs', 'Yes', 'basic'],
  ['rcs', 'x'.repeat(161), 'single'],
  ['whatsapp', 'Yes', 'service'],
])('a text over %s is sent as it is, in its price category', (channel, words, category) => {
  expect(compose(channel, text(words))).toEqual({ text: words, category })
})

test.each<[Channel, FreeReply, string, string]>([
  ['sms', text('x'.repeat(1601)), 'text', 'An SMS may have 1600 characters at most'],
  ['sms', media('image/png'), 'type', 'SMS carries text only'],
  ['sms', { type: 'reaction', messageId: 'm', emoji: '👍' }, 'type', 'SMS carries text only'],
  ['rcs', text('x'.repeat(3073)), 'text', 'An RCS message may have 3072 characters at most'],
  ['rcs', media('audio/ogg'), 'fileId', 'RCS shows images (JPEG, PNG, GIF), videos (MP4) and PDF documents'],
  ['rcs', media('image/png', '', { sizeBytes: 3_000_000 }), 'fileId', 'An image may have 2 MB at most'],
  ['rcs', { type: 'reaction', messageId: 'm', emoji: '👍' }, 'type', 'RCS has no reactions'],
  ['whatsapp', text('x'.repeat(4097)), 'text', 'A WhatsApp message may have 4096 characters at most'],
  ['whatsapp', media('image/webp', 'Hi'), 'caption', 'A sticker has no caption'],
  ['whatsapp', media('video/mp4', '', { sizeBytes: 17_000_000 }), 'fileId', 'A video may have 16 MB at most'],
])('over %s %j is refused at its field', (channel, reply, field, problem) => {
  expect(compose(channel, reply)).toEqual({ field, problem })
})

test.each([
  ['image/jpeg', 'image', {}],
  ['image/webp', 'sticker', {}],
  ['video/3gpp', 'video', {}],
  ['audio/ogg', 'audio', {}],
  ['application/pdf', 'document', { filename: 'a.bin' }],
])('over WhatsApp a file of the type %s is a message of the type %s', (mimeType, type, more) => {
  const written = compose('whatsapp', media(mimeType))
  if (!('content' in written)) throw new Error('No message was written')
  const details = { content: written.content }
  expect(getChannel('whatsapp').compileSingle({ header: '', text: '', details })).toMatchObject({
    content: { type, [type]: { fileId: 'file-1', ...more } },
  })
  expect(getChannel('whatsapp').readBody({ text: '', content: written.content })).toMatchObject({
    type,
    media: { fileId: 'file-1', mimeType },
  })
})

test('a reaction names its message itself, and quotes nothing', () => {
  const written = compose('whatsapp', { type: 'reaction', messageId: 'wamid.1', emoji: '👍' })
  if (!('content' in written)) throw new Error('No message was written')
  const details = { content: written.content, inReplyTo: 'wamid.1' }
  expect(getChannel('whatsapp').compileSingle({ header: '', text: '', details })).toEqual({
    parts: 1,
    content: { type: 'reaction', reaction: { message_id: 'wamid.1', emoji: '👍' } },
  })
})

test('over RCS a file is a card with a public URL', () => {
  const written = compose('rcs', media('image/png', 'Our shop'))
  if (!('content' in written)) throw new Error('No message was written')
  const details = { content: written.content }
  expect(getChannel('rcs').compileSingle({ header: '', text: 'Our shop', details })).toMatchObject({
    traffic: 'SERVICEREQUEST',
    content: {
      richCard: {
        standaloneCard: {
          cardContent: {
            description: 'Our shop',
            media: { contentInfo: { fileUrl: `${publicUrl}/api/v1/rcs/template-media/file-1` } },
          },
        },
      },
    },
  })
})

describe('values of a template', () => {
  const whatsapp = (content: object, values: Record<string, string>, facts: unknown = {}) =>
    getChannel('whatsapp').replyValues({ content, facts }, values)

  test('of the body, the header, the buttons and the cards are found by name', () => {
    const content = {
      header: { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}' },
      body: 'For {{2}} and {{1}}',
      buttons: [
        { type: 'QUICK_REPLY', text: 'Stop' },
        { type: 'URL', text: 'Track', url: 'https://a.example/{{1}}' },
        { type: 'COPY_CODE', sample: 'X' },
      ],
      cards: [
        {
          header: { type: 'HEADER', format: 'IMAGE', handle: '' },
          body: 'Card of {{1}}',
          buttons: [{ type: 'URL', text: 'Open', url: 'https://a.example/{{1}}' }],
        },
      ],
    }
    const values = {
      'header.text': '77',
      '1': 'one',
      '2': 'two',
      'button.2': 'o/77',
      'button.3': 'CODE',
      'card.1.media': 'https://a.example/a.png',
      'card.1.1': 'Asha',
      'card.1.button.1': 'o/1',
    }
    expect(whatsapp(content, values)).toEqual({
      values: {
        header: { fallback: '77' },
        body: [{ fallback: 'one' }, { fallback: 'two' }],
        urls: [{ fallback: 'o/77' }],
        copyCode: { fallback: 'CODE' },
        cards: [
          { media: { link: 'https://a.example/a.png' }, body: [{ fallback: 'Asha' }], urls: [{ fallback: 'o/1' }] },
        ],
      },
    })
    for (const name of Object.keys(values))
      expect(whatsapp(content, { ...values, [name]: ' ' })).toEqual({ missing: name })
  })

  test('the media of a header are those of its review, unless others are given', () => {
    const content = {
      header: { type: 'HEADER', format: 'IMAGE', handle: 'h', fileId: '0199aaaa-0000-7000-8000-000000000001' },
    }
    expect(whatsapp(content, {})).toMatchObject({
      values: { media: { fileId: '0199aaaa-0000-7000-8000-000000000001' } },
    })
    expect(whatsapp(content, { 'header.media': 'other' })).toMatchObject({ values: { media: { fileId: 'other' } } })
    expect(whatsapp({ header: { ...content.header, fileId: undefined } }, {})).toEqual({ missing: 'header.media' })
  })

  test('of other channels have the names of their variables', () => {
    const sms = {
      header: 'ACMEIN',
      body: 'Hello {#var#}',
      variables: [{ name: 'customer', kind: 'var', sample: '' }],
      encoding: 'gsm7',
      parts: 1,
      worstParts: 1,
    }
    const reply = (values: Record<string, string>) => getChannel('sms').replyValues({ content: sms, facts: {} }, values)
    expect(reply({ customer: 'Asha' })).toEqual({ values: { variables: [{ fallback: 'Asha' }] } })
    expect(reply({})).toEqual({ missing: 'customer' })
  })
})
