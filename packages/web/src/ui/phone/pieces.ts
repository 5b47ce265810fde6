/** A piece of a message: fixed text, or a variable's value with its source. */
export type MessagePiece = {
  text: string
  variable?: string | undefined
  column?: string | undefined
  /** The recipient has no value for it. */
  missing?: boolean | undefined
}

export type CardPart = 'media' | 'title' | 'description' | 'suggestions'

/** A part of a rich message with its own field in a form; cards by index. */
export type MessagePart =
  | 'header'
  | 'body'
  | 'footer'
  | 'buttons'
  | 'cards'
  | 'suggestions'
  | `card.${number}.${CardPart}`

export function textOfPieces(pieces: readonly MessagePiece[]): string {
  return pieces.map(({ text }) => text).join('')
}

const variable = /\{\{\s*([^{}]*?)\s*\}\}/g

type Fill = { value?: string | undefined; label?: string | undefined; column?: string | undefined }

/** Splits a text at its `{{variables}}`; those without a value show their name. */
export function bracedPieces(text: string, fillOf: (name: string) => Fill | undefined): MessagePiece[] {
  const pieces: MessagePiece[] = []
  let from = 0
  for (const found of text.matchAll(variable)) {
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
