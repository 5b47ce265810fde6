import type { DeliveredType, WebhookData } from '@carillon/contract/webhook-records'
import type { Db } from '../../../db/pool.ts'
import type { QueuedEvent } from '../../../events/event-queue.ts'

/** Who may see an event: everyone in the organisation, the accounts at or above a path, or those who see a conversation. */
export type Visibility = 'organization' | { path: string } | { rooms: readonly string[] }

/** What endpoints are told of an event. */
export type Occurrence = {
  [Type in DeliveredType]: {
    type: Type
    data: WebhookData<Type>
    visibleTo: Visibility
    /** The conversation or recipient, whose events ordered endpoints get one after the other. */
    orderKey?: string | undefined
  }
}[DeliveredType]

export type PublishedName = QueuedEvent['type']
export type QueuedOf<Type extends PublishedName> = Extract<QueuedEvent, { type: Type }>

/** Reads what happened for several events, in a constant number of statements: a list for each event, in their order. */
export type Describe<Type extends PublishedName> = (
  db: Db,
  events: readonly QueuedOf<Type>[],
) => Promise<Occurrence[][]>

/** The subject of an event that has one. */
export function subjectOf({ subjectIds }: Pick<QueuedEvent, 'subjectIds'>): string {
  const [id] = subjectIds
  if (id === undefined) throw new Error('The event has no subject')
  return id
}

/** The subjects of events as two arrays for `unnest`. */
export function subjectArrays(events: readonly QueuedEvent[]): { organizations: string[]; ids: string[] } {
  const pairs = events.flatMap(({ organizationId, subjectIds }) => subjectIds.map((id) => ({ organizationId, id })))
  const distinct = [...new Map(pairs.map((pair) => [pair.id, pair])).values()]
  return { organizations: distinct.map(({ organizationId }) => organizationId), ids: distinct.map(({ id }) => id) }
}

export function instant<Name extends string>(name: Name, time: Date | null): Partial<Record<Name, string>> {
  // A record with the one name, or none.
  return time === null ? {} : ({ [name]: time.toISOString() } as Record<Name, string>)
}
