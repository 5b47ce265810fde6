import type { ButtonKind, MessageTraits, TextFormat } from './message-traits.ts'

/** Kinds of losses, the heaviest first. */
export const lossKinds = [
  'cards',
  'video',
  'image',
  'document',
  'location',
  'buttons',
  'replies',
  'variables',
  'heading',
  'footer',
  'formatting',
  'links',
  'parts',
  'unicode',
] as const

/** What a rendition of a message lacks or changes, such as 'Image dropped'. */
export type Loss = { kind: (typeof lossKinds)[number]; label: string }

/** What is lost or changed if the message `to` is sent instead of `from`; the heaviest loss first. */
export function findLosses(from: MessageTraits, to: MessageTraits): Loss[] {
  const found = [
    ...findDroppedParts(from, to),
    ...findDroppedButtons(from, to),
    ...findMissingVariables(from, to),
    ...findDroppedTexts(from, to),
    ...findCosts(from, to),
  ]
  return found.toSorted((a, b) => lossKinds.indexOf(a.kind) - lossKinds.indexOf(b.kind))
}

/** The message with most content, which the others are compared with; of equals, the first. */
export function findRichest(messages: readonly MessageTraits[]): MessageTraits | undefined {
  return messages.reduce<MessageTraits | undefined>(
    (richest, each) => (richest && richnessOf(richest) >= richnessOf(each) ? richest : each),
    undefined,
  )
}

function richnessOf(traits: MessageTraits): number {
  const { cards, videos, images, documents, locations, buttons, formats, heading, footer, variables } = traits
  const texts = [heading, footer].filter(Boolean).length
  return (
    cards * 8 +
    videos * 6 +
    (images + documents + locations) * 4 +
    buttons.length * 2 +
    formats.length +
    texts +
    variables.length
  )
}

const countedParts = [
  { kind: 'cards', field: 'cards', one: 'Card', many: 'cards' },
  { kind: 'video', field: 'videos', one: 'Video', many: 'videos' },
  { kind: 'image', field: 'images', one: 'Image', many: 'images' },
  { kind: 'document', field: 'documents', one: 'Document', many: 'documents' },
  { kind: 'location', field: 'locations', one: 'Location', many: 'locations' },
] as const

function findDroppedParts(from: MessageTraits, to: MessageTraits): Loss[] {
  return countedParts.flatMap(({ kind, field, one, many }) => {
    const dropped = from[field] - to[field]
    if (dropped <= 0) return []
    return [{ kind, label: dropped === 1 ? `${one} dropped` : `${dropped} ${many} dropped` }]
  })
}

const actionKinds = ['url', 'call', 'location', 'calendar', 'copy'] as const satisfies readonly ButtonKind[]

/** Buttons are compared by what they do. One whose address or number is in the other text becomes a link. */
function findDroppedButtons(from: MessageTraits, to: MessageTraits): Loss[] {
  let [linked, dropped] = [0, 0]
  for (const kind of actionKinds) {
    const own = from.buttons.filter((button) => button.kind === kind)
    const missing = Math.max(0, own.length - countButtons(to, kind))
    const inText = Math.min(missing, own.filter(({ target }) => isInText(target, { kind, to })).length)
    linked += inText
    dropped += missing - inText
  }
  return [
    ...describe('buttons', dropped, { one: 'Button dropped', many: `${dropped} buttons dropped` }),
    ...findDroppedReplies(from, to),
    ...describe('links', linked, { one: 'Button becomes a link', many: 'Buttons become links' }),
  ]
}

function findDroppedReplies(from: MessageTraits, to: MessageTraits): Loss[] {
  const all = countButtons(from, 'reply')
  const dropped = Math.max(0, all - countButtons(to, 'reply'))
  const many = dropped === all ? 'Replies dropped' : `${dropped} of ${all} replies dropped`
  return describe('replies', dropped, { one: all === 1 ? 'Reply dropped' : many, many })
}

function countButtons({ buttons }: MessageTraits, kind: ButtonKind): number {
  return buttons.filter((button) => button.kind === kind).length
}

/** Whether a button's address, up to its variable, or its phone number is part of the text. */
function isInText(target: string, { kind, to }: { kind: ButtonKind; to: MessageTraits }): boolean {
  if (kind === 'url' && to.linkVariables.length > 0) return true
  const fixed = target
    .replace(/\{\{[^]*$/, '')
    .replace(/^https?:\/\/(?:www\.)?/i, '')
    .replace(/\/+$/, '')
    .toLowerCase()
  return fixed !== '' && withoutSpaces(to.text).includes(withoutSpaces(fixed))
}

const withoutSpaces = (text: string) => text.toLowerCase().replaceAll(/\s+/g, '')

/** By name, or by number if one of the messages has variables without names. */
function findMissingVariables(from: MessageTraits, to: MessageTraits): Loss[] {
  const isNumbered = [...from.variables, ...to.variables].some((name) => /^\d+$/.test(name))
  const [fewer, known] = [from.variables.length - to.variables.length, to.variables.map(foldName)]
  const names = isNumbered ? [] : from.variables.filter((name) => !known.includes(foldName(name))).toSorted()
  const missing = isNumbered ? Math.max(0, fewer) : names.length
  const one = names[0] === undefined ? 'Variable missing' : `Variable ${names[0]} missing`
  return describe('variables', missing, { one, many: `${missing} variables missing` })
}

const foldName = (name: string) => name.toLowerCase().replaceAll(/[\s_-]+/g, '_')

const formatNames: Record<TextFormat, string> = {
  bold: 'Bold',
  italic: 'Italic',
  strikethrough: 'Strikethrough',
  monospace: 'Monospace',
}

function findDroppedTexts(from: MessageTraits, to: MessageTraits): Loss[] {
  const formats = from.formats.filter((format) => !to.formats.includes(format))
  const [format] = formats
  return [
    ...describe('heading', isDropped(from.heading, [to.heading, to.text]) ? 1 : 0, { one: 'Heading dropped' }),
    ...describe('footer', isDropped(from.footer, [to.footer, to.text]) ? 1 : 0, { one: 'Footer dropped' }),
    ...describe('formatting', formats.length, {
      one: format ? `${formatNames[format]} dropped` : '',
      many: 'Formatting dropped',
    }),
  ]
}

function isDropped(text: string, others: readonly string[]): boolean {
  return text !== '' && !others.some((other) => other.toLowerCase().includes(text.toLowerCase()))
}

const emoji = /\p{Extended_Pictographic}/u

function findCosts(from: MessageTraits, to: MessageTraits): Loss[] {
  const isUnicode = to.isUnicode && !from.isUnicode
  return [
    ...describe('parts', to.parts > from.parts ? 1 : 0, { one: `${to.parts} parts` }),
    ...describe('unicode', isUnicode ? 1 : 0, { one: emoji.test(to.text) ? 'Emoji needs Unicode' : 'Needs Unicode' }),
  ]
}

function describe(kind: Loss['kind'], count: number, { one, many = one }: { one: string; many?: string }): Loss[] {
  return count === 0 ? [] : [{ kind, label: count === 1 ? one : many }]
}
