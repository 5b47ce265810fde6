import { FailureClass, type MessageStatus } from '@carillon/contract/campaign-records'
import type { Channel } from '@carillon/contract/channels'
import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import type { QueuedEvent } from '../../../events/event-queue.ts'
import { toRupees } from '../../balance/index.ts'
import { endedAt, numberArray, textArray } from '../../messages/index.ts'
import { instant, subjectArrays } from './occurrence.ts'

/** What a message was sent by: a campaign, or a single send, which has one message. */
export type Origin = {
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
  legs: {
    leg: number
    /** Of the draft. */
    draftLeg: number
    channel: Channel
    from: string
    senderId: string
    sender: string
  }[]
}

export type MessageRow = {
  place: number
  phone: number | null
  status: MessageStatus
  reason: string | null
  code: string | null
  parts: number
  cost: number
  sent_at: Date | null
  delivered_at: Date | null
  read_at: Date | null
  failed_at: Date | null
}

export async function readOrigins(db: Db, events: readonly QueuedEvent[]): Promise<Map<string, Origin>> {
  const { organizations, ids } = subjectArrays(events)
  if (ids.length === 0) return new Map()
  const asked = sql`unnest(${organizations}::uuid[], ${ids}::uuid[]) as asked (organization_id, id)`
  const { rows } = await sql<Origin>`
    select campaign.organization_id, campaign.id, 'campaign' as kind, campaign.path::text, campaign.created_on, campaign.name,
      null as reference, null::jsonb as metadata, null::uuid as leg_of, null::uuid as conversation_id, null as identity, (
        select json_agg(json_build_object('leg', leg.leg, 'draftLeg', leg.draft_leg, 'channel', leg.channel, 'from', coalesce(leg.content ->> 'header', sender.name),
          'senderId', sender.id, 'sender', sender.name))
        from campaign_legs leg
        join senders sender on sender.organization_id = leg.organization_id and sender.id = leg.sender_id
        where leg.organization_id = campaign.organization_id and leg.campaign_id = campaign.id) as legs
    from ${asked} join campaigns campaign using (organization_id, id)
    union all
    select single.organization_id, single.id, single.kind, single.path::text, single.created_on, null, single.reference, single.metadata,
      (select first.message_id from single_legs first where first.organization_id = single.organization_id and first.sent_as = single.id), single.conversation_id,
      single.identity, json_build_array(json_build_object('leg', 0, 'draftLeg', 0, 'channel', sender.channel, 'from', single.header,
        'senderId', sender.id, 'sender', sender.name))
    from ${asked} join single_sends single using (organization_id, id)
    join senders sender on sender.organization_id = single.organization_id and sender.id = single.sender_id`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

export type MessageKey = { id: string; leg: number; seq: number }

export const keyOf = ({ id, leg, seq }: MessageKey) => `${id}.${leg}.${seq}`

/** In one statement. */
const atOnce = 500

/** By their keys. Messages that were deleted meanwhile are left out. */
export async function readMessages(
  db: Db,
  keys: readonly MessageKey[],
  origins: ReadonlyMap<string, Origin>,
): Promise<Map<string, MessageRow>> {
  const asked = new Map(keys.filter(({ id }) => origins.get(id)?.created_on).map((key) => [keyOf(key), key]))
  const found = new Map<string, MessageRow>()
  for (const { day, chunk } of chunksOf([...asked.values()], origins))
    for (const row of await readChunk(db, day, chunk)) {
      const key = chunk[row.place - 1]
      if (key) found.set(keyOf(key), row)
    }
  return found
}

type Day = { organizationId: string; createdOn: string }

/** Messages of one partition at a time. */
function chunksOf(
  asked: readonly MessageKey[],
  origins: ReadonlyMap<string, Origin>,
): { day: Day; chunk: MessageKey[] }[] {
  const dayOf = ({ id }: MessageKey) => `${origins.get(id)?.organization_id} ${origins.get(id)?.created_on}`
  return [...Map.groupBy(asked, dayOf)].flatMap(([key, ofDay]) => {
    const [organizationId = '', createdOn = ''] = key.split(' ')
    return Array.from({ length: Math.ceil(ofDay.length / atOnce) }, (_, index) => ({
      day: { organizationId, createdOn },
      chunk: ofDay.slice(index * atOnce, (index + 1) * atOnce),
    }))
  })
}

/** The partition is named, and the limit keeps the planner from joining with all messages of the day. */
async function readChunk(
  db: Db,
  { organizationId, createdOn }: Day,
  asked: readonly MessageKey[],
): Promise<MessageRow[]> {
  const { rows } = await sql<MessageRow>`
    select asked.place::int, found.*
    from unnest(${textArray(asked.map(({ id }) => id))}::uuid[], ${numberArray(asked.map(({ leg }) => leg))}::smallint[],
      ${numberArray(asked.map(({ seq }) => seq))}::int[]) with ordinality as asked (id, leg, seq, place)
    cross join lateral (
      select phone, status, reason, code, parts, charge_of(status, price, billable_on) as cost, sent_at, delivered_at, read_at, failed_at
      from messages
      where organization_id = ${organizationId}::uuid and campaign_id = asked.id and seq = asked.seq and leg = asked.leg
        and created_on = ${createdOn}::date
      limit 1
    ) found`.execute(db)
  return rows
}

export type Found = { origin: Origin; leg: Origin['legs'][number]; seq: number; row: MessageRow }

/** A message with this status, although it may have moved on, and the key by which deliveries about it are ordered. */
export function presentMessage(found: Found, status: MessageStatus) {
  const { origin, leg, row } = found
  const to = row.phone === null ? {} : { to: `+${row.phone}` }
  const data = {
    ...sourceOf(found),
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
  return { data, orderKey: origin.conversation_id ?? to.to ?? origin.identity ?? origin.id }
}

function sourceOf({ origin, leg: { leg }, seq }: Found) {
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

function failureOf({ reason, code }: MessageRow) {
  return {
    ...(reason !== null && { reason: FailureClass.catch('unknown').parse(reason) }),
    ...(code !== null && { code }),
  }
}

function timesOf({ sent_at: sentAt, ...row }: MessageRow, status: MessageStatus) {
  return {
    ...instant('sentAt', sentAt),
    ...(status === 'failed'
      ? instant('failedAt', endedAt(sentAt, row.failed_at))
      : status !== 'sent' && instant('deliveredAt', endedAt(sentAt, row.delivered_at))),
    ...(status === 'read' && instant('readAt', endedAt(sentAt, row.read_at))),
  }
}
