/** A variable of a WhatsApp template: `{{1}}`, `{{first_name}}`; its name is the first group. */
export const templateVariable = /\{\{\s*([^{}]*?)\s*\}\}/g

/** The variable names of a text in order of appearance, without duplicates: `['1', '2']`, `['first_name']`. */
export function listTemplateVariables(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(templateVariable), (match) => match[1] ?? ''))]
}

/** Fills in the variables; those without a value are left as written. */
export function fillTemplateText(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(templateVariable, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
  )
}
