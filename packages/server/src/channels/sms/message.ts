import type { OutboundMessage } from '../provider.ts'

/** One rendered SMS as a provider gets it. */
export type SmsMessage = OutboundMessage & {
  /** The header or number of the sender. */
  from: string
  text: string
  encoding: 'gsm7' | 'ucs2'
  /** DLT's principal entity and template, if the operator requires them. */
  entityId: string | undefined
  dltTemplateId: string | undefined
}
