import { advice, error, type RcsFinding } from './rcs-findings.ts'
import { rcsLimits } from './rcs-limits.ts'
import { checkSuggestions } from './rcs-suggestion-rules.ts'
import type { RcsCard, RcsTemplateContent, RcsTemplateInput } from './rcs-templates.ts'
import { utf8Length } from './rcs-price-class.ts'
import { checkVariables } from './rcs-variable-rules.ts'

/** All rules for RCS messages that can be checked before sending, and advice, by field. */
export function checkRcsTemplate(input: RcsTemplateInput): RcsFinding[] {
  return [...checkName(input.name), ...checkRcsContent(input)]
}

export function checkRcsContent(content: RcsTemplateContent): RcsFinding[] {
  return [
    ...contentRules[content.type](content),
    ...checkSuggestions('suggestions', content.suggestions, rcsLimits.suggestions),
    ...checkPayload(content),
  ]
}

const contentRules: Record<RcsTemplateContent['type'], (content: RcsTemplateContent) => RcsFinding[]> = {
  text_message: ({ textMessageContent: text }) =>
    text.trim() === ''
      ? [error('textMessageContent', 'Enter the message')]
      : [...checkLength('textMessageContent', text, rcsLimits.text), ...checkVariables('textMessageContent', text)],
  rich_card_standalone: ({ standAlone, orientation }) =>
    standAlone
      ? [...checkCard('standAlone', standAlone), ...checkOrientation(standAlone, orientation)]
      : [error('standAlone', 'Add media, a title or a description')],
  carousel: checkCarousel,
}

function checkName(name: string): RcsFinding[] {
  if (name === '') return [error('name', 'Enter a name')]
  return checkLength('name', name, rcsLimits.name)
}

/** The image of a horizontal card is beside its text, so a card without text has nothing to be beside. */
function checkOrientation(card: RcsCard, orientation: RcsTemplateContent['orientation']): RcsFinding[] {
  if (orientation === 'VERTICAL') return []
  if (card.mediaUrl === '') return [error('orientation', 'A horizontal card needs an image or video')]
  const hasText = card.cardTitle !== '' || card.cardDescription !== '' || card.suggestions.length > 0
  return hasText ? [] : [error('orientation', 'A horizontal card needs a title, a description or a suggestion')]
}

function checkCarousel({ carouselList, height, width }: RcsTemplateContent): RcsFinding[] {
  const { minimumCards, cards } = rcsLimits
  const count = carouselList.length
  return [
    ...(count < minimumCards ? [error('carouselList', `A carousel has at least ${minimumCards} cards`)] : []),
    ...(count > cards ? [error('carouselList', `At most ${cards} cards`)] : []),
    ...carouselList.flatMap((card, index) => checkCard(`carouselList.${index}`, card)),
    ...checkOrders(carouselList.map(({ order }) => order)),
    ...(width === 'SMALL' && height === 'TALL' && carouselList.some(({ mediaUrl }) => mediaUrl !== '')
      ? [error('height', 'Tall media does not fit on small cards: choose medium cards or a lower height')]
      : []),
    ...checkEqualMedia(carouselList),
  ]
}

function checkOrders(orders: readonly number[]): RcsFinding[] {
  return new Set(orders).size === orders.length
    ? []
    : [error('carouselList', 'Two cards have the same order: give each card its own')]
}

/** Cards stretch to the height of the tallest, so one without media shows an empty area. */
function checkEqualMedia(cards: readonly RcsCard[]): RcsFinding[] {
  const without = cards.findIndex(({ mediaUrl }) => mediaUrl === '')
  if (without === -1 || cards.every(({ mediaUrl }) => mediaUrl === '')) return []
  return [
    advice(
      `carouselList.${without}.mediaUrl`,
      'The other cards have media: this one shows an empty area below its text',
    ),
  ]
}

function checkCard(at: string, card: RcsCard): RcsFinding[] {
  const { cardTitle, cardDescription, mediaUrl, thumbnailUrl } = card
  const isEmpty = cardTitle.trim() === '' && cardDescription.trim() === '' && mediaUrl === ''
  return [
    ...(isEmpty ? [error(`${at}.cardTitle`, 'Add media, a title or a description')] : []),
    ...checkLength(`${at}.cardTitle`, cardTitle, rcsLimits.title),
    ...checkLength(`${at}.cardDescription`, cardDescription, rcsLimits.description),
    ...checkVariables(`${at}.cardTitle`, cardTitle),
    ...checkVariables(`${at}.cardDescription`, cardDescription),
    // Our own files are public under the address of this installation.
    ...(card.fileId === undefined ? checkMediaUrl(`${at}.mediaUrl`, mediaUrl) : []),
    ...checkThumbnail(`${at}.thumbnailUrl`, thumbnailUrl),
    ...(/\.pdf$/i.test(withoutQuery(mediaUrl))
      ? [advice(`${at}.mediaUrl`, 'A PDF in a card is shown only by Google Messages in India')]
      : []),
    ...checkSuggestions(`${at}.suggestions`, card.suggestions, rcsLimits.suggestionsPerCard),
  ]
}

function checkMediaUrl(field: string, url: string): RcsFinding[] {
  if (url === '') return []
  if (url.length > rcsLimits.url) return [error(field, `At most ${formatCount(rcsLimits.url)} characters`)]
  if (!/^https:\/\/[^\s/]+/i.test(url)) return [error(field, 'Enter a public URL that begins with https://')]
  return checkVariables(field, url)
}

function checkThumbnail(field: string, url: string): RcsFinding[] {
  return url.includes('{{') ? [error(field, 'A preview image cannot contain variables')] : checkMediaUrl(field, url)
}

function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/, '')
}

function checkLength(field: string, text: string, maximum: number): RcsFinding[] {
  // Variables are counted with their values when a campaign is checked.
  return text.length > maximum ? [error(field, `At most ${formatCount(maximum)} characters`)] : []
}

function checkPayload(content: RcsTemplateContent): RcsFinding[] {
  return utf8Length(JSON.stringify(content)) > rcsLimits.payloadBytes
    ? [error('', 'The message is larger than 250 KB: shorten its texts')]
    : []
}

function formatCount(count: number): string {
  return count.toLocaleString('en-IN')
}
