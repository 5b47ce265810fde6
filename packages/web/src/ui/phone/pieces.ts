/** A piece of a message: fixed text, or a variable's value with its source. */
export type MessagePiece = {
  text: string
  variable?: string | undefined
  column?: string | undefined
  /** The recipient has no value for it. */
  missing?: boolean | undefined
}

/** A part of a rich message with its own field in a form. */
export type MessagePart = 'header' | 'body' | 'footer' | 'buttons' | 'cards'

export function textOfPieces(pieces: readonly MessagePiece[]): string {
  return pieces.map(({ text }) => text).join('')
}
