import type { OutboundMessage } from '../provider.ts'

/** What a WhatsApp message shows: its type, and under that name its content, as the Cloud API writes both. */
export type WhatsappContent =
  | { type: 'template'; template: { name: string; language: { code: string }; components: unknown[] } }
  | { type: 'text'; text: { body: string; preview_url?: boolean } }
  | {
      type: 'image' | 'video' | 'audio' | 'document' | 'sticker' | 'location' | 'contacts' | 'interactive' | 'reaction'
      [content: string]: unknown
    }

/** One WhatsApp message as a provider gets it. It leaves from the line that its session was opened for. */
export type WhatsappMessage = OutboundMessage & {
  content: WhatsappContent
  /** The person's message that it answers, by the provider's id. */
  inReplyTo?: string
}
