import type { RcsSuggestion, RcsTemplateContent } from '@carillon/contract/channels/rcs/rcs-templates'
import type { MessagePiece } from '../../../ui/phone/pieces.ts'

export type RcsPhoneMedia = {
  kind: 'image' | 'video' | 'pdf'
  /** Without a URL, or with one that has an open variable, a placeholder of the kind is shown. */
  url?: string | undefined
  /** Preview image of a video. */
  thumbnailUrl?: string | undefined
  description?: string | undefined
}

export type RcsPhoneSuggestion = {
  kind: RcsSuggestion['type']
  text: string
  /** What the phone does when it is tapped, as a sentence. A reply is sent instead. */
  effect: string
}

export type RcsPhoneCard = {
  media?: RcsPhoneMedia | undefined
  title: readonly MessagePiece[]
  description: readonly MessagePiece[]
  suggestions: readonly RcsPhoneSuggestion[]
}

type Layout = Pick<RcsTemplateContent, 'orientation' | 'alignment' | 'height' | 'width'>

export type RcsMessage = {
  channel: 'rcs'
  /** The bot's name. */
  sender: string
  /** Its brand colour, as #rrggbb. */
  color?: string | undefined
  logoUrl?: string | undefined
  isVerified?: boolean | undefined
  /** The text of a text message; empty for cards. */
  pieces: readonly MessagePiece[]
  cards?: readonly RcsPhoneCard[] | undefined
  /** Whether the cards are a carousel: they have one width and height, and can be swiped. */
  isCarousel?: boolean | undefined
  layout?: Partial<Layout> | undefined
  suggestions?: readonly RcsPhoneSuggestion[] | undefined
}

/** Fields of a card in templates of both card types, by part of the phone. */
export const cardFields = {
  media: 'mediaUrl',
  title: 'cardTitle',
  description: 'cardDescription',
  suggestions: 'suggestions',
} as const
