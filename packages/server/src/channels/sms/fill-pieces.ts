import type { MessagePiece, VariableSource } from '@carillon/contract/campaign-records'
import { parseSmsTemplate } from '@carillon/contract/channels/sms/sms-variables'
import { valueOf } from '@carillon/contract/variable-values'

export type Filling = {
  body: string
  /** Names in the template, in order of appearance. */
  names: readonly string[]
  sources: readonly VariableSource[]
  columns: readonly string[]
}

/** The template's pieces with the values of one row, each variable with its name and the source of its value. */
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
