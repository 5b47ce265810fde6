import { advice, type RcsFinding } from '@carillon/contract/channels/rcs/rcs-findings'
import { rcsLimits } from '@carillon/contract/channels/rcs/rcs-limits'
import { checkRcsTemplate } from '@carillon/contract/channels/rcs/rcs-template-rules'
import type { RcsCard, RcsSuggestion, RcsTemplateInput } from '@carillon/contract/channels/rcs/rcs-templates'
import { truncate } from '@carillon/contract/text'
import { addCard } from './card-list.ts'
import { tallestCard, tallText } from './equal-heights.ts'
import { inputOf } from './form.ts'
import {
  cardAt,
  cardOfField,
  cardPath,
  mostSuggestions,
  suggestionOfField,
  suggestionsAt,
  withCard,
  withSuggestions,
} from './places.ts'

/** The rules of RCS, and advice on how the cards look together. */
export function findingsOf(input: RcsTemplateInput): RcsFinding[] {
  const tall = tallestCard(input)
  return [
    ...checkRcsTemplate(inputOf({ input })),
    ...(tall ? [advice(`${cardPath(tall.index)}.cardDescription`, tallText(tall))] : []),
  ]
}

/** A change that removes a finding without a decision of the author. */
export type Fix = { label: string; apply: (input: RcsTemplateInput) => RcsTemplateInput }

export function fixOf(input: RcsTemplateInput, { field, message }: RcsFinding): Fix | undefined {
  const own = fixes[field]
  if (own) return own(input, message)
  if (field.includes('suggestions')) return suggestionFix(input, field, message)
  return cardFix(input, field, message)
}

const fixes: Record<string, (input: RcsTemplateInput, message: string) => Fix | undefined> = {
  name: (_, message) => (isTooLong(message) ? cut('name', rcsLimits.name) : undefined),
  textMessageContent: (_, message) => (isTooLong(message) ? cut('textMessageContent', rcsLimits.text) : undefined),
  orientation: () => ({ label: 'Make vertical', apply: (input) => ({ ...input, orientation: 'VERTICAL' }) }),
  height: () => ({ label: 'Use medium cards', apply: (input) => ({ ...input, width: 'MEDIUM' }) }),
  carouselList: ({ carouselList }) =>
    carouselList.length < rcsLimits.minimumCards
      ? {
          label: 'Add card',
          apply: (input) => ({ ...input, carouselList: addCard(input.carouselList)?.cards ?? input.carouselList }),
        }
      : undefined,
}

function cut(field: 'name' | 'textMessageContent', most: number): Fix {
  return { label: 'Shorten', apply: (input) => ({ ...input, [field]: truncate(input[field], most) }) }
}

const isTooLong = (message: string) => message.startsWith('At most') && message.endsWith('characters')

const textLimits = { cardTitle: rcsLimits.title, cardDescription: rcsLimits.description } as const

function cardFix(input: RcsTemplateInput, field: string, message: string): Fix | undefined {
  const place = cardOfField(field)
  const card = place === undefined ? undefined : cardAt(input, place)
  const name = (['cardTitle', 'cardDescription'] as const).find((one) => field.endsWith(`.${one}`))
  if (place === undefined || !card || !name) return undefined
  const change =
    (patch: Partial<RcsCard>): Fix['apply'] =>
    (before) =>
      withCard(before, place, patch)
  if (isTooLong(message)) return { label: 'Shorten', apply: change({ [name]: truncate(card[name], textLimits[name]) }) }
  const tall = tallestCard(input)
  if (tall?.trimmed === undefined || tallText(tall) !== message) return undefined
  return { label: 'Trim', apply: change({ cardDescription: tall.trimmed }) }
}

function suggestionFix(input: RcsTemplateInput, field: string, message: string): Fix | undefined {
  const place = cardOfField(field)
  const index = suggestionOfField(field)
  const all = suggestionsAt(input, place)
  const most = mostSuggestions(place)
  if (index === undefined)
    return message.endsWith('suggestions')
      ? { label: `Keep ${most}`, apply: (before) => withSuggestions(before, place, all.slice(0, most)) }
      : undefined
  const suggestion = all[index]
  const fixed = suggestion && fixedSuggestion(suggestion, { message, name: field.split('.').at(-1), all })
  if (!fixed) return undefined
  const next = all.map((one, at) => (at === index ? fixed.suggestion : one))
  return { label: fixed.label, apply: (before) => withSuggestions(before, place, next) }
}

type Broken = { message: string; name: string | undefined; all: readonly RcsSuggestion[] }

function fixedSuggestion(
  suggestion: RcsSuggestion,
  { message, name, all }: Broken,
): { label: string; suggestion: RcsSuggestion } | undefined {
  if (name === 'text' && isTooLong(message))
    return {
      label: 'Shorten',
      suggestion: { ...suggestion, text: truncate(suggestion.text, rcsLimits.suggestionText).trimEnd() },
    }
  if (name === 'postbackData' && message.startsWith('Another'))
    return { label: 'Make unique', suggestion: { ...suggestion, postbackData: freePostback(suggestion, all) } }
  if (name === 'url' && message.includes('not https') && suggestion.type === 'open_url')
    return { label: 'Use https', suggestion: { ...suggestion, url: suggestion.url.replace(/^http:/i, 'https:') } }
  return undefined
}

function freePostback({ postbackData, text }: RcsSuggestion, all: readonly RcsSuggestion[]): string {
  const base = postbackData || text.trim().toLowerCase()
  const used = new Set(all.map((one) => one.postbackData))
  let number = 2
  while (used.has(`${base}_${number}`)) number += 1
  return `${base}_${number}`
}
