import type { CallError } from './call.ts'

/** The server's messages for single fields, by field; for the fields of a form. */
export function fieldMessages(error: CallError | null): Record<string, string> {
  return Object.fromEntries((error?.details ?? []).map(({ field, message }) => [field, message]))
}

/** What no field of the form can show: without it a refusal would go unsaid. */
export function unplacedMessage(error: CallError | null, fields: readonly string[]): string | undefined {
  if (!error) return undefined
  const details = error.details ?? []
  const unplaced = details.find(({ field }) => !fields.includes(field))
  if (unplaced) return unplaced.message
  return details.length === 0 ? error.message : undefined
}
