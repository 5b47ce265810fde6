import { listTemplateVariables } from '@carillon/contract/channels/whatsapp/whatsapp-template-variables'
import type { TemplateSample } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { insertText, type Edited, type Selection } from '../../ui/use-caret.ts'

export type ParameterFormat = 'positional' | 'named'
/** The name of the next variable of a text: the highest number plus one, or the first free name. */
export function nextVariable(text: string, format: ParameterFormat): string {
  const names = listTemplateVariables(text)
  if (format === 'positional') return String(Math.max(0, ...names.map((name) => Number(name) || 0)) + 1)
  let number = names.length + 1
  while (names.includes(`value_${number}`)) number += 1
  return `value_${number}`
}

/** Adds formatting markers around the selection, or removes them. */
export function toggleSigns(text: string, sign: string, { start, end }: Selection): Edited {
  const size = sign.length
  const isWrapped = text.slice(start - size, start) === sign && text.slice(end, end + size) === sign
  if (isWrapped && start >= size) {
    const bare = text.slice(0, start - size) + text.slice(start, end) + text.slice(end + size)
    return { text: bare, selection: { start: start - size, end: end - size } }
  }
  // Markers must be adjacent to words: spaces at the edges of the selection stay outside.
  const chosen = text.slice(start, end)
  const from = start + (chosen.length - chosen.trimStart().length)
  const to = Math.max(from, end - (chosen.length - chosen.trimEnd().length))
  return {
    text: text.slice(0, from) + sign + text.slice(from, to) + sign + text.slice(to),
    selection: { start: from + size, end: to + size },
  }
}

/** Deletes a whole variable on backspace. */
export function deleteVariableBefore(text: string, caret: number): Edited | undefined {
  const found = /\{\{[^{}]*\}\}$/.exec(text.slice(0, caret))
  if (!found) return undefined
  const start = caret - found[0].length
  return { text: text.slice(0, start) + text.slice(caret), selection: { start, end: start } }
}

/** Typing the closing braces of an empty placeholder inserts the next variable; named ones stay as typed. */
export function completeBraces(before: string, after: Edited, format: ParameterFormat): Edited {
  const { text, selection } = after
  const isTyped = text.length === before.length + 1 && text.slice(0, selection.start).endsWith('{{}}')
  if (!isTyped) return after
  const inside = selection.start - 2
  const { text: filled } = insertText(text, nextVariable(before, format), { start: inside, end: inside })
  const caret = selection.start + filled.length - text.length
  return { text: filled, selection: { start: caret, end: caret } }
}

/** Renumbers the variables 1, 2, 3 … in order of appearance; samples are moved with them. */
export function renumber(
  text: string,
  samples: readonly TemplateSample[],
): { text: string; samples: TemplateSample[] } {
  const names = listTemplateVariables(text)
  const numberOf = (name: string) => String(names.indexOf(name) + 1)
  return {
    text: text.replaceAll(/\{\{\s*([^{}]*?)\s*\}\}/g, (_, name: string) => `{{${numberOf(name)}}}`),
    samples: names.map((name) => ({
      name: numberOf(name),
      sample: samples.find((sample) => sample.name === name)?.sample ?? '',
    })),
  }
}

/** One sample per variable of the text; existing ones are kept. */
export function alignSamples(text: string, samples: readonly TemplateSample[]): TemplateSample[] {
  return listTemplateVariables(text)
    .sort((a, b) => Number(a) - Number(b) || 0)
    .map((name) => ({ name, sample: samples.find((sample) => sample.name === name)?.sample ?? '' }))
}

/** What usually differs between recipients in a sentence: amounts, dates, times, codes, the name after a greeting. */
const changing =
  /(?<=\b(?:hi|hello|dear|namaste)\s+)\p{Lu}\p{L}+|(?:₹|Rs\.?|INR)\s?\d[\d,]*(?:\.\d+)?|\b\d{1,2}[:.]\d{2}(?:\s?[ap]m\b)?|\b\d{1,2}\s?[ap]m\b|\b\d{1,2}(?:st|nd|rd|th)?\s(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*(?:\s\d{4})?\b|\b\d{1,2}[/-]\d{1,2}[/-]\d{2,4}\b|\b(?=[A-Z0-9-]*\d)(?=[A-Z0-9-]*[A-Z])[A-Z0-9][A-Z0-9-]{2,}\b|\b\d{4,}\b/giu

/** Turns a plain sentence into a template: personal values become variables with the values as samples. */
export function makeTemplate(text: string): { text: string; samples: TemplateSample[] } | undefined {
  if (text.includes('{{')) return undefined
  const samples: TemplateSample[] = []
  const made = text.replaceAll(changing, (value) => {
    // Greetings and months are matched case-insensitively; names and codes are not.
    if (/^\p{Ll}/u.test(value)) return value
    const known = samples.find(({ sample }) => sample === value)
    const name = known?.name ?? String(samples.length + 1)
    if (!known) samples.push({ name, sample: value })
    return `{{${name}}}`
  })
  return samples.length > 0 ? { text: made, samples } : undefined
}
