import type { FailureClass, MessageStatus } from '@carillon/contract/campaign-records'
import type { Channel } from '@carillon/contract/channels'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../../db/pool.ts'

/** A conversation as its thread is read. */
export type ThreadKey = {
  organizationId: string
  /** The conversation. */
  id: string
  senderId: string
  channel: Channel
  /** The person's number; null if the channel does not reveal it. */
  phone: number | null
}

/** A position in a thread: microseconds since 1970, and the id of the item. */
export type Place = { micros: number; id: string }

type Row = Place & { at: Date }

export type MessageFile = { id: string; name: string; mimeType: string; sizeBytes: number }

export type InboundRow = Row & {
  text: string
  content: { type?: unknown; [field: string]: unknown } | null
  in_reply_to: string | null
  dedupe_key: string
  media_state: 'waiting' | 'stored' | 'failed' | null
  file_id: string | null
  campaign_id: string | null
}

/** The delivery of a message; nothing is known of one that was not sent yet. */
export type DeliveryRow = {
  status: MessageStatus | null
  reason: FailureClass | null
  code: string | null
  parts: number | null
  cost: number | null
  sent_at: Date | null
  delivered_at: Date | null
  failed_at: Date | null
  provider_message_id: string | null
}

export type OutboundRow = Row &
  DeliveryRow & {
    kind: 'test' | 'api' | 'reply'
    text: string
    content: { type?: unknown; [field: string]: unknown } | null
    in_reply_to: string | null
    client_id: string | null
    author_id: string | null
    impersonated_by: string | null
  }

export type EventRow = Row & {
  kind: string
  text: string | null
  details: Record<string, unknown>
  actor_id: string | null
  impersonated_by: string | null
}

/** Which rows of a table: a range of positions, or those that changed since a snapshot. */
export type Choice =
  | { before: Place | undefined; limit: number }
  | { after: Place; limit: number }
  | { since: string; limit: number }

/** The columns by which rows of a thread are chosen. */
type Columns = { id: string; at: string; xid: string }

const microsOf = (at: string) => sql<number>`(extract(epoch from ${sql.ref(at)}) * 1000000)::bigint`

/** The instant of a position. A JavaScript date would lose its microseconds. */
export function instantOf({ micros }: Pick<Place, 'micros'>): RawBuilder<Date> {
  return sql<Date>`(timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond')`
}

function choose(choice: Choice, { id, at, xid }: Columns): RawBuilder<unknown> {
  const place = sql`(${sql.ref(at)}, ${sql.ref(id)})`
  const newestFirst = sql`order by ${sql.ref(at)} desc, ${sql.ref(id)} desc`
  if ('since' in choice) return sql`and ${changedSince(xid, choice.since)} ${newestFirst} limit ${choice.limit}`
  if ('after' in choice)
    return sql`and ${place} > (${instantOf(choice.after)}, ${choice.after.id}::uuid)
      order by ${sql.ref(at)}, ${sql.ref(id)} limit ${choice.limit}`
  const { before, limit } = choice
  return sql`${before ? sql`and ${place} < (${instantOf(before)}, ${before.id}::uuid)` : sql``} ${newestFirst} limit ${limit}`
}

/** Rows whose last change was not yet visible in a snapshot. */
export function changedSince(xid: string, snapshot: string): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(xid)} >= pg_snapshot_xmin(${snapshot}::pg_snapshot)
    and not pg_visible_in_snapshot(${sql.ref(xid)}, ${snapshot}::pg_snapshot))`
}

export const inboundColumns = sql`id, received_at as at, ${microsOf('received_at')} as micros, text, content, in_reply_to, dedupe_key, media_state,
  file_id, campaign_id`

export async function readInbound(db: Db, { organizationId, id }: ThreadKey, choice: Choice): Promise<InboundRow[]> {
  const { rows } = await sql<InboundRow>`
    select ${inboundColumns}
    from inbound_messages
    where organization_id = ${organizationId}::uuid and conversation_id = ${id}::uuid
      ${choose(choice, { id: 'id', at: 'received_at', xid: 'xid' })}`.execute(db)
  return rows
}

export const deliveryColumns = sql.raw(`message.status, message.reason, message.code, message.parts,
  charge_of(message.status, message.price, message.billable_on) as cost, message.sent_at, message.delivered_at, message.failed_at,
  message.provider_message_id`)

export const outboundColumns = sql`id, created_at as at, ${microsOf('created_at')} as micros, kind, text, content, in_reply_to, client_id, author_id,
  impersonated_by`

export async function readOutbound(db: Db, { organizationId, id }: ThreadKey, choice: Choice): Promise<OutboundRow[]> {
  const { rows } = await sql<OutboundRow>`
    select single.*, ${deliveryColumns}
    from (
      select organization_id, created_on, ${outboundColumns} from single_sends
      where organization_id = ${organizationId}::uuid and conversation_id = ${id}::uuid
        ${choose(choice, { id: 'id', at: 'created_at', xid: 'xid' })}
    ) single
    left join messages message on message.organization_id = single.organization_id and message.created_on = single.created_on
      and message.campaign_id = single.id and message.seq = 0 and message.leg = 0`.execute(db)
  return rows
}

export const eventColumns = sql`id, at, ${microsOf('at')} as micros, kind, text, details, actor_id, impersonated_by`

export async function readEvents(db: Db, { organizationId, id }: ThreadKey, choice: Choice): Promise<EventRow[]> {
  const { rows } = await sql<EventRow>`
    select ${eventColumns} from conversation_events
    where organization_id = ${organizationId}::uuid and conversation_id = ${id}::uuid
      ${choose(choice, { id: 'id', at: 'at', xid: 'xid' })}`.execute(db)
  return rows
}
