import { FailureClass, type MessageStatus } from '@carillon/contract/campaign-records'
import type { Channel } from '@carillon/contract/channels'
import type { DeliveredType } from '@carillon/contract/webhook-records'
import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import { toRupees } from '../../balance/index.ts'
import { endedAt, numberArray, textArray } from '../../messages/index.ts'
import { instant, subjectArrays, subjectOf, type Describe, type Occurrence, type QueuedOf } from './occurrence.ts'

type StatusEvent = QueuedOf<'message.status'>
type MessageType = Extract<DeliveredType, `message.${string}`> & Exclude<DeliveredType, 'message.inbound'>

/** What a message was sent by: a campaign, or a single send, which has one message. */
type Origin = {
  organization_id: string
  id: string
  kind: 'campaign' | 'api' | 'reply' | 'test'
  path: string
  /** Names the partition of its messages; null if it has none. */
  created_on: string | null
  /** Of a campaign. */
  name: string | null
  /** Of a single send. */
  reference: string | null
  metadata: Record<string, string> | null
  leg_of: string | null
  conversation_id: string | null
  identity: string | null
  legs: { leg: number; channel: Channel; from: string; senderId: string; sender: string }[]
}

type Row = {
  place: number
  phone: number | null
  reason: string | null
  code: string | null
  parts: number
  cost: number
  sent_at: Date | null
  delivered_at: Date | null
  read_at: Date | null
  failed_at: Date | null
}

const types: Partial<Record<MessageStatus, MessageType>> = {
  sent: 'message.sent',
  delivered: 'message.delivered',
  read: 'message.read',
  failed: 'message.failed',
}

/** Messages that were deleted meanwhile are left out. */
export const describeStatuses: Describe<'message.status'> = async (db, events) => {
  const wanted = events.filter(({ payload }) => types[payload.status])
  const origins = await readOrigins(db, wanted)
  const messages = await readMessages(db, wanted, origins)
  return events.map((event) => {
    const origin = origins.get(subjectOf(event))
    if (!origin) return []
    return event.payload.seqs.flatMap((seq) => {
      const row = messages.get(placeOf(event, seq))
      return row ? present(event, { origin, seq, row }) : []
    })
  })
}

async function readOrigins(db: Db, events: readonly StatusEvent[]): Promise<Map<string, Origin>> {
  const { organizations, ids } = subjectArrays(events)
  if (ids.length === 0) return new Map()
  const asked = sql`unnest(${organizations}::uuid[], ${ids}::uuid[]) as asked (organization_id, id)`
  const { rows } = await sql<Origin>`
    select campaign.organization_id, campaign.id, 'campaign' as kind, campaign.path::text, campaign.created_on, campaign.name,
      null as reference, null::jsonb as metadata, null::uuid as leg_of, null::uuid as conversation_id, null as identity, (
        select json_agg(json_build_object('leg', leg.leg, 'channel', leg.channel, 'from', coalesce(leg.content ->> 'header', sender.name),
          'senderId', sender.id, 'sender', sender.name))
        from campaign_legs leg
        join senders sender on sender.organization_id = leg.organization_id and sender.id = leg.sender_id
        where leg.organization_id = campaign.organization_id and leg.campaign_id = campaign.id) as legs
    from ${asked} join campaigns campaign using (organization_id, id)
    union all
    select single.organization_id, single.id, single.kind, single.path::text, single.created_on, null, single.reference, single.metadata,
      (select first.message_id from single_legs first where first.organization_id = single.organization_id and first.sent_as = single.id), single.conversation_id,
      single.identity, json_build_array(json_build_object('leg', 0, 'channel', sender.channel, 'from', single.header,
        'senderId', sender.id, 'sender', sender.name))
    from ${asked} join single_sends single using (organization_id, id)
    join senders sender on sender.organization_id = single.organization_id and sender.id = single.sender_id`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

type Asked = { id: string; leg: number; seq: number }

const placeOf = (event: StatusEvent, seq: number) => keyOf({ id: subjectOf(event), leg: event.payload.leg, seq })
const keyOf = ({ id, leg, seq }: Asked) => `${id}.${leg}.${seq}`

/** In one statement. */
const atOnce = 500

async function readMessages(
  db: Db,
  events: readonly StatusEvent[],
  origins: ReadonlyMap<string, Origin>,
): Promise<Map<string, Row>> {
  const asked = new Map<string, Asked>()
  for (const event of events)
    for (const seq of event.payload.seqs) {
      const one = { id: subjectOf(event), leg: event.payload.leg, seq }
      if (origins.get(one.id)?.created_on) asked.set(keyOf(one), one)
    }
  const found = new Map<string, Row>()
  for (const { day, chunk } of chunksOf([...asked.values()], origins))
    for (const row of await readChunk(db, day, chunk)) {
      const one = chunk[row.place - 1]
      if (one) found.set(keyOf(one), row)
    }
  return found
}

type Day = { organizationId: string; createdOn: string }

/** Messages of one partition at a time. */
function chunksOf(asked: readonly Asked[], origins: ReadonlyMap<string, Origin>): { day: Day; chunk: Asked[] }[] {
  const dayOf = ({ id }: Asked) => `${origins.get(id)?.organization_id} ${origins.get(id)?.created_on}`
  return [...Map.groupBy(asked, dayOf)].flatMap(([key, ofDay]) => {
    const [organizationId = '', createdOn = ''] = key.split(' ')
    return Array.from({ length: Math.ceil(ofDay.length / atOnce) }, (_, index) => ({
      day: { organizationId, createdOn },
      chunk: ofDay.slice(index * atOnce, (index + 1) * atOnce),
    }))
  })
}

/** The partition is named, and the limit keeps the planner from joining with all messages of the day. */
async function readChunk(db: Db, { organizationId, createdOn }: Day, asked: readonly Asked[]): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select asked.place::int, found.*
    from unnest(${textArray(asked.map(({ id }) => id))}::uuid[], ${numberArray(asked.map(({ leg }) => leg))}::smallint[],
      ${numberArray(asked.map(({ seq }) => seq))}::int[]) with ordinality as asked (id, leg, seq, place)
    cross join lateral (
      select phone, reason, code, parts, charge_of(status, price, billable_on) as cost, sent_at, delivered_at, read_at, failed_at
      from messages
      where organization_id = ${organizationId}::uuid and campaign_id = asked.id and seq = asked.seq and leg = asked.leg
        and created_on = ${createdOn}::date
      limit 1
    ) found`.execute(db)
  return rows
}

type Found = { origin: Origin; seq: number; row: Row }

function present(event: StatusEvent, found: Found): Occurrence[] {
  const { leg: legNumber, status } = event.payload
  const { origin, row } = found
  const leg = origin.legs.find((one) => one.leg === legNumber)
  const type = status === 'failed' && row.reason === 'expired' ? 'message.expired' : types[status]
  if (!leg || !type) return []
  const to = row.phone === null ? {} : { to: `+${row.phone}` }
  const data = {
    ...sourceOf(found, legNumber),
    ...to,
    channel: leg.channel,
    from: leg.from,
    sender: { id: leg.senderId, name: leg.sender },
    status,
    ...(status === 'failed' && failureOf(row)),
    parts: row.parts,
    cost: toRupees(row.cost),
    ...timesOf(row, status),
  }
  const orderKey = origin.conversation_id ?? to.to ?? origin.identity ?? origin.id
  return [{ type, data, visibleTo: { path: origin.path }, orderKey }]
}

function sourceOf({ origin, seq }: Found, leg: number) {
  const { id, kind, name, reference, metadata, leg_of: legOf, conversation_id: conversationId } = origin
  if (kind === 'campaign') return { id: `${id}.${leg}.${seq}`, kind, campaign: { id, name: name ?? '', position: seq } }
  return {
    id,
    kind,
    ...(legOf !== null && { legOf }),
    ...(reference !== null && { reference }),
    ...(metadata !== null && { metadata }),
    ...(conversationId !== null && { conversationId }),
  }
}

function failureOf({ reason, code }: Row) {
  return {
    ...(reason !== null && { reason: FailureClass.catch('unknown').parse(reason) }),
    ...(code !== null && { code }),
  }
}

/** As of the event, although the message may have moved on. */
function timesOf({ sent_at: sentAt, ...row }: Row, status: MessageStatus) {
  return {
    ...instant('sentAt', sentAt),
    ...(status === 'failed'
      ? instant('failedAt', endedAt(sentAt, row.failed_at))
      : status !== 'sent' && instant('deliveredAt', endedAt(sentAt, row.delivered_at))),
    ...(status === 'read' && instant('readAt', endedAt(sentAt, row.read_at))),
  }
}
