import { sql, type RawBuilder } from 'kysely'

/**
 * Whether a provider accepted the message, as the counters define it. A message rejected on submission has no previous status;
 * one that failed after acceptance has one.
 */
export function wasAccepted(message: string): RawBuilder<boolean> {
  const [status, before] = [sql.ref(`${message}.status`), sql.ref(`${message}.previous_status`)]
  return sql<boolean>`(${status} in ('sent', 'delivered', 'read') or (${status} = 'failed' and ${before} is not null))`
}
