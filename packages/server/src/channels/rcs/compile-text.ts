import { rcsVariable } from '@carillon/contract/channels/rcs/rcs-variables'

export type FillText = (values: ReadonlyMap<string, string>) => string

/** A text with variables, filled with values by name. `write` encodes a value: for the query of a URL, for example. */
export function compileRcsText(text: string, write: (value: string) => string = (value) => value): FillText {
  const pieces: (string | { name: string })[] = []
  let end = 0
  for (const match of text.matchAll(rcsVariable)) {
    pieces.push(text.slice(end, match.index), { name: match[1] ?? '' })
    end = match.index + match[0].length
  }
  if (pieces.length === 0) return () => text
  pieces.push(text.slice(end))
  return (values) =>
    pieces.map((piece) => (typeof piece === 'string' ? piece : write(values.get(piece.name) ?? ''))).join('')
}
