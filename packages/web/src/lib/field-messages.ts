import type { CallError } from './call.ts'

/** The server's messages for single fields, by field; for the fields of a form. */
export function fieldMessages(error: CallError | null): Record<string, string> {
  return Object.fromEntries((error?.details ?? []).map(({ field, message }) => [field, message]))
}
