import { describe, expect, test } from 'vitest'
import { lineId, messages } from './webhook-testing.ts'

describe('an inbound message', () => {
  const contacts = [{ profile: { name: 'Asha' }, wa_id: '919812345678' }]
  const base = { from: '919812345678', id: 'wamid.IN', timestamp: '1750000000' }
  const media = { mime_type: 'image/jpeg', sha256: 'aa', id: '310000000000001' }

  test.each<[string, object, string, object | undefined]>([
    ['a text', { type: 'text', text: { body: 'Hi' } }, 'Hi', undefined],
    [
      'an image',
      { type: 'image', image: { ...media, caption: 'Look' } },
      'Look',
      { type: 'image', image: { id: media.id } },
    ],
    ['a video', { type: 'video', video: media }, '', { type: 'video', video: media }],
    [
      'a voice message',
      { type: 'audio', audio: { ...media, voice: true } },
      '',
      { type: 'audio', audio: { voice: true } },
    ],
    [
      'a document',
      { type: 'document', document: { ...media, filename: 'a.pdf' } },
      'a.pdf',
      { document: { filename: 'a.pdf' } },
    ],
    ['a sticker', { type: 'sticker', sticker: { ...media, animated: false } }, '', { type: 'sticker' }],
    [
      'a place',
      { type: 'location', location: { latitude: 1, longitude: 2, name: 'Fort' } },
      'Fort',
      { location: { latitude: 1, longitude: 2 } },
    ],
    [
      'contacts',
      { type: 'contacts', contacts: [{ name: { formatted_name: 'Ravi' } }] },
      'Ravi',
      { type: 'contacts', contacts: [{ name: { formatted_name: 'Ravi' } }] },
    ],
    ['a reaction', { type: 'reaction', reaction: { message_id: 'wamid.A', emoji: '👍' } }, '👍', { type: 'reaction' }],
    ['no reaction any more', { type: 'reaction', reaction: { message_id: 'wamid.A' } }, '', { type: 'reaction' }],
    [
      'a tap on a template',
      { type: 'button', button: { payload: 'p', text: 'Stop' } },
      'Stop',
      { type: 'button', button: { payload: 'p' } },
    ],
    [
      'a tap on a reply',
      { type: 'interactive', interactive: { type: 'button_reply', button_reply: { id: 'y', title: 'Yes' } } },
      'Yes',
      { type: 'interactive' },
    ],
    [
      'a choice of a list',
      {
        type: 'interactive',
        interactive: { type: 'list_reply', list_reply: { id: 'r', title: 'Row', description: 'd' } },
      },
      'Row',
      { type: 'interactive' },
    ],
    [
      'a form',
      {
        type: 'interactive',
        interactive: { type: 'nfm_reply', nfm_reply: { name: 'flow', body: 'Sent', response_json: '{}' } },
      },
      'Sent',
      { type: 'interactive' },
    ],
    [
      'an order',
      { type: 'order', order: { catalog_id: '1', text: 'Please', product_items: [] } },
      'Please',
      { type: 'order' },
    ],
    [
      'a new number',
      { type: 'system', system: { body: 'Changed', wa_id: '91', type: 'user_changed_number' } },
      'Changed',
      { type: 'system' },
    ],
    [
      'what Meta cannot show',
      { type: 'unsupported', errors: [{ code: 131051 }] },
      '',
      { type: 'unsupported', errors: [{ code: 131051 }] },
    ],
    [
      'what nobody knows yet',
      { type: 'hologram', hologram: { id: '1' } },
      '',
      { type: 'unsupported', givenType: 'hologram', given: { id: '1' } },
    ],
    ['nothing named', {}, '', { type: 'unsupported' }],
    [
      'a text from an advertisement',
      { type: 'text', text: { body: 'Hi' }, referral: { source_id: '9' } },
      'Hi',
      { type: 'text', referral: { source_id: '9' } },
    ],
  ])('%s', (_, message, text, content) => {
    const [event, ...more] = messages({ contacts, messages: [{ ...base, ...message }] })
    expect(more).toEqual([])
    expect(event).toMatchObject({
      kind: 'inbound-message',
      from: '919812345678',
      to: '918047181000',
      text,
      dedupeKey: 'wamid.IN',
      identity: { id: '919812345678', name: 'Asha' },
      at: new Date(1_750_000_000_000),
      lineId,
    })
    if (content) expect(event).toMatchObject({ content })
    else expect(event).not.toHaveProperty('content')
  })

  test('in reply or in reaction to an outbound message', () => {
    const text = { ...base, type: 'text', text: { body: 'Hi' }, context: { from: '918047181000', id: 'wamid.A' } }
    const reaction = { ...base, type: 'reaction', reaction: { message_id: 'wamid.B', emoji: '👍' } }
    expect(messages({ contacts, messages: [text, reaction] })).toMatchObject([
      { inReplyTo: 'wamid.A' },
      { inReplyTo: 'wamid.B' },
    ])
  })

  test('an edited or a deleted message names the earlier one', () => {
    const edited = { context: { id: 'wamid.Z' }, type: 'text', text: { body: 'Hello' } }
    const edit = { ...base, type: 'edit', edit: { original_message_id: 'wamid.A', message: edited } }
    const caption = { type: 'image', image: { ...media, caption: 'Look' } }
    const recaption = { ...base, type: 'edit', edit: { original_message_id: 'wamid.B', message: caption } }
    const revoke = { ...base, type: 'revoke', revoke: { original_message_id: 'wamid.C' } }
    expect(messages({ contacts, messages: [edit, recaption, revoke] })).toMatchObject([
      { inReplyTo: 'wamid.A', text: 'Hello', content: { type: 'edit' }, isAction: true },
      { inReplyTo: 'wamid.B', text: 'Look', content: { type: 'edit' }, isAction: true },
      { inReplyTo: 'wamid.C', text: '', content: { type: 'revoke' }, isAction: true },
    ])
  })

  test('without a number: identified by the business-scoped id', () => {
    const message = {
      from_user_id: 'IN.1234',
      id: 'wamid.IN',
      timestamp: '1750000000',
      type: 'text',
      text: { body: 'Hi' },
    }
    const hidden = [{ profile: { name: 'Asha', username: 'asha.k' }, user_id: 'IN.1234' }]
    expect(messages({ contacts: hidden, messages: [message] })).toMatchObject([
      { from: '', identity: { id: 'IN.1234', name: 'Asha', username: 'asha.k' }, text: 'Hi' },
    ])
  })
})
