import type { OutboundMessage } from '../provider.ts'

/** One SMS as a provider gets it, rendered and counted. */
export type SmsMessage = OutboundMessage & {
  /** The header or number it comes from. */
  from: string
  text: string
  encoding: 'gsm7' | 'ucs2'
  /** DLT's principal entity and template, where the operator asks for them. */
  entityId: string | undefined
  dltTemplateId: string | undefined
}
