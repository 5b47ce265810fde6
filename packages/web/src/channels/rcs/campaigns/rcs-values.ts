import type { VariableSource } from '@carillon/contract/campaign-records'
import type { DraftLeg } from '@carillon/contract/draft-legs'
import { listVariablesOf } from '@carillon/contract/channels/rcs/rcs-variables'
import type { RcsTemplateContent } from '@carillon/contract/channels/rcs/rcs-templates'
import { valueOf } from '@carillon/contract/variable-values'
import type { MessagePart } from '../../../ui/phone/pieces.ts'
import { cardsOf, rcsMessageOf } from '../phone-message.ts'
import type { RcsMessage } from '../phone/rcs-message.ts'

/** One source for each variable of the template, in the order of `listRcsVariables`. */
type RcsLegValues = { variables: readonly VariableSource[] }

export const emptyValues: RcsLegValues = { variables: [] }

/** The values of a leg. Saved ones were validated by the server; a leg that is new to this channel has none. */
export function variablesOf({ values }: Pick<DraftLeg, 'values'>): readonly VariableSource[] {
  return isValues(values) ? values.variables : []
}

function isValues(values: unknown): values is RcsLegValues {
  return typeof values === 'object' && values !== null && 'variables' in values && Array.isArray(values.variables)
}

type Use = { text: string; part: MessagePart; label: string }

/** Where a variable is used first: the part of the phone, and its name. */
export function firstUseOf(content: RcsTemplateContent, name: string): Use | undefined {
  return usesOf(content).find(({ text }) => listVariablesOf(text).includes(name))
}

function usesOf(content: RcsTemplateContent): Use[] {
  const cards = cardsOf(content)
  const urls = (list: RcsTemplateContent['suggestions']) =>
    list.map((one) => (one.type === 'open_url' ? one.url : '')).join(' ')
  return [
    ...(content.type === 'text_message'
      ? [{ text: content.textMessageContent, part: 'body' as const, label: 'Text' }]
      : []),
    ...cards.flatMap((card, index): Use[] => {
      const owner = content.type === 'carousel' ? ` of card ${index + 1}` : ''
      return [
        { text: card.mediaUrl, part: `card.${index}.media`, label: `Media${owner}` },
        { text: card.cardTitle, part: `card.${index}.title`, label: `Title${owner}` },
        { text: card.cardDescription, part: `card.${index}.description`, label: `Description${owner}` },
        { text: urls(card.suggestions), part: `card.${index}.suggestions`, label: `Link${owner}` },
      ]
    }),
    { text: urls(content.suggestions), part: 'suggestions', label: 'Link below the message' },
  ]
}

type Filling = {
  names: readonly string[]
  sources: readonly VariableSource[]
  columns: readonly string[]
  /** A recipient's cells; 'names' for the message to all. */
  row: readonly string[] | 'names'
  brand: Pick<RcsMessage, 'sender' | 'color' | 'logoUrl' | 'isVerified'>
}

/** A template as shown on one recipient's phone. */
export function filledMessage(
  content: RcsTemplateContent,
  { names, sources, columns, row, brand }: Filling,
): RcsMessage {
  return rcsMessageOf(content, brand, (name) => {
    const source = sources[names.indexOf(name)]
    const column = source?.column === undefined ? undefined : (columns[source.column] ?? `Column ${source.column + 1}`)
    const value = row === 'names' ? valueForAll(source) : valueOf(source, row)
    return { value, label: column ?? name, column }
  })
}

function valueForAll(source: VariableSource | undefined): string | undefined {
  return source?.column === undefined && source?.fallback ? source.fallback : undefined
}
