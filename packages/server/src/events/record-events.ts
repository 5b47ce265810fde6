import { CompiledQuery } from 'kysely'
import { notifyAfterCommit, type Db } from '../db/pool.ts'
import { eventChannel, type DomainEvent } from './domain-events.ts'

/**
 * Writes events in the transaction of the change, so that both are committed or neither is. One event per batch, not per row.
 */
export async function recordEvents(db: Db, events: readonly DomainEvent[]): Promise<void> {
  if (events.length === 0) return
  const { text, values } = insertEvents(events)
  await db.executeQuery(CompiledQuery.raw(text, values))
  notifyAfterCommit(db, eventChannel)
}

/**
 * The same as a statement, for transactions on a plain connection. Followers find the events with their next poll;
 * `Database.notifySoon(eventChannel)` after the commit wakes them sooner.
 */
export function insertEvents(events: readonly DomainEvent[]): { name: string; text: string; values: string[] } {
  return {
    name: 'insert-domain-events',
    text: `insert into domain_events (organization_id, type, subject_ids, payload)
      select "organizationId", type, "subjectIds", payload
      from jsonb_to_recordset($1::jsonb) as event ("organizationId" uuid, type text, "subjectIds" uuid[], payload jsonb)`,
    values: [JSON.stringify(events)],
  }
}
