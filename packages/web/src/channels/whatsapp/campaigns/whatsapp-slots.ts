import type { VariableSource } from '@carillon/contract/campaign-records'
import type { HeaderMedia, TemplateValues } from '@carillon/contract/channels/whatsapp/whatsapp-campaigns'
import { linkCodeLength } from '@carillon/contract/link-addresses'
import { listTemplateVariables } from '@carillon/contract/channels/whatsapp/whatsapp-template-variables'
import type {
  TemplateButton,
  TemplateCard,
  TemplateHeader,
  TemplateSample,
  WhatsappTemplate,
} from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import type { WhatsappPart } from '../phone/whatsapp-message.ts'
import { isUnset, isUsable } from '../../parts/variable-sources.ts'

/** The parts of a template that determine its variables. */
export type TemplateShape = Pick<WhatsappTemplate, 'category' | 'parameterFormat' | 'components'>

/** A variable of a template, with its location. */
export type Slot = {
  /** `header`, `body.0`, `url.1`, `code`, `card.2.body.0`. */
  id: string
  /** The variable as written in the text. */
  name: string
  place: 'header' | 'body' | 'buttons' | 'cards'
  /** Such as 'Text', 'Button Track it', 'Card 2'. */
  usedIn: string
  sample: string
  part: WhatsappPart
  /** The text before it, which usually describes it. */
  before: string
  read: (values: TemplateValues) => VariableSource | undefined
  write: (values: TemplateValues, source: VariableSource) => TemplateValues
}

/** A header with a file. */
export type MediaSlot = {
  id: string
  format: 'IMAGE' | 'VIDEO' | 'DOCUMENT'
  label: string
  read: (values: TemplateValues) => HeaderMedia | undefined
  write: (values: TemplateValues, media: HeaderMedia | undefined) => TemplateValues
}

export const emptyValues: TemplateValues = { body: [], urls: [], cards: [] }
const emptyCard: TemplateValues['cards'][number] = { body: [], urls: [] }

/** All variables in the order of the template. */
export function slotsOf(template: TemplateShape): Slot[] {
  const { components, category } = template
  if (category === 'AUTHENTICATION') return [codeSlot]
  return [
    ...headerSlots(components.header),
    ...bodySlots(template),
    ...buttonSlots(components.buttons),
    ...components.cards.flatMap((card, index) => cardSlots(card, index, template)),
  ]
}

/** Image, video and document headers: the template's, or one per card. */
export function mediaSlotsOf({ components: { header, cards } }: Pick<TemplateShape, 'components'>): MediaSlot[] {
  const own = mediaFormatOf(header)
  return [
    ...(own
      ? [
          {
            id: 'media',
            format: own,
            label: 'Header',
            read: (values: TemplateValues) => values.media,
            write: (values: TemplateValues, media: HeaderMedia | undefined) => ({ ...values, media }),
          },
        ]
      : []),
    ...cards.flatMap((card, index) => cardMediaSlot(card, index) ?? []),
  ]
}

export function needsPlace({ components: { header } }: Pick<TemplateShape, 'components'>): boolean {
  return header?.format === 'LOCATION'
}

/** The variable's label; a bare number is not descriptive. */
export function slotLabel({ name }: Pick<Slot, 'name'>): string {
  return /^\d+$/.test(name) ? `{{${name}}}` : name
}

/** Most variables are in the text; for others the location is added. */
export function placeLabel(slot: Pick<Slot, 'name' | 'place' | 'usedIn'>): string {
  return slot.place === 'body' ? slotLabel(slot) : `${slotLabel(slot)}, ${slot.usedIn.toLowerCase()}`
}

/** The column heading for this variable: its name, or for a numbered one the words before it. */
export function columnNameOf({ name, before }: Pick<Slot, 'name' | 'before'>): string {
  if (!/^\d+$/.test(name)) return name
  const lead = before.trim()
  if (greeting.test(lead)) return 'name'
  const word = lead.split(/[^\p{L}\p{M}\p{N}]+/u).findLast((part) => part.length > 2)
  return word?.toLowerCase() ?? `variable ${name}`
}

/** Number of variables without a column or fixed value. */
export function openSlots(template: TemplateShape, values: TemplateValues): number {
  const sources = slotsOf(template).filter((slot) => isUnset(slot.read(values)))
  const media = mediaSlotsOf(template).filter((slot) => slot.read(values) === undefined)
  return sources.length + media.length + (needsPlace(template) && !values.location ? 1 : 0)
}

/** A source for each variable: the previous choice, else a matching column. */
export function matchValues(
  template: TemplateShape,
  columns: readonly string[],
  known: TemplateValues = emptyValues,
): TemplateValues {
  return slotsOf(template).reduce((values, slot) => {
    const before = slot.read(known)
    if (before && isUsable(before, columns.length)) return slot.write(values, before)
    const column = columnFor(slot, columns)
    return slot.write(values, {
      ...(column === undefined ? {} : { column }),
      fallback: before?.fallback ?? '',
    })
  }, known)
}

/** For previews: tracked links as addresses. After a button's own address, only the code follows. */
export function withLinkExamples(
  slots: readonly Slot[],
  values: TemplateValues,
  withExample: (source: VariableSource) => VariableSource,
): TemplateValues {
  return slots.reduce((filled, slot) => {
    const source = slot.read(values)
    if (source?.link === undefined) return filled
    const { fallback } = withExample(source)
    return slot.write(filled, { fallback: slot.id.includes('url.') ? fallback.slice(-linkCodeLength) : fallback })
  }, values)
}

const greeting = /(?:^|[^\p{L}])(?:hi|hello|dear|hey|namaste|नमस्ते|प्रिय)$/iu

/** Matches a column by name, or by the words before the variable: 'Use code {{2}}' is 'code', 'Hi {{1}}' is 'name'. */
function columnFor({ name, before }: Slot, columns: readonly string[]): number | undefined {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '')
  const names = columns.map(plain)
  const lead = before.trim()
  const words = lead.split(/[^\p{L}\p{M}\p{N}]+/u).slice(-2)
  const wanted = [
    ...(/^\d+$/.test(name) ? [] : [name]),
    ...(greeting.test(lead) ? ['name', 'firstname'] : []),
    words.join(''),
    ...words.toReversed(),
  ].map(plain)
  for (const word of wanted) {
    const place = word.length > 2 ? names.indexOf(word) : -1
    if (place >= 0) return place
  }
  const [own] = wanted
  const near = own && !/^\d+$/.test(name) ? names.findIndex((column) => isNear(column, own)) : -1
  return near >= 0 ? near : undefined
}

function isNear(column: string, wanted: string): boolean {
  return column.length > 2 && wanted.length > 2 && (column.includes(wanted) || wanted.includes(column))
}

/** The code of an authentication template, in Meta's text and in the button. */
const codeSlot: Slot = {
  id: 'body.0',
  name: 'code',
  place: 'body',
  usedIn: 'Text and button',
  sample: '482913',
  part: 'body',
  before: '',
  ...listPlace('body', 0),
}

function headerSlots(header: TemplateHeader | undefined): Slot[] {
  if (header?.format !== 'TEXT') return []
  return listTemplateVariables(header.text)
    .slice(0, 1)
    .map((name) => ({
      id: 'header',
      name,
      place: 'header',
      usedIn: 'Header',
      sample: header.sample,
      part: 'header',
      before: textBefore(header.text, name),
      read: (values) => values.header,
      write: (values, source) => ({ ...values, header: source }),
    }))
}

/** In the order of the values: numbers ascending, names in order of appearance. */
export function variablesOf(text: string, format: TemplateShape['parameterFormat']): string[] {
  const names = listTemplateVariables(text)
  return format === 'named' ? names : names.toSorted((one, other) => Number(one) - Number(other))
}

function bodySlots({ components: { body, samples }, parameterFormat }: TemplateShape): Slot[] {
  return variablesOf(body, parameterFormat).map((name, index) => ({
    id: `body.${index}`,
    name,
    place: 'body',
    usedIn: 'Text',
    sample: sampleOf(samples, name),
    part: 'body',
    before: textBefore(body, name),
    ...listPlace('body', index),
  }))
}

function buttonSlots(buttons: readonly TemplateButton[]): Slot[] {
  const links = buttons.filter(hasVariable)
  const code = buttons.find((button) => button.type === 'COPY_CODE')
  return [
    ...links.map(({ text, url, sample }, index): Slot => ({
      id: `url.${index}`,
      name: '1',
      place: 'buttons',
      usedIn: `Button ${text}`,
      sample: endOf(sample, url),
      part: 'buttons',
      before: 'link',
      ...listPlace('urls', index),
    })),
    ...(code
      ? [
          {
            id: 'code',
            name: 'code',
            place: 'buttons' as const,
            usedIn: 'Button Copy code',
            sample: code.sample,
            part: 'buttons' as const,
            before: '',
            read: (values: TemplateValues) => values.copyCode,
            write: (values: TemplateValues, source: VariableSource) => ({ ...values, copyCode: source }),
          },
        ]
      : []),
  ]
}

function cardSlots(card: TemplateCard, index: number, { parameterFormat }: TemplateShape): Slot[] {
  const texts = variablesOf(card.body, parameterFormat).map((name, place): Slot => ({
    id: `card.${index}.body.${place}`,
    name,
    place: 'cards',
    usedIn: `Card ${index + 1}`,
    sample: sampleOf(card.samples, name),
    part: 'cards',
    before: textBefore(card.body, name),
    read: ({ cards }) => cards[index]?.body[place],
    write: (values, source) => changeCard(values, index, (one) => ({ ...one, body: setAt(one.body, place, source) })),
  }))
  const links = card.buttons.filter(hasVariable).map(({ text, url, sample }, place): Slot => ({
    id: `card.${index}.url.${place}`,
    name: '1',
    place: 'cards',
    usedIn: `Card ${index + 1}, button ${text}`,
    sample: endOf(sample, url),
    part: 'cards',
    before: 'link',
    read: ({ cards }) => cards[index]?.urls[place],
    write: (values, source) => changeCard(values, index, (one) => ({ ...one, urls: setAt(one.urls, place, source) })),
  }))
  return [...texts, ...links]
}

function cardMediaSlot(card: TemplateCard, index: number): MediaSlot | undefined {
  const format = mediaFormatOf(card.header)
  return (
    format && {
      id: `media.${index}`,
      format,
      label: `Card ${index + 1}`,
      read: ({ cards }) => cards[index]?.media,
      write: (values, media) => changeCard(values, index, (one) => ({ ...one, media })),
    }
  )
}

function mediaFormatOf(header: TemplateHeader | undefined): MediaSlot['format'] | undefined {
  return header && header.format !== 'TEXT' && header.format !== 'LOCATION' ? header.format : undefined
}

type UrlButton = Extract<TemplateButton, { type: 'URL' }>

function hasVariable(button: TemplateButton): button is UrlButton {
  return button.type === 'URL' && listTemplateVariables(button.url).length > 0
}

/** The sample is a full URL; only the variable part is filled in. */
function endOf(sample: string, url: string): string {
  const start = url.replace(/\{\{[^{}]*\}\}$/, '')
  return sample.startsWith(start) ? sample.slice(start.length) : sample
}

function sampleOf(samples: readonly TemplateSample[], name: string): string {
  return samples.find((sample) => sample.name === name)?.sample ?? ''
}

function textBefore(text: string, name: string): string {
  const place = text.search(new RegExp(`\\{\\{\\s*${name}\\s*\\}\\}`))
  return place < 0 ? '' : text.slice(0, place)
}

function listPlace(list: 'body' | 'urls', index: number): Pick<Slot, 'read' | 'write'> {
  return {
    read: (values) => values[list][index],
    write: (values, source) => ({ ...values, [list]: setAt(values[list], index, source) }),
  }
}

function setAt(sources: readonly VariableSource[], index: number, source: VariableSource): VariableSource[] {
  const length = Math.max(sources.length, index + 1)
  return Array.from({ length }, (_, place) => (place === index ? source : (sources[place] ?? { fallback: '' })))
}

type CardValues = TemplateValues['cards'][number]

function changeCard(values: TemplateValues, index: number, change: (card: CardValues) => CardValues): TemplateValues {
  const length = Math.max(values.cards.length, index + 1)
  const cards = Array.from({ length }, (_, place) => {
    const card = values.cards[place] ?? emptyCard
    return place === index ? change(card) : card
  })
  return { ...values, cards }
}
