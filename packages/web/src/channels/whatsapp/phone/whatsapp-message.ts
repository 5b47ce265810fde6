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

const hole = /\{\{\s*([^{}]*?)\s*\}\}/g

type Fill = { value?: string | undefined; label?: string | undefined; column?: string | undefined }

/** Splits a text at its `{{variables}}`; those without a value show their name. */
export function whatsappPieces(text: string, fillOf: (name: string) => Fill | undefined): MessagePiece[] {
  const pieces: MessagePiece[] = []
  let from = 0
  for (const found of text.matchAll(hole)) {
    if (found.index > from) pieces.push({ text: text.slice(from, found.index) })
    const name = found[1] ?? ''
    const { value, label, column } = fillOf(name) ?? {}
    pieces.push(
      value ? { text: value, variable: name, column } : { text: label ?? `{{${name}}}`, variable: name, missing: true },
    )
    from = found.index + found[0].length
  }
  if (from < text.length) pieces.push({ text: text.slice(from) })
  return pieces
}
