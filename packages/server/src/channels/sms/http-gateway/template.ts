/** Escaping of a value by context: in a URL or a form, in JSON between quotes, in XML. */
export type Escape = 'url' | 'json' | 'xml' | 'none'

export const placeholderNames = [
  'reference',
  'text',
  'textHex',
  'to',
  'toE164',
  'toDigits',
  'toNational',
  'from',
  'entityId',
  'templateId',
  'parts',
  'validitySeconds',
  'validityMinutes',
  'unicode',
  'coding',
  'codingKannel',
  'reportUrl',
  'inboundUrl',
  'authUser',
  'authSecret',
] as const

export type Placeholders = Record<(typeof placeholderNames)[number], string>

const pattern = /\{\{\s*(\w+)\s*\}\}/g

/** Replaces `{{name}}` with escaped values, so that a value cannot add structure. */
export function fillTemplate(template: string, values: Placeholders, escape: Escape): string {
  return template.replaceAll(pattern, (_, name: string) => (isPlaceholder(name) ? escapers[escape](values[name]) : ''))
}

export function findUnknownPlaceholder(template: string): string | undefined {
  return [...template.matchAll(pattern)].map(([, name = '']) => name).find((name) => !isPlaceholder(name))
}

function isPlaceholder(name: string): name is keyof Placeholders {
  // The list of known names is typed more narrowly than the name that is looked up.
  return (placeholderNames as readonly string[]).includes(name)
}

const escapers: Record<Escape, (value: string) => string> = {
  none: (value) => value.replaceAll(/[\r\n]+/g, ' '),
  // A lone surrogate cannot be encoded in UTF-8, and encodeURIComponent throws on it.
  url: (value) => encodeURIComponent(value.toWellFormed()),
  json: (value) => JSON.stringify(value).slice(1, -1),
  xml: (value) => value.replaceAll(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`),
}
