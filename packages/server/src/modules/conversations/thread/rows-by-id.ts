import { sql, type RawBuilder } from 'kysely'
import { daysOfIds, onDays } from '../../../db/partition-days.ts'
import type { Db } from '../../../db/pool.ts'
import {
  deliveryColumns,
  eventColumns,
  inboundColumns,
  outboundColumns,
  type EventRow,
  type InboundRow,
  type OutboundRow,
  type ThreadKey,
} from './thread-rows.ts'

/** Rows of a conversation by their ids, or by the provider's ids. */
export type Asked = { key: ThreadKey; ids: readonly string[] }

type Of<Row> = Row & { conversation_id: string }

/** Rows by conversation. */
type ByChat<Row> = ReadonlyMap<string, Row[]>

/** Each id that is asked for, in a column of this name, with its conversation and line. */
export function pairsOf(asked: readonly Asked[], name: 'target' | 'asked_id', type: 'text' | 'uuid' = 'text') {
  const all = asked.flatMap(({ key, ids }) => [...new Set(ids)].map((id) => ({ key, id })))
  const uuids = (of: (key: ThreadKey) => string) => sql`${all.map(({ key }) => of(key))}::uuid[]`
  return sql`unnest(${uuids((key) => key.organizationId)}, ${uuids((key) => key.senderId)}, ${uuids((key) => key.id)},
    ${all.map(({ id }) => id)}::${sql.raw(type)}[]) as asked (organization_id, sender_id, conversation_id, ${sql.ref(name)})`
}

const byId = (asked: readonly Asked[]) => pairsOf(asked, 'asked_id', 'uuid')

async function read<Row>(db: Db, asked: readonly Asked[], statement: () => RawBuilder<Of<Row>>): Promise<ByChat<Row>> {
  if (asked.every(({ ids }) => ids.length === 0)) return new Map()
  const { rows } = await statement().execute(db)
  return Map.groupBy(rows, ({ conversation_id: id }) => id)
}

export function readInboundById(db: Db, asked: readonly Asked[]): Promise<ByChat<InboundRow>> {
  return read(
    db,
    asked,
    () => sql<Of<InboundRow>>`
      select asked.conversation_id, ${inboundColumns}
      from ${byId(asked)}
      join inbound_messages message on message.organization_id = asked.organization_id and message.id = asked.asked_id
        and message.conversation_id = asked.conversation_id`,
  )
}

export function readInboundByProvider(db: Db, asked: readonly Asked[]): Promise<ByChat<InboundRow>> {
  return read(
    db,
    asked,
    () => sql<Of<InboundRow>>`
      select asked.conversation_id, ${inboundColumns}
      from ${pairsOf(asked, 'target')}
      join inbound_messages message on message.organization_id = asked.organization_id and message.sender_id = asked.sender_id
        and message.dedupe_key = asked.target and message.conversation_id = asked.conversation_id`,
  )
}

export function readOutboundById(db: Db, asked: readonly Asked[]): Promise<ByChat<OutboundRow>> {
  const days = daysOfIds(asked.flatMap(({ ids }) => ids))
  return read(
    db,
    asked,
    () => sql<Of<OutboundRow>>`
      select single.*, ${deliveryColumns}
      from (
        select asked.conversation_id, asked.organization_id, created_on, ${outboundColumns}
        from ${byId(asked)}
        join single_sends sent on sent.organization_id = asked.organization_id and sent.id = asked.asked_id
          and sent.conversation_id = asked.conversation_id and ${onDays('sent.created_on', days)}
      ) single
      left join messages message on message.organization_id = single.organization_id and message.created_on = single.created_on
        and message.campaign_id = single.id and message.seq = 0 and message.leg = 0 and ${onDays('message.created_on', days)}`,
  )
}

export function readOutboundByProvider(db: Db, asked: readonly Asked[]): Promise<ByChat<OutboundRow>> {
  const days = [...new Set(asked.flatMap(({ key, ids }) => (ids.length > 0 ? key.days : [])))]
  return read(
    db,
    asked,
    () => sql<Of<OutboundRow>>`
      select single.*, ${deliveryColumns}
      from ${pairsOf(asked, 'target')}
      join messages message on message.organization_id = asked.organization_id and message.sender_id = asked.sender_id
        and message.provider_message_id = asked.target and message.seq = 0 and message.leg = 0 and ${onDays('message.created_on', days)}
      cross join lateral (
        select conversation_id, ${outboundColumns} from single_sends sent
        where sent.organization_id = message.organization_id and sent.created_on = message.created_on and sent.id = message.campaign_id
          and sent.conversation_id = asked.conversation_id and ${onDays('sent.created_on', days)}
      ) single`,
  )
}

export function readEventsById(db: Db, asked: readonly Asked[]): Promise<ByChat<EventRow>> {
  return read(
    db,
    asked,
    () => sql<Of<EventRow>>`
      select asked.conversation_id, ${eventColumns}
      from ${byId(asked)}
      join conversation_events event on event.organization_id = asked.organization_id and event.conversation_id = asked.conversation_id
        and event.id = asked.asked_id`,
  )
}
