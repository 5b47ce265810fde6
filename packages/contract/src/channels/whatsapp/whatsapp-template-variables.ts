/** A variable of a WhatsApp template: `{{1}}`, `{{first_name}}`; its name is the first group. */
export const templateVariable = /\{\{\s*([^{}]*?)\s*\}\}/g

/** The names of a text's variables in order of appearance, each once: `['1', '2']`, `['first_name']`. */
export function listTemplateVariables(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(templateVariable), (match) => match[1] ?? ''))]
}

/** The text with its variables filled; what has no value stays as it is written. */
export function fillTemplateText(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(templateVariable, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
  )
}
