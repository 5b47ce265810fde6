import type { MessagePiece, VariableSource } from '@carillon/contract/campaign-records'
import type { RcsTemplateContent } from '@carillon/contract/channels/rcs/rcs-templates'
import { listRcsVariables, rcsVariable } from '@carillon/contract/channels/rcs/rcs-variables'
import { valueOf } from '@carillon/contract/variable-values'
import type { RowValues } from '../channel.ts'
import type { RcsContentJson } from './message.ts'
import type { RcsLeg } from './template-leg.ts'

/** The texts of a template from top to bottom; its media and actions are not part of it. */
export function templateText({ type, textMessageContent, standAlone, carouselList }: RcsTemplateContent): string {
  if (type === 'text_message') return textMessageContent
  const inOrder = carouselList.toSorted((one, other) => one.order - other.order)
  const cards = type === 'carousel' ? inOrder : standAlone ? [standAlone] : []
  return joinTexts(cards.flatMap(({ cardTitle, cardDescription }) => [cardTitle, cardDescription]))
}

/** The texts of a message from top to bottom. */
export function messageText(content: RcsContentJson): string {
  if ('text' in content) return content.text
  const { richCard } = content
  const cards = 'carouselCard' in richCard ? richCard.carouselCard.cardContents : [richCard.standaloneCard.cardContent]
  return joinTexts(cards.flatMap(({ title = '', description = '' }) => [title, description]))
}

const joinTexts = (texts: readonly string[]) => texts.filter((text) => text !== '').join('\n')

/** The pieces of a template's text: fixed texts, and variables with the values of one row. */
export function readPieces({ template, values }: RcsLeg, row: RowValues): MessagePiece[] {
  const names = listRcsVariables(template.content)
  const sourceByName = new Map(names.map((name, index) => [name, values.variables[index]]))
  const text = templateText(template.content)
  const pieces: MessagePiece[] = []
  let end = 0
  for (const match of text.matchAll(rcsVariable)) {
    const name = match[1] ?? ''
    pieces.push({ text: text.slice(end, match.index) }, readVariable(name, sourceByName.get(name), row))
    end = match.index + match[0].length
  }
  pieces.push({ text: text.slice(end) })
  return pieces.filter((piece) => piece.text !== '' || piece.variable !== undefined)
}

function readVariable(name: string, source: VariableSource | undefined, { cells, columns }: RowValues): MessagePiece {
  const text = valueOf(source, cells)
  const column =
    source?.column !== undefined && (cells[source.column] ?? '') !== '' ? columns[source.column] : undefined
  return {
    text,
    variable: name,
    ...(column === undefined ? {} : { column }),
    ...(text === '' ? { missing: true } : {}),
  }
}
