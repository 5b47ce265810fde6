import type { RcsTemplateContent } from '@carillon/contract/channels/rcs/rcs-templates'
import { bracedPieces, type MessagePiece } from '../../ui/phone/pieces.ts'
import { cardsOf } from './phone-message.ts'

/** The text of a template in one line, for lists. */
export function textOf(content: RcsTemplateContent): string {
  if (content.type === 'text_message') return content.textMessageContent
  return cardsOf(content)
    .map(({ cardTitle, cardDescription }) => cardTitle || cardDescription)
    .filter((text) => text !== '')
    .join(' · ')
}

/** The same with its variables apart. */
export function textPieces(content: RcsTemplateContent): MessagePiece[] {
  return bracedPieces(textOf(content), (name) => ({ label: name }))
}

/** Number of suggestions of the message and its cards. */
export function countSuggestions(content: RcsTemplateContent): number {
  return cardsOf(content).reduce((sum, { suggestions }) => sum + suggestions.length, content.suggestions.length)
}
