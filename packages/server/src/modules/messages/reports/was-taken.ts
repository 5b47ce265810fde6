import { sql, type RawBuilder } from 'kysely'

/**
 * Whether a provider ever took a message, as the counters count it. One that was refused at once has failed from the start;
 * one that failed later was something else before.
 */
export function wasTaken(message: string): RawBuilder<boolean> {
  const [status, before] = [sql.ref(`${message}.status`), sql.ref(`${message}.previous_status`)]
  return sql<boolean>`(${status} in ('sent', 'delivered', 'read') or (${status} = 'failed' and ${before} is not null))`
}
