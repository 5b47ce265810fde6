import type { FailureClass, MessageStatus } from '@carillon/contract/campaign-records'
import type { Channel } from '@carillon/contract/channels'
import { sql, type RawBuilder } from 'kysely'
import { onDays } from '../../../db/partition-days.ts'
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
  /** The days on which it has messages of members, newest first. */
  days: readonly string[]
}

/** The `days` of a row of `conversations`. */
export function daysOf(conversation: string): RawBuilder<string[]> {
  const of = (column: string) => sql.ref(`${conversation}.${column}`)
  return sql<string[]>`array(select distinct day::text from conversation_days known
    where known.organization_id = ${of('organization_id')} and known.conversation_id = ${of('id')} order by 1 desc)`
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

/** Days that are read by one statement: most pages are of a few days. */
const daysAtOnce = 16

/** The days in the order of reading are those of the rows, so later ones are read only if the earlier ones do not suffice. */
export async function readOutbound(db: Db, key: ThreadKey, choice: Choice): Promise<OutboundRow[]> {
  const days = daysFor(choice, key)
  const rows: OutboundRow[] = []
  for (let first = 0, count = daysAtOnce; first < days.length; first += count, count *= 4) {
    const limit = choice.limit - rows.length
    const found = await readOutboundOf(db, key, {
      choice: { ...choice, limit },
      days: days.slice(first, first + count),
    })
    rows.push(...found)
    // Rows that a snapshot does not contain are the newest.
    if (rows.length >= choice.limit || ('since' in choice && found.length === 0)) break
  }
  return rows
}

function daysFor(choice: Choice, { days }: ThreadKey): readonly string[] {
  if ('after' in choice) return days.filter((day) => day >= dayOf(choice.after, -1)).toReversed()
  const { before } = 'before' in choice ? choice : { before: undefined }
  return before ? days.filter((day) => day <= dayOf(before, 1)) : days
}

const dayMs = 86_400_000
/** The years that a position may have in this format. */
const [firstMs, lastMs] = [Date.UTC(1970), Date.UTC(9999)]

/** The day in UTC of a position, or a day beside it: in any time zone it is at most one day from that. */
export function dayOf({ micros }: Pick<Place, 'micros'>, beside: number): string {
  const ms = Math.min(Math.max(micros / 1000 + beside * dayMs, firstMs), lastMs)
  return new Date(ms).toISOString().slice(0, 10)
}

async function readOutboundOf(
  db: Db,
  { organizationId, id }: ThreadKey,
  { choice, days }: { choice: Choice; days: readonly string[] },
): Promise<OutboundRow[]> {
  const { rows } = await sql<OutboundRow>`
    select single.*, ${deliveryColumns}
    from (
      select organization_id, created_on, ${outboundColumns} from single_sends
      where organization_id = ${organizationId}::uuid and conversation_id = ${id}::uuid and ${onDays('created_on', days)}
        ${choose(choice, { id: 'id', at: 'created_at', xid: 'xid' })}
    ) single
    left join messages message on message.organization_id = single.organization_id and message.created_on = single.created_on
      and message.campaign_id = single.id and message.seq = 0 and message.leg = 0 and ${onDays('message.created_on', days)}`.execute(
    db,
  )
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
