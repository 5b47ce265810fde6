import type { OutboundMessage } from '../provider.ts'

/** The content of a WhatsApp message: its type, and under that name its fields, in the format of the Cloud API. */
export type WhatsappContent =
  | { type: 'template'; template: { name: string; language: { code: string }; components: unknown[] } }
  | { type: 'text'; text: { body: string; preview_url?: boolean } }
  | {
      type: 'image' | 'video' | 'audio' | 'document' | 'sticker' | 'location' | 'contacts' | 'interactive' | 'reaction'
      [content: string]: unknown
    }

/** One WhatsApp message as a provider gets it. It is sent from the line of its session. */
export type WhatsappMessage = OutboundMessage & {
  content: WhatsappContent
  /** Provider id of the person's message that it replies to. */
  inReplyTo?: string
}
