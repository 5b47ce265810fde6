import type { CallError } from './call.ts'

/** Which refusal said a message last: what the server said of a field holds until the field is changed. */
const refusals = new Map<string, CallError>()

/** The server's messages for single fields, by field; for the fields of a form. */
export function fieldMessages(error: CallError | null): Record<string, string> {
  const details = error?.details ?? []
  for (const { message } of details) if (error) refusals.set(message, error)
  return Object.fromEntries(details.map(({ field, message }) => [field, message]))
}

/** The refusal that a message stems from; undefined for what the browser itself finds wrong, and finds anew as one types. */
export function refusalOf(message: string | undefined): CallError | undefined {
  return message === undefined ? undefined : refusals.get(message)
}

/** What no field of the form can show: without it a refusal would go unsaid. */
export function unplacedMessage(error: CallError | null, fields: readonly string[]): string | undefined {
  if (!error) return undefined
  const details = error.details ?? []
  const unplaced = details.find(({ field }) => !fields.includes(field))
  if (unplaced) return unplaced.message
  return details.length === 0 ? error.message : undefined
}
