export type CannedValues = { name: string; number: string; agent: string; organization: string }

export const cannedVariables = [
  'name',
  'number',
  'agent',
  'organization',
] as const satisfies readonly (keyof CannedValues)[]

const variable = /\{\{\s*(name|number|agent|organization)\s*\}\}/g

/** The text of a canned reply with its variables; those without a value stay as they are. */
export function fillCanned(text: string, values: CannedValues): string {
  // The names are those of the pattern.
  return text.replace(variable, (whole, name: string) => values[name as keyof CannedValues] || whole)
}
