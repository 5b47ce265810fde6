import type { ThreadEventKind } from '@carillon/contract/conversation-records'
import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import { recordEvents } from '../../../events/record-events.ts'
import { newId } from '../../../lib/ids.ts'
import type { ConversationRow } from '../access/lock-conversation.ts'
import type { Member } from '../access/sees.ts'

/** Undefined for the server. */
export type Actor = Pick<Member, 'accountId' | 'impersonatedBy'> | undefined

export type NewEvent = {
  kind: ThreadEventKind | 'note'
  text?: string
  /** Texts to show. */
  details?: Record<string, string | string[]>
}

type Key = Pick<ConversationRow, 'organization_id' | 'id'> & {
  /** After the change; absent if the conversation was not changed. */
  revision?: number
}

/** Adds events to the thread of a conversation; returns their ids. */
export async function addEvents(
  db: Db,
  { organization_id, id: conversation_id, revision }: Key,
  { actor, events }: { actor: Actor; events: readonly NewEvent[] },
): Promise<string[]> {
  if (events.length === 0) return []
  const rows = events.map(({ kind, text, details = {} }) => ({
    organization_id,
    conversation_id,
    id: newId(),
    kind,
    actor_id: actor?.accountId ?? null,
    impersonated_by: actor?.impersonatedBy ?? null,
    text: text ?? null,
    details: JSON.stringify(details),
    revision: revision ?? null,
  }))
  await db.insertInto('conversation_events').values(rows).execute()
  return rows.map(({ id }) => id)
}

/** Announces new items of a thread. */
export async function announceItems(
  db: Db,
  { organization_id: organizationId, id: chatId }: Pick<ConversationRow, 'organization_id' | 'id'>,
  subjectIds: string[],
): Promise<void> {
  if (subjectIds.length === 0) return
  await recordEvents(db, [{ type: 'thread.changed', organizationId, subjectIds, payload: { chatId } }])
}

export type Fact = {
  accountId: string
  kind: 'assigned' | 'resolved' | 'reopened' | 'message_out' | 'transfer_in' | 'transfer_out'
}

/** A duration that ends now. */
export type TimedFact = { accountId: string; kind: 'first_response' | 'response' | 'resolution'; since: Date }

/** Records what members did, from which their metrics are computed. */
export async function addFacts(
  db: Db,
  { organization_id, id: conversation_id }: Pick<ConversationRow, 'organization_id' | 'id'>,
  facts: readonly (Fact | TimedFact)[],
): Promise<void> {
  if (facts.length === 0) return
  await db
    .insertInto('agent_facts')
    .values(
      facts.map((fact) => {
        return {
          organization_id,
          conversation_id,
          account_id: fact.accountId,
          kind: fact.kind,
          ...('since' in fact ? durationsSince(organization_id, fact.since) : {}),
        }
      }),
    )
    .execute()
}

/** By the clock, and within business hours. */
function durationsSince(organizationId: string, since: Date) {
  return {
    seconds: sql<number>`greatest(0, extract(epoch from clock_timestamp() - ${since}::timestamptz))::int`,
    business_seconds: sql<number>`business_seconds(${organizationId}::uuid, ${since}::timestamptz, clock_timestamp())`,
  }
}
