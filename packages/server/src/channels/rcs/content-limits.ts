import { rcsLimits } from '@carillon/contract/channels/rcs/rcs-limits'
import { priceClassOf, utf8Length } from '@carillon/contract/channels/rcs/rcs-price-class'
import type { RcsCardJson, RcsContentJson, RcsSuggestionJson } from './message.ts'

/** Whether a filled message exceeds a limit that its template keeps: values may be of any length. */
export function exceedsLimits(content: RcsContentJson): boolean {
  const isTooLong =
    'text' in content ? content.text.length > rcsLimits.text : cardsOf(content).some((card) => isCardTooLong(card))
  return (
    isTooLong ||
    hasLongUrl(content.suggestions) ||
    utf8Length(JSON.stringify({ contentMessage: content })) > rcsLimits.payloadBytes
  )
}

/** The class by which operators bill a message. */
export function classOf(content: RcsContentJson): 'basic' | 'single' {
  return priceClassOf('text' in content && content.suggestions === undefined ? { text: content.text } : undefined)
}

/** Characters of the texts that a person reads. */
export function lengthOf(content: RcsContentJson): number {
  if ('text' in content) return content.text.length
  return cardsOf(content).reduce((sum, { title = '', description = '' }) => sum + title.length + description.length, 0)
}

function cardsOf({ richCard }: Extract<RcsContentJson, { richCard: unknown }>): RcsCardJson[] {
  return 'carouselCard' in richCard ? richCard.carouselCard.cardContents : [richCard.standaloneCard.cardContent]
}

function isCardTooLong({ title = '', description = '', media, suggestions }: RcsCardJson): boolean {
  return (
    title.length > rcsLimits.title ||
    description.length > rcsLimits.description ||
    (media?.contentInfo.fileUrl.length ?? 0) > rcsLimits.url ||
    hasLongUrl(suggestions)
  )
}

function hasLongUrl(suggestions: readonly RcsSuggestionJson[] = []): boolean {
  return suggestions.some((suggestion) => {
    const url: unknown = 'action' in suggestion ? Object(suggestion.action['openUrlAction']).url : undefined
    return typeof url === 'string' && url.length > rcsLimits.url
  })
}
