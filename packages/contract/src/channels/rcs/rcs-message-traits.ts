import type { ButtonKind, MessageTraits } from '../../message-traits.ts'
import { traitsOfText } from '../../plain-traits.ts'
import type { RcsCard, RcsSuggestion, RcsTemplateContent } from './rcs-templates.ts'
import { listRcsVariables } from './rcs-variables.ts'

/** What an RCS template consists of. A single card is the message itself; only a carousel's cards are counted. */
export function summarizeRcs(content: RcsTemplateContent): MessageTraits {
  const { type, textMessageContent, standAlone, carouselList, suggestions } = content
  const variables = listRcsVariables(content)
  if (type === 'carousel') {
    const texts = carouselList.flatMap(({ cardTitle, cardDescription }) => [cardTitle, cardDescription])
    const text = texts.filter(Boolean).join('\n')
    return { ...traitsOfText(text, variables), cards: carouselList.length, buttons: suggestions.map(buttonOf) }
  }
  if (type === 'text_message' || !standAlone)
    return { ...traitsOfText(textMessageContent, variables), buttons: suggestions.map(buttonOf) }
  return {
    ...traitsOfText(standAlone.cardDescription, variables),
    ...countMedia(standAlone),
    heading: standAlone.cardTitle,
    buttons: [...standAlone.suggestions, ...suggestions].map(buttonOf),
  }
}

/** By the ending of the address; media without one is an image. */
function countMedia({ mediaUrl }: RcsCard): Pick<MessageTraits, 'images' | 'videos' | 'documents'> {
  const path = mediaUrl.replace(/[?#].*$/, '').toLowerCase()
  const isDocument = path.endsWith('.pdf')
  const isVideo = /\.(?:mp4|m4v|mpe?g|webm|3gp)$/.test(path)
  const isImage = path !== '' && !isDocument && !isVideo
  return { images: Number(isImage), videos: Number(isVideo), documents: Number(isDocument) }
}

const buttonKinds: Record<RcsSuggestion['type'], ButtonKind> = {
  reply: 'reply',
  open_url: 'url',
  dial: 'call',
  view_location: 'location',
  share_location: 'location',
  create_calendar_event: 'calendar',
}

function buttonOf(suggestion: RcsSuggestion): MessageTraits['buttons'][number] {
  const target =
    suggestion.type === 'open_url' ? suggestion.url : suggestion.type === 'dial' ? suggestion.phoneNumber : ''
  return { kind: buttonKinds[suggestion.type], text: suggestion.text, target }
}
