import type { RcsSuggestion, RcsTemplateInput } from '@carillon/contract/channels/rcs/rcs-templates'
import { expect, test } from 'vitest'
import { findingsOf, fixOf } from './findings.ts'
import { carouselCard, emptyForm } from './form.ts'
import { fieldOfPart, partOfField, placeText } from './places.ts'
import { postbackOf, withLabel } from './suggestion-form.ts'

const { input: empty } = emptyForm('acme')
const reply = (text: string): RcsSuggestion => ({ type: 'reply', text, postbackData: postbackOf(text) })
const cards = ['Diyas', 'Lights'].map((cardTitle, order) => ({ ...carouselCard(order), cardTitle }))
const good: RcsTemplateInput = { ...empty, name: 'festive', carouselList: cards }

const messagesOf = (input: RcsTemplateInput) => findingsOf(input).map(({ message }) => message)

/** Applies every fix until none is left. */
function repaired(input: RcsTemplateInput): RcsTemplateInput {
  for (const finding of findingsOf(input)) {
    const fix = fixOf(input, finding)
    if (fix) return repaired(fix.apply(input))
  }
  return input
}

test('a template without a fault has no findings', () => {
  expect(messagesOf(good)).toEqual([])
})

test.each<[string, Partial<RcsTemplateInput>]>([
  ['a long name', { name: 'n'.repeat(120) }],
  ['a long label', { suggestions: [reply('A label that is much longer than it may be')] }],
  ['twelve suggestions', { suggestions: Array.from({ length: 12 }, (_, index) => reply(`Reply ${index}`)) }],
  ['the same postback twice', { suggestions: [reply('Stop'), { ...reply('Halt'), postbackData: 'stop' }] }],
  ['one card', { carouselList: [cards[0] ?? carouselCard(0), { ...carouselCard(1), cardTitle: 'Added' }].slice(0, 2) }],
  [
    'tall media on small cards',
    {
      width: 'SMALL',
      height: 'TALL',
      carouselList: cards.map((card) => ({ ...card, mediaUrl: 'https://acme.in/a.jpg' })),
    },
  ],
  [
    'an http link',
    {
      suggestions: [
        { type: 'open_url', text: 'Open', postbackData: 'open', url: 'http://acme.in', opensIn: 'browser' },
      ],
    },
  ],
  [
    'a card that is taller',
    { carouselList: cards.map((card, index) => ({ ...card, cardDescription: 'Word '.repeat(5 + index * 40) })) },
  ],
])('%s is repaired with one press', (_, patch) => {
  expect(messagesOf(repaired({ ...good, ...patch }))).toEqual([])
})

test('a missing card is added', () => {
  const [finding] = findingsOf({ ...good, carouselList: cards.slice(0, 1) })
  expect(finding && fixOf({ ...good, carouselList: cards.slice(0, 1) }, finding)?.label).toBe('Add card')
})

test('places are named as the editor names them', () => {
  expect(placeText('carouselList.1.suggestions.0.text')).toBe('Card 2, suggestion 1')
  expect(placeText('suggestions.2.url')).toBe('Suggestion 3')
  expect(placeText('standAlone.cardTitle')).toBe('Card')
  expect(placeText('name')).toBe('Name')
})

test('a part of the phone and its field lead to each other', () => {
  for (const field of ['carouselList.2.cardTitle', 'carouselList.0.mediaUrl', 'carouselList.1.suggestions']) {
    const part = partOfField(field)
    expect(part && fieldOfPart(part, { type: 'carousel' })).toBe(field)
  }
  expect(fieldOfPart('card.0.description', { type: 'rich_card_standalone' })).toBe('standAlone.cardDescription')
  expect(partOfField('carouselList.1.suggestions.0.text')).toBe('card.1.suggestions')
})

test('the postback follows its label until it is changed by hand', () => {
  const first = withLabel(reply(''), 'Shop now!')
  expect(first.postbackData).toBe('shop_now')
  const own = { ...first, postbackData: 'campaign_7' }
  expect(withLabel(own, 'Shop later').postbackData).toBe('campaign_7')
  expect(postbackOf('दीवाली सेल')).toBe('दीवाली_सेल')
})
