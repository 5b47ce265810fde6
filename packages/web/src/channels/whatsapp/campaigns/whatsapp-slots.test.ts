import type { WhatsappTemplateContent } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { describe, expect, test } from 'vitest'
import { textOfPieces } from '../../../ui/phone/pieces.ts'
import { filledMessage } from './whatsapp-fill.ts'
import {
  emptyValues,
  matchValues,
  mediaSlotsOf,
  openSlots,
  slotsOf,
  variablesOf,
  type TemplateShape,
} from './whatsapp-slots.ts'

const content: WhatsappTemplateContent = {
  header: { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}', sample: 'A-17' },
  body: 'Hi {{1}}, use code {{2}} before {{3}} ends.',
  samples: [
    { name: '1', sample: 'Asha' },
    { name: '2', sample: 'DIYA500' },
    { name: '3', sample: 'Sunday' },
  ],
  footer: '',
  buttons: [
    { type: 'URL', text: 'Track', url: 'https://acme.in/t/{{1}}', sample: 'https://acme.in/t/A-17' },
    { type: 'URL', text: 'Shop', url: 'https://acme.in', sample: '' },
    { type: 'COPY_CODE', sample: 'DIYA500' },
    { type: 'QUICK_REPLY', text: 'Stop' },
  ],
  cards: [],
  securityRecommendation: true,
}
const template: TemplateShape = { category: 'MARKETING', parameterFormat: 'positional', components: content }
const columns = ['phone', 'Name', 'code', 'link', 'order']

describe('the places of a template', () => {
  test('stand in its order, links without a variable left out', () => {
    expect(slotsOf(template).map(({ id, usedIn, sample }) => [id, usedIn, sample])).toEqual([
      ['header', 'Header', 'A-17'],
      ['body.0', 'Text', 'Asha'],
      ['body.1', 'Text', 'DIYA500'],
      ['body.2', 'Text', 'Sunday'],
      ['url.0', 'Button Track', 'A-17'],
      ['code', 'Button Copy code', 'DIYA500'],
    ])
  })

  test('each is written where it is read, and nowhere else', () => {
    const shape = { ...template, components: { ...content, cards: [cardOf('{{1}} and {{2}}'), cardOf('{{1}}')] } }
    for (const slot of slotsOf(shape)) {
      const values = slot.write(emptyValues, { column: 4, fallback: 'x' })
      expect(slot.read(values)).toEqual({ column: 4, fallback: 'x' })
      const touched = slotsOf(shape).filter((other) => other.read(values)?.column === 4)
      expect(touched.map(({ id }) => id)).toEqual([slot.id])
    }
  })

  test('numbers count up, names stand as they appear', () => {
    expect(variablesOf('{{2}} of {{10}} after {{1}}', 'positional')).toEqual(['1', '2', '10'])
    expect(variablesOf('{{name}} has {{code}}, {{name}}', 'named')).toEqual(['name', 'code'])
  })

  test('an authentication template has its code', () => {
    expect(slotsOf({ ...template, category: 'AUTHENTICATION' }).map(({ id }) => id)).toEqual(['body.0'])
  })

  test('files stand in the header, or in each card', () => {
    const shown = {
      components: { ...content, header: { type: 'HEADER' as const, format: 'IMAGE' as const, handle: '' } },
    }
    const [slot] = mediaSlotsOf(shown)
    expect(slot?.read(slot.write(emptyValues, { mediaId: '7' }))).toEqual({ mediaId: '7' })
    const cards = mediaSlotsOf({ components: { ...content, cards: [cardOf(''), cardOf('')] } })
    expect(cards.map(({ label }) => label)).toEqual(['Card 1', 'Card 2'])
    const second = cards[1]?.write(emptyValues, { link: 'https://acme.in/2.jpg' })
    expect(second?.cards.map(({ media }) => media)).toEqual([undefined, { link: 'https://acme.in/2.jpg' }])
  })
})

describe('columns', () => {
  test('are found by the words before a variable', () => {
    const values = matchValues(template, columns)
    expect(values.header?.column).toBe(4)
    expect(values.body.map(({ column }) => column)).toEqual([1, 2, undefined])
    expect(values.urls[0]?.column).toBe(3)
    expect(values.copyCode?.column).toBe(2)
    expect(openSlots(template, values)).toBe(1)
  })

  test('that were chosen stay, unless they are gone', () => {
    const known = {
      ...emptyValues,
      body: [{ column: 9, fallback: 'you' }, { fallback: 'DIYA500' }, { column: 4, fallback: '' }],
    }
    expect(matchValues(template, columns, known).body).toEqual([
      { column: 1, fallback: 'you' },
      { fallback: 'DIYA500' },
      { column: 4, fallback: '' },
    ])
  })
})

describe('the phone', () => {
  const values = matchValues(template, columns)
  const rows = [
    ['919800000001', 'Asha', 'D1', 'k7', 'A-1'],
    ['919800000002', '', 'D2', 'k8', 'A-2'],
  ]
  const filling = { values, columns, sender: 'Acme' }

  test('shows one row, with the name of what is missing', () => {
    const message = filledMessage(template, { ...filling, row: rows[1] ?? [] })
    expect(textOfPieces(message.pieces)).toBe('Hi Name, use code D2 before {{3}} ends.')
    expect(message.pieces.filter(({ missing }) => missing).map(({ text }) => text)).toEqual(['Name', '{{3}}'])
    expect(message.header).toMatchObject({
      kind: 'text',
      pieces: [{ text: 'Order ' }, { text: 'A-2', column: 'order' }],
    })
  })

  test('shows samples before there are people, and columns for what all get', () => {
    expect(textOfPieces(filledMessage(template, { ...filling, row: 'samples' }).pieces)).toBe(
      'Hi Asha, use code DIYA500 before Sunday ends.',
    )
    expect(textOfPieces(filledMessage(template, { ...filling, row: 'names' }).pieces)).toBe(
      'Hi Name, use code code before {{3}} ends.',
    )
  })

  test('shows the picture of the row where its address stands in a column', () => {
    const shape: TemplateShape = {
      ...template,
      components: { ...content, header: { type: 'HEADER', format: 'IMAGE', handle: '' } },
    }
    const shown = filledMessage(shape, {
      ...filling,
      values: { ...values, media: { column: 5 } },
      row: ['', '', '', '', '', 'https://acme.in/1.jpg'],
    })
    expect(shown.header).toMatchObject({ kind: 'image', url: 'https://acme.in/1.jpg' })
  })
})

function cardOf(body: string): WhatsappTemplateContent['cards'][number] {
  return {
    header: { type: 'HEADER', format: 'IMAGE', handle: '' },
    body,
    samples: [],
    buttons: [{ type: 'URL', text: 'Open', url: 'https://acme.in/{{1}}', sample: '' }],
  }
}
