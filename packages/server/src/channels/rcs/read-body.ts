import { rcsButton } from '@carillon/contract/channels/rcs/rcs-message-traits'
import type { RcsCard, RcsTemplateContent } from '@carillon/contract/channels/rcs/rcs-templates'
import type { MessageBody } from '@carillon/contract/conversation-records'
import {
  buttonsIn,
  contentParts,
  isMediaType,
  lineIn,
  locationIn,
  mediaBody,
  textIn,
  type MessageButton,
  type MessageCard,
} from '../body-parts.ts'
import type { StoredMessage } from '../channel.ts'
import { isRow, rowOf, rowsOf, type Row } from '../read-json.ts'
import { compileRcsText } from './compile-text.ts'
import type { RcsVariableValues } from './compile-content.ts'

/** What a message shows: one that was sent, in the format of RCS Business Messaging, or a person's as `readInbound` stores it. */
export function readRcsBody({ text: stored, content: given }: StoredMessage): MessageBody {
  const text = textIn(stored)
  const parts = contentParts(given)
  if (!parts) return { type: 'text', text }
  const { type, part, content } = parts
  if (isMediaType(type)) return mediaBody(type, part, content)
  if (type === 'button') return { type: 'button_reply', text }
  if (type === 'location') return { type: 'location', text, location: locationIn(part) }
  if (isRow(content['message'])) return readSent(content['message'], text)
  return { type: type === 'unsupported' ? 'unsupported' : 'text', text }
}

function readSent({ text, richCard, suggestions }: Row, stored: string): MessageBody {
  const buttons = readSuggestions(suggestions)
  const { standaloneCard, carouselCard } = rowOf(richCard)
  if (isRow(carouselCard))
    return { type: 'carousel', text: '', cards: rowsOf(carouselCard['cardContents']).map(readCard), ...buttons }
  if (isRow(standaloneCard))
    return { type: 'card', text: '', cards: [readCard(rowOf(standaloneCard['cardContent']))], ...buttons }
  return { type: 'text', text: textIn(text) || stored, ...buttons }
}

function readCard({ title, description, suggestions }: Row): MessageCard {
  return { title: lineIn(title) ?? '', text: textIn(description), buttons: [], ...readSuggestions(suggestions) }
}

function readSuggestions(suggestions: unknown): ReturnType<typeof buttonsIn> {
  return buttonsIn(
    rowsOf(suggestions).map(({ reply, action }) =>
      isRow(reply)
        ? { kind: 'reply', text: reply['text'] }
        : { kind: kindOf(rowOf(action)), text: rowOf(action)['text'] },
    ),
  )
}

const kindByAction: Record<string, MessageButton['kind']> = {
  openUrlAction: 'url',
  dialAction: 'call',
  viewLocationAction: 'location',
  shareLocationAction: 'location',
  createCalendarEventAction: 'calendar',
}

function kindOf(action: Row): MessageButton['kind'] {
  return Object.entries(kindByAction).find(([name]) => name in action)?.[1] ?? 'reply'
}

/** What a template shows with these values. */
export function templateBody(content: RcsTemplateContent, values: RcsVariableValues): MessageBody {
  const { type, textMessageContent, standAlone, carouselList, suggestions } = content
  const fill = (text: string) => compileRcsText(text)(values)
  const showCard = ({ cardTitle, cardDescription, suggestions: own }: RcsCard): MessageCard => ({
    title: lineIn(fill(cardTitle)) ?? '',
    text: textIn(fill(cardDescription)),
    buttons: [],
    ...buttonsIn(own.map(rcsButton)),
  })
  const buttons = buttonsIn(suggestions.map(rcsButton))
  if (type === 'text_message') return { type: 'text', text: textIn(fill(textMessageContent)), ...buttons }
  if (type === 'rich_card_standalone')
    return { type: 'card', text: '', cards: standAlone ? [showCard(standAlone)] : [], ...buttons }
  const inOrder = carouselList.toSorted((one, other) => one.order - other.order)
  return { type: 'carousel', text: '', cards: inOrder.map(showCard), ...buttons }
}
