import { lazyPart } from '../../../lib/lazy-part.tsx'
import { textOfPieces } from '../../../ui/phone/pieces.ts'
import type { ChannelPhone, PhoneScreenProps } from '../../channel-phone.ts'
import { PhoneLoading } from '../../phone/phone-loading.tsx'
import type { PhoneMessage } from '../../phone/phone-message.ts'
import type { RcsMessage, RcsPhoneCard, RcsPhoneSuggestion } from './rcs-message.ts'

const RcsScreen = lazyPart(() => import('./rcs-screen.tsx').then((code) => code.RcsScreen), <PhoneLoading />)

function Screen({ message, ...props }: PhoneScreenProps) {
  return message.channel === 'rcs' ? <RcsScreen message={message} {...props} /> : null
}

const open = (text: string, page: string): RcsPhoneSuggestion => ({
  kind: 'open_url',
  text,
  effect: `Opens ${page} in the browser`,
})
const reply = (text: string): RcsPhoneSuggestion => ({
  kind: 'reply',
  text,
  effect: `Sends “${text}” to you as a message`,
})
const brand = { channel: 'rcs', sender: 'Acme Retail', color: '#12505e', isVerified: true } as const

const sale: RcsMessage = {
  ...brand,
  pieces: [],
  isCarousel: true,
  layout: { width: 'MEDIUM', height: 'SHORT' },
  cards: [
    {
      media: { kind: 'image' },
      title: [{ text: 'Brass diyas' }],
      description: [{ text: 'Set of six, from ₹499.' }],
      suggestions: [open('Shop diyas', 'acme.in/diyas')],
    },
    {
      media: { kind: 'image' },
      title: [{ text: 'String lights' }],
      description: [{ text: 'Ten metres, from ₹349.' }],
      suggestions: [open('Shop lights', 'acme.in/lights')],
    },
  ],
  suggestions: [reply('Remind me'), reply('Stop')],
}

export const rcsPhone: ChannelPhone = {
  Screen,
  hasParts: false,
  withoutLabel: 'No RCS',
  textOf,
  examples: [sale],
  greetingOf: (text) => ({ ...brand, sender: 'Hello', pieces: [{ text }] }),
}

function textOf(message: PhoneMessage): string {
  if (message.channel !== 'rcs') return textOfPieces(message.pieces)
  const { pieces, cards = [], suggestions = [], isCarousel } = message
  return [
    textOfPieces(pieces),
    ...cards.map((card, index) => textOfCard(card, isCarousel ? `Card ${index + 1} of ${cards.length}` : '')),
    ...suggestions.map(labelled),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function textOfCard({ media, title, description, suggestions }: RcsPhoneCard, heading: string): string {
  const shown = media ? `(${[media.kind, media.description].filter(Boolean).join(': ')})` : ''
  return [heading, shown, textOfPieces(title), textOfPieces(description), ...suggestions.map(labelled)]
    .filter((part) => part !== '')
    .join('\n')
}

const labelled = ({ text, effect }: RcsPhoneSuggestion) => `[${text || 'Suggestion'}] ${effect}`
