import type { ButtonKind, MessageTraits } from '../../message-traits.ts'
import { traitsOfText } from '../../plain-traits.ts'
import type { RcsCard, RcsSuggestion, RcsTemplateContent } from './rcs-templates.ts'
import { listRcsVariables } from './rcs-variables.ts'

/** What an RCS template consists of. A single card is the message itself; only a carousel's cards are counted. */
export function summarizeRcs(content: RcsTemplateContent): MessageTraits {
  const { type, textMessageContent, standAlone, carouselList, suggestions } = content
  const variables = listRcsVariables(content)
  if (type === 'carousel') {
    const cards = carouselList.toSorted((one, other) => one.order - other.order)
    const texts = cards.flatMap(({ cardTitle, cardDescription }) => [cardTitle, cardDescription])
    const text = texts.filter(Boolean).join('\n')
    return { ...traitsOfText(text, variables), cards: cards.length, buttons: suggestions.map(rcsButton) }
  }
  if (type === 'text_message' || !standAlone)
    return { ...traitsOfText(textMessageContent, variables), buttons: suggestions.map(rcsButton) }
  return {
    ...traitsOfText(standAlone.cardDescription, variables),
    ...countMedia(standAlone),
    heading: standAlone.cardTitle,
    buttons: [...standAlone.suggestions, ...suggestions].map(rcsButton),
  }
}

function countMedia({ mediaUrl }: RcsCard): Pick<MessageTraits, 'images' | 'videos' | 'documents'> {
  const kind = mediaUrl === '' ? undefined : rcsMediaKind(mediaUrl)
  return { images: Number(kind === 'image'), videos: Number(kind === 'video'), documents: Number(kind === 'pdf') }
}

/** By the ending of the URL, because the content type is known only once it is loaded. */
export function rcsMediaKind(url: string): 'image' | 'video' | 'pdf' {
  const path = url.replace(/[?#].*$/, '')
  if (/\.pdf$/i.test(path)) return 'pdf'
  return /\.(?:mp4|m4v|mpe?g|webm|mov|3gp)$/i.test(path) ? 'video' : 'image'
}

const buttonKinds: Record<RcsSuggestion['type'], ButtonKind> = {
  reply: 'reply',
  open_url: 'url',
  dial: 'call',
  view_location: 'location',
  share_location: 'location',
  create_calendar_event: 'calendar',
}

export function rcsButton(suggestion: RcsSuggestion): MessageTraits['buttons'][number] {
  const target =
    suggestion.type === 'open_url' ? suggestion.url : suggestion.type === 'dial' ? suggestion.phoneNumber : ''
  return { kind: buttonKinds[suggestion.type], text: suggestion.text, target }
}
