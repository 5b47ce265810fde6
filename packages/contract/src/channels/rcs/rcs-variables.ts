import type { RcsTemplateContent } from './rcs-templates.ts'

/** A variable of an RCS template: `{{name}}`; its name is the first group. */
export const rcsVariable = /\{\{\s*([^{}]*?)\s*\}\}/g

/** The texts of a template that may contain variables, in the order in which they are shown. */
function textsOf({ type, textMessageContent, standAlone, carouselList, suggestions }: RcsTemplateContent): string[] {
  const cards = type === 'carousel' ? carouselList : type === 'rich_card_standalone' && standAlone ? [standAlone] : []
  return [
    ...(type === 'text_message' ? [textMessageContent] : []),
    ...cards.flatMap((card) => [
      card.mediaUrl,
      card.cardTitle,
      card.cardDescription,
      ...card.suggestions.flatMap(urlsOf),
    ]),
    ...suggestions.flatMap(urlsOf),
  ]
}

function urlsOf(suggestion: RcsTemplateContent['suggestions'][number]): string[] {
  return suggestion.type === 'open_url' ? [suggestion.url] : []
}

/** The names of a template's variables in order of appearance, without duplicates. */
export function listRcsVariables(content: RcsTemplateContent): string[] {
  return [...new Set(textsOf(content).flatMap(listVariablesOf))]
}

/** The names of the variables of one text, in order of appearance. */
export function listVariablesOf(text: string): string[] {
  return Array.from(text.matchAll(rcsVariable), (match) => match[1] ?? '')
}
