import type { MessagePiece, VariableSource } from '@carillon/contract/campaign-records'
import { parseSmsTemplate } from '@carillon/contract/sms-variables'

/** What a variable is for one row: the cell of its column, else what stands in for it; cut where the campaign says so. */
export function valueOf(source: VariableSource | undefined, cells: readonly string[]): string {
  if (!source) return ''
  const cell = source.column === undefined ? '' : (cells[source.column] ?? '')
  const value = cell === '' ? source.fallback : cell
  return source.trimTo !== undefined && value.length > source.trimTo
    ? Array.from(value).slice(0, source.trimTo).join('')
    : value
}

export type Filling = {
  body: string
  /** The template's own names, in order of appearance. */
  names: readonly string[]
  sources: readonly VariableSource[]
  columns: readonly string[]
}

/** The template's pieces as one row fills them, each variable with its name and where its value came from. */
export function fillPieces({ body, names, sources, columns }: Filling, cells: readonly string[]): MessagePiece[] {
  return parseSmsTemplate(body).map((piece) => {
    if (typeof piece === 'string') return { text: piece }
    const source = sources[piece.index]
    const text = valueOf(source, cells)
    const variable = names[piece.index] ?? `${piece.kind}${piece.index + 1}`
    const column =
      source?.column !== undefined && (cells[source.column] ?? '') !== '' ? columns[source.column] : undefined
    return { text, variable, ...(column === undefined ? {} : { column }), ...(text === '' ? { missing: true } : {}) }
  })
}
