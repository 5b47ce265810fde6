import type { RcsCategory } from '@carillon/contract/channels/rcs/rcs-templates'
import type { OutboundMessage } from '../provider.ts'

/** Why a message is sent, for the operator. `SERVICEREQUEST`: it answers a person's message. */
export type RcsTraffic = RcsCategory | 'SERVICEREQUEST'

export type RcsSuggestionJson =
  | { reply: { text: string; postbackData: string } }
  | { action: { text: string; postbackData: string; [action: string]: unknown } }

export type RcsCardJson = {
  title?: string
  description?: string
  media?: {
    height: string
    contentInfo: { fileUrl: string; thumbnailUrl?: string }
    contentDescription?: string
  }
  suggestions?: RcsSuggestionJson[]
}

export type RcsRichCardJson =
  | { standaloneCard: { cardOrientation: string; thumbnailImageAlignment?: string; cardContent: RcsCardJson } }
  | { carouselCard: { cardWidth: string; cardContents: RcsCardJson[] } }

/** The content of a message in the format of RCS Business Messaging (`contentMessage`). */
export type RcsContentJson = { suggestions?: RcsSuggestionJson[] } & ({ text: string } | { richCard: RcsRichCardJson })

/** A template that the operator approved, with the values of its variables in their order. */
export type RcsTemplateMessage = { name: string; params: Record<string, string> }

/** One RCS message as a provider gets it. */
export type RcsMessage = OutboundMessage & {
  content: RcsContentJson
  traffic: RcsTraffic
  /** How operators bill it. */
  priceClass: 'basic' | 'single'
  /** Set if the sender's operator reviews templates. */
  template?: RcsTemplateMessage | undefined
}
