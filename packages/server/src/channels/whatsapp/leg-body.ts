import type { MessageBody } from '@carillon/contract/conversation-records'
import { whatsappButton } from '@carillon/contract/channels/whatsapp/whatsapp-message-traits'
import type { TemplateButton } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { buttonsIn, lineIn, textIn } from '../body-parts.ts'
import type { TemplateLeg } from './template-leg.ts'
import { fillValues, textsOf } from './text-of.ts'

/** What a template shows with the values of one row. */
export function legBody(leg: TemplateLeg, cells: readonly string[]): MessageBody {
  const { content } = leg.template
  const { header, body, footer, cards } = textsOf(content, fillValues(leg, cells))
  const { media } = leg.values
  return {
    type: 'template',
    text: textIn(body),
    header: lineIn(header),
    footer: lineIn(footer),
    ...(media && 'fileId' in media && media.fileId && { media: { state: 'waiting' as const, fileId: media.fileId } }),
    ...buttonsIn(labelled(content.buttons)),
    ...(cards.length > 0 && {
      cards: content.cards.map((card, index) => ({
        title: '',
        text: textIn(cards[index]),
        buttons: [],
        ...buttonsIn(labelled(card.buttons)),
      })),
    }),
  }
}

/** Buttons that copy a code have a label of Meta's. */
function labelled(buttons: readonly TemplateButton[]): Parameters<typeof buttonsIn>[0] {
  return buttons.map((button) => {
    const { kind, text } = whatsappButton(button)
    return { kind, text: text === '' && kind === 'copy' ? 'Copy code' : text }
  })
}
