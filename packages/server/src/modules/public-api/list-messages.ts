import type { MessageStatus } from '@carillon/contract/campaign-records'
import type { Channel } from '@carillon/contract/channels'
import type { PublicMessage } from '@carillon/contract/public-message-records'
import { sql, type RawBuilder } from 'kysely'
import { daysOfIds, onDays } from '../../db/partition-days.ts'
import type { Db } from '../../db/pool.ts'
import { within, type Scope } from '../../db/scope.ts'
import { conflict, notFound } from '../../lib/problem.ts'
import { toRupees } from '../balance/index.ts'
import { withdrawSingle } from '../messages/index.ts'

type Row = {
  id: string
  phone: number | null
  channel: Channel
  sender_id: string
  sender_name: string
  status: MessageStatus
  reason: string | null
  code: string | null
  detail: string | null
  text: string
  parts: number
  cost: number
  reference: string | null
  metadata: Record<string, string> | null
  created_at: Date
  send_at: Date | null
  sent_at: Date | null
  delivered_at: Date | null
  read_at: Date | null
  failed_at: Date | null
  is_waiting: boolean
  leg_of: string | null
  legs:
    | { id: string | null; channel: Channel; reason: string; refusal: { code: string; message: string } | null }[]
    | null
}

/** Single sends with their status; `where` is about `single`. */
const read = (where: RawBuilder<unknown>, rest: RawBuilder<unknown>) => sql<Row>`
  select single.id, single.phone, sender.channel, sender.id as sender_id, sender.name as sender_name,
    coalesce(message.status, 'queued') as status, message.reason, message.code, message.detail, single.text,
    coalesce(message.parts, queued.parts, 1) as parts,
    case when message.status is null then coalesce(queued.parts * queued.price, 0)
      else charge_of(message.status, message.price, message.billable_on) end as cost,
    single.reference, single.metadata, single.created_at, single.send_at, message.sent_at, message.delivered_at, message.read_at,
    message.failed_at, queued.due_at > now() and queued.attempt = 0 as is_waiting,
    (select first.message_id from single_legs first where first.organization_id = single.organization_id and first.sent_as = single.id) as leg_of,
    (select json_agg(json_build_object('id', leg.sent_as, 'channel', leg.channel, 'reason', leg.reason, 'refusal', leg.refusal) order by leg.leg)
     from single_legs leg where leg.organization_id = single.organization_id and leg.message_id = single.id) as legs
  from single_sends single
  join senders sender on sender.organization_id = single.organization_id and sender.id = single.sender_id
  left join messages message on message.organization_id = single.organization_id and message.created_on = single.created_on
    and message.campaign_id = single.id and message.seq = 0 and message.leg = 0
  left join priority_messages queued on queued.organization_id = single.organization_id and queued.id = single.id
  where ${where} ${rest}`

export async function getMessage(db: Db, { scope, id }: { scope: Scope; id: string }): Promise<PublicMessage> {
  const { rows } = await read(
    sql`single.organization_id = ${scope.organizationId}::uuid and single.id = ${id}::uuid and ${onDays('single.created_on', daysOfIds([id]))}
      and ${within(scope, 'single.path')}`,
    sql``,
  ).execute(db)
  const [row] = rows
  if (!row) throw notFound('Message')
  return present(row)
}

/** Messages by their ids, in any order. Those that are no longer stored are missing. */
export async function findMessages(
  db: Db,
  { organizationId, ids }: { organizationId: string; ids: readonly string[] },
): Promise<PublicMessage[]> {
  if (ids.length === 0) return []
  const { rows } = await read(
    sql`single.organization_id = ${organizationId}::uuid and single.id = any(${ids}::uuid[]) and ${onDays('single.created_on', daysOfIds(ids))}`,
    sql``,
  ).execute(db)
  return rows.map(present)
}

type Page = {
  cursor: string | undefined
  limit: number
  reference: string | undefined
  phone: number | undefined
  since: Date | undefined
}

/** Newest first: ids are in the order of their time. The cursor is the id of the last message. */
export async function listMessages(
  db: Db,
  scope: Scope,
  { cursor, limit, reference, phone, since }: Page,
): Promise<{ messages: PublicMessage[]; cursor: string | null }> {
  const conditions = [
    sql`single.organization_id = ${scope.organizationId}::uuid`,
    within(scope, 'single.path'),
    sql`single.kind = 'api'`,
    ...(reference === undefined ? [] : [sql`single.reference = ${reference}`]),
    ...(phone === undefined ? [] : [sql`single.phone = ${phone}::bigint`]),
    ...(since === undefined ? [] : [sql`single.created_at >= ${since} and single.created_on >= ${since}::date`]),
    // The day after its time, because the database's time zone may differ.
    ...(cursor === undefined
      ? []
      : [sql`single.id < ${cursor}::uuid and single.created_on <= ${dayAfter(cursor)}::date`]),
  ]
  const { rows } = await read(
    sql.join(conditions, sql` and `),
    sql`order by single.created_on desc, single.id desc limit ${limit + 1}`,
  ).execute(db)
  const page = rows.slice(0, limit)
  return { messages: page.map(present), cursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null }
}

/** The first 48 bits of an id are its time. */
function dayAfter(id: string): string {
  const at = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
  return new Date(Math.min(at, Date.now()) + 86_400_000).toISOString().slice(0, 10)
}

/** Withdraws a message that was not handed over, and the legs that may follow one that was. Its hold is released when its lane takes it from the queue, within seconds. */
export async function cancelMessage(db: Db, { scope, id }: { scope: Scope; id: string }): Promise<PublicMessage> {
  const message = await getMessage(db, { scope, id })
  const { isWithdrawn, hadLegs } = await withdrawSingle(db, { organizationId: scope.organizationId, id })
  if (!isWithdrawn && !hadLegs) throw conflict('This message was handed over already')
  return isWithdrawn ? { ...message, status: 'cancelled' } : message
}

function present(row: Row): PublicMessage {
  const { reason, code, detail, reference, metadata, leg_of: legOf, legs } = row
  return {
    id: row.id,
    ...(legOf && { legOf }),
    ...(legs && { legs: legs.map(presentLeg) }),
    ...(row.phone === null ? {} : { to: `+${row.phone}` }),
    channel: row.channel,
    from: { _id: row.sender_id, name: row.sender_name },
    status: row.is_waiting && row.send_at ? 'scheduled' : row.status,
    text: row.text,
    parts: row.parts,
    cost: toRupees(row.cost),
    createdAt: row.created_at.toISOString(),
    ...(reason ? { reason } : {}),
    ...(code ? { code } : {}),
    ...(detail ? { detail } : {}),
    ...(reference === null ? {} : { reference }),
    ...(metadata === null ? {} : { metadata }),
    ...timesOf({
      sendAt: row.send_at,
      sentAt: row.sent_at,
      deliveredAt: row.delivered_at,
      readAt: row.read_at,
      failedAt: row.failed_at,
    }),
  }
}

function presentLeg({ id, channel, reason, refusal }: NonNullable<Row['legs']>[number]) {
  return { ...(id && { id }), channel, enteredFor: reason, ...(refusal && { refused: refusal }) }
}

function timesOf<Name extends string>(times: Record<Name, Date | null>): { [Key in Name]?: string } {
  const known = Object.entries<Date | null>(times).flatMap(([name, at]) => (at ? [[name, at.toISOString()]] : []))
  // The same names, without those that have no time yet.
  return Object.fromEntries(known) as { [Key in Name]?: string }
}
