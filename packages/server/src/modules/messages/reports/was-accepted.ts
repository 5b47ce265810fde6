import { sql, type RawBuilder } from 'kysely'

/**
 * Whether a provider accepted the message, as the counters define it. A message rejected on submission has no previous status;
 * one that failed after acceptance has one.
 */
export const isAccepted = (message: string): string =>
  `(${message}.status in ('sent', 'delivered', 'read') or (${message}.status = 'failed' and ${message}.previous_status is not null))`

/** The same for a statement of Kysely. */
export const wasAccepted = (message: string): RawBuilder<boolean> => sql.raw<boolean>(isAccepted(message))
