import type { CallError } from './call.ts'

/** The last error with each message: a server error of a field stays until the field changes. */
const refusals = new Map<string, CallError>()

/** The server's error messages by field. */
export function fieldMessages(error: CallError | null): Record<string, string> {
  const details = error?.details ?? []
  for (const { message } of details) if (error) refusals.set(message, error)
  return Object.fromEntries(details.map(({ field, message }) => [field, message]))
}

/** The error a message belongs to; undefined for the browser's own validation, which runs on each change. */
export function refusalOf(message: string | undefined): CallError | undefined {
  return message === undefined ? undefined : refusals.get(message)
}

/** Errors that no field of the form can show. */
export function unplacedMessage(error: CallError | null, fields: readonly string[]): string | undefined {
  if (!error) return undefined
  const details = error.details ?? []
  const unplaced = details.find(({ field }) => !fields.includes(field))
  if (unplaced) return unplaced.message
  return details.length === 0 ? error.message : undefined
}
