import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { summarizeRcs } from './channels/rcs/rcs-message-traits.ts'
import { RcsTemplateContent } from './channels/rcs/rcs-templates.ts'
import { summarizeSms } from './channels/sms/sms-message-traits.ts'
import { summarizeWhatsapp } from './channels/whatsapp/whatsapp-message-traits.ts'
import { WhatsappTemplateContent } from './channels/whatsapp/whatsapp-templates.ts'
import { findLosses, findRichest, lossKinds } from './message-losses.ts'
import { ButtonKind, TextFormat, type MessageTraits } from './message-traits.ts'
import { traitsOfText } from './plain-traits.ts'

const plain = (more: Partial<MessageTraits> = {}): MessageTraits => ({ ...traitsOfText('Hello', []), ...more })
const labels = (from: MessageTraits, to: MessageTraits) => findLosses(from, to).map(({ label }) => label)
const button = (kind: ButtonKind, target = '') => ({ kind, text: kind, target })
const page = button('url', 'https://www.acme.in/t/{{1}}')

describe('what is lost', () => {
  test.each<[string, Partial<MessageTraits>, Partial<MessageTraits>, string[]]>([
    ['an image', { images: 1 }, {}, ['Image dropped']],
    ['a video for an image', { videos: 1 }, { images: 1 }, ['Video dropped']],
    ['cards', { cards: 3 }, {}, ['3 cards dropped']],
    ['some of the cards', { cards: 3 }, { cards: 2 }, ['Card dropped']],
    ['buttons', { buttons: [page, button('call', '+912012345678')] }, {}, ['2 buttons dropped']],
    [
      'a button whose address is in the text',
      { buttons: [page] },
      { text: 'See ACME.in/t' },
      ['Button becomes a link'],
    ],
    [
      'a button whose address is a variable of the text',
      { buttons: [page] },
      { linkVariables: ['link'] },
      ['Button becomes a link'],
    ],
    [
      'one of two buttons',
      { buttons: [page, button('call', '+91 20 1234 5678')] },
      { text: 'acme.in/t or +912012345678' },
      ['Buttons become links'],
    ],
    ['nothing if the button is there', { buttons: [page] }, { buttons: [button('url', 'https://other.in')] }, []],
    ['replies', { buttons: [button('reply'), button('reply')] }, {}, ['Replies dropped']],
    [
      'one reply of two',
      { buttons: [button('reply'), button('reply')] },
      { buttons: [button('reply')] },
      ['1 of 2 replies dropped'],
    ],
    ['a format', { formats: ['bold'] }, {}, ['Bold dropped']],
    ['formats', { formats: ['bold', 'italic'] }, {}, ['Formatting dropped']],
    ['the footer', { footer: 'Acme, Pune' }, {}, ['Footer dropped']],
    ['no footer that the text repeats', { footer: 'Acme, Pune' }, { text: 'Bye. acme, pune' }, []],
    ['a named variable', { variables: ['name', 'Order id'] }, { variables: ['order_id'] }, ['Variable name missing']],
    ['numbered variables', { variables: ['1', '2', '3'] }, { variables: ['name'] }, ['2 variables missing']],
    ['money by parts', {}, { parts: 2 }, ['2 parts']],
    ['money by an emoji', {}, { text: 'Hi 🎉', isUnicode: true }, ['Emoji needs Unicode']],
    ['money by another script', {}, { text: 'नमस्ते', isUnicode: true }, ['Needs Unicode']],
    [
      'the heaviest first',
      { footer: 'Bye', images: 1, variables: ['a'], buttons: [button('reply')] },
      { parts: 3 },
      ['Image dropped', 'Reply dropped', 'Variable a missing', 'Footer dropped', '3 parts'],
    ],
  ])('%s', (_, from, to, expected) => {
    expect(labels(plain(from), plain(to))).toEqual(expected)
  })
})

const word = fc.constantFrom('', 'Acme', 'acme.in/t', 'Hi 🎉', 'name', 'order_id', '1', '2')
const traits: fc.Arbitrary<MessageTraits> = fc.record({
  heading: word,
  text: word,
  variables: fc.uniqueArray(word),
  linkVariables: fc.uniqueArray(word),
  images: fc.nat(2),
  videos: fc.nat(2),
  documents: fc.nat(2),
  locations: fc.nat(1),
  cards: fc.nat(10),
  buttons: fc.array(fc.record({ kind: fc.constantFrom(...ButtonKind.options), text: word, target: word })),
  formats: fc.uniqueArray(fc.constantFrom(...TextFormat.options)),
  footer: word,
  parts: fc.integer({ min: 1, max: 4 }),
  isUnicode: fc.boolean(),
})

test('a message loses nothing against itself', () => {
  fc.assert(
    fc.property(traits, (message) => {
      expect(findLosses(message, message)).toEqual([])
    }),
  )
})

test('losses do not depend on the order of buttons, variables and formats', () => {
  const reversed = (message: MessageTraits): MessageTraits => ({
    ...message,
    variables: message.variables.toReversed(),
    buttons: message.buttons.toReversed(),
    formats: message.formats.toReversed(),
  })
  fc.assert(
    fc.property(traits, traits, (from, to) => {
      const losses = findLosses(from, to)
      expect(findLosses(reversed(from), reversed(to))).toEqual(losses)
      const weights = losses.map(({ kind }) => lossKinds.indexOf(kind))
      expect(weights).toEqual(weights.toSorted((a, b) => a - b))
      expect(new Set(weights).size).toBe(weights.length)
    }),
  )
})

test('a message without anything but its text is only compared by cost', () => {
  fc.assert(
    fc.property(traits, (to) => {
      const kinds = findLosses(plain({ text: '' }), to).map(({ kind }) => kind)
      expect(kinds.filter((kind) => kind !== 'parts' && kind !== 'unicode')).toEqual([])
    }),
  )
})

test('the richest message is the reference; of equals, the first', () => {
  const [carousel, picture, text] = [plain({ cards: 3 }), plain({ images: 1 }), plain()]
  expect(findRichest([text, picture, carousel])).toBe(carousel)
  expect(findRichest([text, plain()])).toBe(text)
  expect(findRichest([])).toBeUndefined()
})

test('templates of two channels with the same message', () => {
  const rich = WhatsappTemplateContent.parse({
    header: { type: 'HEADER', format: 'IMAGE', handle: 'h' },
    body: 'Hi {{1}}, your order {{2}} has *left* our store. 🎉',
    footer: 'Acme Retail',
    buttons: [
      { type: 'URL', text: 'Track it', url: 'https://acme.in/t/{{1}}' },
      { type: 'QUICK_REPLY', text: 'Call me' },
    ],
  })
  const sms = summarizeSms({
    body: 'Hi {#var#}, order {#alphanumeric#} ships: {#url#} -Acme Retail 🎉',
    variables: [
      { name: 'name', kind: 'var', sample: 'Asha' },
      { name: 'alphanumeric2', kind: 'alphanumeric', sample: 'A-4821' },
      { name: 'link', kind: 'url', sample: 'acme.in/t/A-4821' },
    ],
  })
  expect(sms).toMatchObject({ variables: ['name', '2', 'link'], linkVariables: ['link'], parts: 1, isUnicode: true })
  expect(sms.text).toBe('Hi {{name}}, order {{2}} ships: {{link}} -Acme Retail 🎉')
  expect(labels(summarizeWhatsapp(rich, 'MARKETING'), sms)).toEqual([
    'Image dropped',
    'Reply dropped',
    'Bold dropped',
    'Button becomes a link',
    'Emoji needs Unicode',
  ])
})

test('underscores within names and addresses are no formatting', () => {
  const formats = (body: string) => summarizeWhatsapp(WhatsappTemplateContent.parse({ body }), 'UTILITY').formats
  expect(formats('See acme_store_pune for {{first_name}} {{last_name}}, 3 * 4 * 5')).toEqual([])
  expect(formats('_Hi_ *there*, ~not~ ```code```')).toEqual(['bold', 'italic', 'strikethrough', 'monospace'])
})

test('a card, a carousel and a text of RCS', () => {
  const open = { type: 'open_url' as const, text: 'Track', url: 'https://acme.in/t' }
  const card = summarizeRcs(
    RcsTemplateContent.parse({
      type: 'rich_card_standalone',
      standAlone: {
        cardTitle: 'On its way',
        cardDescription: 'Hi {{name}}',
        mediaUrl: 'https://acme.in/a.mp4?v=1',
        suggestions: [open],
      },
      suggestions: [{ type: 'reply', text: 'Thanks' }],
    }),
  )
  expect(card).toMatchObject({ heading: 'On its way', text: 'Hi {{name}}', videos: 1, images: 0, cards: 0 })
  const text = summarizeRcs(
    RcsTemplateContent.parse({ type: 'text_message', textMessageContent: 'Hi {{name}}: acme.in/t' }),
  )
  expect(labels(card, text)).toEqual(['Video dropped', 'Reply dropped', 'Heading dropped', 'Button becomes a link'])
  const carousel = summarizeRcs(
    RcsTemplateContent.parse({
      type: 'carousel',
      carouselList: [
        { order: 1, cardTitle: 'Second' },
        { order: 0, cardTitle: 'First {{name}}', mediaUrl: 'https://acme.in/1.png' },
      ],
    }),
  )
  expect(carousel).toMatchObject({ cards: 2, images: 0, variables: ['name'] })
  expect(labels(carousel, text)).toEqual(['2 cards dropped'])
})
