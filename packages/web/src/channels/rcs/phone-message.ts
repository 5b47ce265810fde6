import { rcsMediaKind } from '@carillon/contract/channels/rcs/rcs-message-traits'
import type { RcsCard, RcsSuggestion, RcsTemplateContent } from '@carillon/contract/channels/rcs/rcs-templates'
import { formatDateTime } from '../../lib/format.ts'
import { bracedPieces, textOfPieces, type MessagePiece } from '../../ui/phone/pieces.ts'
import type { RcsMessage, RcsPhoneCard, RcsPhoneMedia, RcsPhoneSuggestion } from './phone/rcs-message.ts'

type Brand = Pick<RcsMessage, 'sender' | 'color' | 'logoUrl' | 'isVerified'>
type Fill = Parameters<typeof bracedPieces>[1]

const nothing: Fill = (name) => ({ label: name })

/** A template on its recipient's phone; variables without a value show their names. */
export function rcsMessageOf(content: RcsTemplateContent, brand: Brand, fill: Fill = nothing): RcsMessage {
  const { type, textMessageContent, orientation, alignment, height, width, suggestions } = content
  return {
    channel: 'rcs',
    ...brand,
    pieces: type === 'text_message' ? bracedPieces(textMessageContent, fill) : [],
    cards: cardsOf(content).map((card) => phoneCard(card, fill)),
    isCarousel: type === 'carousel',
    layout: { orientation, alignment, height, width },
    suggestions: suggestions.map((suggestion) => phoneSuggestion(suggestion, fill)),
  }
}

/** The cards that a template shows, in the order of the phone. */
export function cardsOf({ type, standAlone, carouselList }: RcsTemplateContent): RcsCard[] {
  if (type === 'carousel') return carouselList.toSorted((one, other) => one.order - other.order)
  return type === 'rich_card_standalone' ? [standAlone ?? emptyCard] : []
}

export const emptyCard: RcsCard = {
  cardTitle: '',
  cardDescription: '',
  mediaUrl: '',
  thumbnailUrl: '',
  mediaDescription: '',
  suggestions: [],
}

function phoneCard(card: RcsCard, fill: Fill): RcsPhoneCard {
  return {
    media: card.mediaUrl === '' ? undefined : phoneMedia(card, fill),
    title: bracedPieces(card.cardTitle, fill),
    description: bracedPieces(card.cardDescription, fill),
    suggestions: card.suggestions.map((suggestion) => phoneSuggestion(suggestion, fill)),
  }
}

function phoneMedia({ mediaUrl, thumbnailUrl, mediaDescription }: RcsCard, fill: Fill): RcsPhoneMedia {
  const pieces = bracedPieces(mediaUrl, fill)
  return {
    kind: rcsMediaKind(mediaUrl),
    url: isFilled(pieces) ? textOfPieces(pieces) : undefined,
    thumbnailUrl: thumbnailUrl || undefined,
    description: mediaDescription || undefined,
  }
}

const isFilled = (pieces: readonly MessagePiece[]) => pieces.every(({ missing }) => !missing)

function phoneSuggestion(suggestion: RcsSuggestion, fill: Fill): RcsPhoneSuggestion {
  return { kind: suggestion.type, text: suggestion.text, effect: effectOf(suggestion, fill) }
}

/** What the phone does when the suggestion is tapped. */
export function effectOf(suggestion: RcsSuggestion, fill: Fill = nothing): string {
  switch (suggestion.type) {
    case 'reply':
      return `Sends “${suggestion.text || 'the label'}” to you as a message`
    case 'open_url':
      return urlEffect(suggestion, fill)
    case 'dial':
      return `Opens the dialler with ${suggestion.phoneNumber.trim() || 'the number'}`
    case 'view_location':
      return placeEffect(suggestion)
    case 'share_location':
      return 'Asks to send their location to you'
    case 'create_calendar_event':
      return eventEffect(suggestion)
  }
}

function urlEffect({ url, opensIn }: Extract<RcsSuggestion, { type: 'open_url' }>, fill: Fill): string {
  const address = textOfPieces(bracedPieces(url, fill)).replace(/^https?:\/\//i, '')
  return `Opens ${address || 'the page'} ${opensIn === 'webview' ? 'inside the messaging app' : 'in the browser'}`
}

function placeEffect(place: Extract<RcsSuggestion, { type: 'view_location' }>): string {
  const { latitude, longitude, label, query } = place
  if (query.trim() !== '') return `Searches the map for “${query.trim()}”`
  const point = latitude === undefined || longitude === undefined ? 'the place' : `${latitude}, ${longitude}`
  return `Opens the map at ${label.trim() || point}`
}

function eventEffect({ title, startTime }: Extract<RcsSuggestion, { type: 'create_calendar_event' }>): string {
  const when = Number.isNaN(Date.parse(startTime)) ? '' : `, ${formatDateTime(startTime)}`
  return `Adds “${title.trim() || 'the event'}”${when} to the calendar`
}
