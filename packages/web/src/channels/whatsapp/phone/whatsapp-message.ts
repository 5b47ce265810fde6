import type { MessagePart, MessagePiece } from '../../../ui/phone/pieces.ts'

export type WhatsappMediaKind = 'image' | 'video' | 'document'

export type WhatsappPhoneHeader =
  | { kind: 'text'; pieces: readonly MessagePiece[] }
  /** Without a URL, a placeholder of the kind is shown. */
  | { kind: WhatsappMediaKind; url?: string | undefined; name?: string | undefined }
  | { kind: 'location'; name?: string | undefined; address?: string | undefined }

export type WhatsappPhoneButton = { kind: 'reply' | 'url' | 'phone' | 'copy' | 'autofill'; text: string }

export type WhatsappPhoneCard = {
  header: WhatsappPhoneHeader
  pieces: readonly MessagePiece[]
  buttons: readonly WhatsappPhoneButton[]
}

export type WhatsappMessage = {
  channel: 'whatsapp'
  /** The business name in the conversation's header. */
  sender: string
  picture?: string | undefined
  header?: WhatsappPhoneHeader | undefined
  pieces: readonly MessagePiece[]
  footer?: string | undefined
  buttons?: readonly WhatsappPhoneButton[] | undefined
  cards?: readonly WhatsappPhoneCard[] | undefined
  /** Long marketing texts are collapsed by the phone. */
  folds?: boolean | undefined
  /** The recipient's reply, shown below. */
  answer?: string | undefined
}

export type WhatsappPart = MessagePart
