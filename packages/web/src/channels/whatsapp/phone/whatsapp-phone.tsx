import { lazyPart } from '../../../lib/lazy-part.tsx'
import { textOfPieces } from '../../../ui/phone/pieces.ts'
import type { ChannelPhone, PhoneScreenProps } from '../../channel-phone.ts'
import type { PhoneMessage } from '../../phone/phone-message.ts'
import { PhoneLoading } from '../../phone/phone-loading.tsx'

const WhatsappScreen = lazyPart(
  () => import('./whatsapp-screen.tsx').then((code) => code.WhatsappScreen),
  <PhoneLoading />,
)

function Screen({ message, ...props }: PhoneScreenProps) {
  return message.channel === 'whatsapp' ? <WhatsappScreen message={message} {...props} /> : null
}

export const whatsappPhone: ChannelPhone = {
  Screen,
  hasParts: false,
  textOf,
  examples: [
    {
      channel: 'whatsapp',
      sender: 'Acme Retail',
      header: { kind: 'image' },
      pieces: [{ text: 'Hi Priya, the Diwali sale opens for you first. Use code EARLY20 in any store.' }],
      footer: 'Reply STOP to opt out',
      buttons: [
        { kind: 'url', text: 'Shop the sale' },
        { kind: 'copy', text: 'Copy offer code' },
      ],
    },
  ],
}

function textOf(message: PhoneMessage): string {
  if (message.channel !== 'whatsapp') return textOfPieces(message.pieces)
  const { header, pieces, footer, buttons = [], cards = [] } = message
  const headText = header?.kind === 'text' ? textOfPieces(header.pieces) : header ? `(${header.kind})` : ''
  const cardTexts = cards.map((card, index) => `${index + 1}. ${textOfPieces(card.pieces)}`)
  return [headText, textOfPieces(pieces), ...cardTexts, footer ?? '', ...buttons.map(({ text }) => `[${text}]`)]
    .filter((part) => part !== '')
    .join('\n\n')
}
