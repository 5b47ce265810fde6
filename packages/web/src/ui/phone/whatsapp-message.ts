import type { MessagePiece } from './pieces.ts'

export type WhatsappMediaKind = 'image' | 'video' | 'document'

export type WhatsappPhoneHeader =
  | { kind: 'text'; pieces: readonly MessagePiece[] }
  /** Without an address a picture of the kind stands there. */
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
  /** The name of the business in the head of the conversation. */
  sender: string
  picture?: string | undefined
  header?: WhatsappPhoneHeader | undefined
  pieces: readonly MessagePiece[]
  footer?: string | undefined
  buttons?: readonly WhatsappPhoneButton[] | undefined
  cards?: readonly WhatsappPhoneCard[] | undefined
  /** Long texts of marketing are folded by the phone. */
  folds?: boolean | undefined
  /** What the recipient answered, under it. */
  answer?: string | undefined
}

/** A part of the message that has a field of its own. */
export type WhatsappPart = 'header' | 'body' | 'footer' | 'buttons' | 'cards'

const hole = /\{\{\s*([^{}]*?)\s*\}\}/g

type Fill = { value?: string | undefined; label?: string | undefined; column?: string | undefined }

/** Splits a text at its `{{variables}}`; what has no value stands there under its name. */
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
