import type { MessagePiece } from '../../../ui/phone/pieces.ts'

const placeholder = /\{#(\w+)#\}/g

type Filling = { name: string; value?: string | undefined }

/** Splits a template's body at its DLT placeholders; each takes its name and value by order of appearance. */
export function piecesOf(body: string, fillings: readonly Filling[]): MessagePiece[] {
  const pieces: MessagePiece[] = []
  let from = 0
  let place = 0
  for (const found of body.matchAll(placeholder)) {
    if (found.index > from) pieces.push({ text: body.slice(from, found.index) })
    const filling = fillings[place]
    const name = filling?.name ?? `${found[1] ?? 'var'} ${place + 1}`
    pieces.push(
      filling?.value ? { text: filling.value, variable: name } : { text: name, variable: name, missing: true },
    )
    from = found.index + found[0].length
    place += 1
  }
  if (from < body.length) pieces.push({ text: body.slice(from) })
  return pieces
}
