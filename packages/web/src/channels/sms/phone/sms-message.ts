import type { MessagePiece } from '../../../ui/phone/pieces.ts'

export type SmsMessage = {
  channel: 'sms'
  /** Sender shown on the phone: VM-ACMERT-P. */
  sender: string
  pieces: readonly MessagePiece[]
}
