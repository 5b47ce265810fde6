import { rcsLimits } from '@carillon/contract/channels/rcs/rcs-limits'
import type { RcsCard, RcsSuggestion, RcsTemplateInput } from '@carillon/contract/channels/rcs/rcs-templates'
import type { CardPart, MessagePart } from '../../../ui/phone/pieces.ts'
import { emptyCard } from '../phone-message.ts'
import { cardFields } from '../phone/rcs-message.ts'

/** A card of the template: its index in the carousel, or the card that stands alone. */
export type CardPlace = number | 'alone'

export function cardPath(place: CardPlace): string {
  return place === 'alone' ? 'standAlone' : `carouselList.${place}`
}

/** The card of a field; undefined for fields of the message. */
export function cardOfField(field: string): CardPlace | undefined {
  if (field.startsWith('standAlone')) return 'alone'
  const index = /^carouselList\.(\d+)/.exec(field)?.[1]
  return index === undefined ? undefined : Number(index)
}

export function suggestionOfField(field: string): number | undefined {
  const index = /(?:^|\.)suggestions\.(\d+)/.exec(field)?.[1]
  return index === undefined ? undefined : Number(index)
}

export function cardAt(input: RcsTemplateInput, place: CardPlace): RcsCard | undefined {
  return place === 'alone' ? (input.standAlone ?? emptyCard) : input.carouselList[place]
}

/** The template with a card changed. */
export function withCard(input: RcsTemplateInput, place: CardPlace, patch: Partial<RcsCard>): RcsTemplateInput {
  if (place === 'alone') return { ...input, standAlone: { ...(input.standAlone ?? emptyCard), ...patch } }
  return {
    ...input,
    carouselList: input.carouselList.map((card, index) => (index === place ? { ...card, ...patch } : card)),
  }
}

/** The suggestions of a card, or of the message. */
export function suggestionsAt(input: RcsTemplateInput, place: CardPlace | undefined): readonly RcsSuggestion[] {
  return place === undefined ? input.suggestions : (cardAt(input, place)?.suggestions ?? [])
}

export function withSuggestions(
  input: RcsTemplateInput,
  place: CardPlace | undefined,
  suggestions: RcsSuggestion[],
): RcsTemplateInput {
  return place === undefined ? { ...input, suggestions } : withCard(input, place, { suggestions })
}

export function mostSuggestions(place: CardPlace | undefined): number {
  return place === undefined ? rcsLimits.suggestions : rcsLimits.suggestionsPerCard
}

/** The location of a field in words: 'Card 2, suggestion 1'. */
export function placeText(field: string): string {
  const card = cardOfField(field)
  const suggestion = suggestionOfField(field)
  const words = [
    ...(card === undefined ? [] : [card === 'alone' ? 'Card' : `Card ${card + 1}`]),
    ...(suggestion === undefined ? [] : [`suggestion ${suggestion + 1}`]),
  ]
  const text = words.length > 0 ? words.join(', ') : (fieldLabels[field.split('.')[0] ?? ''] ?? 'Message')
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}

const fieldLabels: Record<string, string> = {
  name: 'Name',
  botId: 'Bot',
  textMessageContent: 'Text',
  carouselList: 'Cards',
  orientation: 'Layout',
  height: 'Media height',
  suggestions: 'Suggestions',
}

const cardParts: readonly CardPart[] = ['media', 'title', 'description', 'suggestions']

/** The part of the phone that shows a field; undefined if none does. */
export function partOfField(field: string): MessagePart | undefined {
  if (field === 'textMessageContent') return 'body'
  const card = cardOfField(field)
  if (card === undefined) return field.startsWith('suggestions') ? 'suggestions' : undefined
  const part = cardParts.find((one) => field.startsWith(`${cardPath(card)}.${cardFields[one]}`))
  return part && `card.${card === 'alone' ? 0 : card}.${part}`
}

/** The field of a pressed part of the phone. */
export function fieldOfPart(part: MessagePart, { type }: Pick<RcsTemplateInput, 'type'>): string {
  if (part === 'body') return 'textMessageContent'
  const [, index, name] = /^card\.(\d+)\.(\w+)$/.exec(part) ?? []
  const own = cardParts.find((one) => one === name)
  if (index === undefined || !own) return part
  return `${cardPath(type === 'carousel' ? Number(index) : 'alone')}.${cardFields[own]}`
}
