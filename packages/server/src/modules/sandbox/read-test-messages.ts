import { Channel } from '@carillon/contract/channels'
import type { PublicInbound, PublicMessage } from '@carillon/contract/public-message-records'
import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { Db } from '../../db/pool.ts'
import type { TestMessages } from '../../db/schema.ts'
import { within, type Scope } from '../../db/scope.ts'
import { conflict, notFound } from '../../lib/problem.ts'
import { withdrawDeliveries } from '../webhooks/index.ts'
import { stateOf } from './state-of.ts'

type Row = Selectable<TestMessages> & { legs: { id: string; channel: Channel; enteredFor: string }[] | null }
type Reading = { scope: Scope; now: Date }

/** Messages and the legs that were sent by now. Legs exist from the beginning, with their time. */
const read = (now: Date, rest: RawBuilder<unknown>) => sql<Row>`
  select message.*, (
    select json_agg(json_build_object('id', leg.id, 'channel', leg.channel, 'enteredFor', leg.entered_for) order by leg.created_at)
    from test_messages leg where leg.organization_id = message.organization_id and leg.leg_of = message.id and ${isSent('leg', now)}
  ) as legs
  from test_messages message
  where ${isSent('message', now)} and ${rest}`

const inScope = (scope: Scope) =>
  sql`message.organization_id = ${scope.organizationId}::uuid and ${within(scope, 'message.path')}`

const isSent = (table: string, now: Date) =>
  sql`(${sql.ref(`${table}.leg_of`)} is null or ${sql.ref(`${table}.created_at`)} <= ${now} and ${sql.ref(`${table}.cancelled_at`)} is null)`

export async function getTestMessage(db: Db, { id, ...reading }: Reading & { id: string }): Promise<PublicMessage> {
  return present(await find(db, { id, ...reading }), reading.now)
}

type Named = { organizationId: string; ids: readonly string[]; now: Date }

/** Messages by their ids, in any order. Those that are no longer stored are missing. */
export async function findTestMessages(db: Db, { organizationId, ids, now }: Named): Promise<PublicMessage[]> {
  if (ids.length === 0) return []
  const { rows } = await read(
    now,
    sql`message.organization_id = ${organizationId}::uuid and message.id = any(${[...ids]}::uuid[])`,
  ).execute(db)
  return rows.map((row) => present(row, now))
}

/** The statuses of messages by their ids, and of their legs under the same id. A leg that is still to be sent is queued. */
export async function findTestStatuses(
  db: Db,
  { organizationId, ids, now }: Named,
): Promise<{ id: string; status: PublicMessage['status'] }[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<Selectable<TestMessages>>`
    select * from test_messages where organization_id = ${organizationId}::uuid and id = any(${[...ids]}::uuid[])
    union all
    select * from test_messages where organization_id = ${organizationId}::uuid and leg_of = any(${[...ids]}::uuid[]) and cancelled_at is null`.execute(
    db,
  )
  return rows.map((row) => ({ id: row.leg_of ?? row.id, status: stateAt(row, now).status }))
}

async function find(db: Db, { id, scope, now }: Reading & { id: string }): Promise<Row> {
  const { rows } = await read(now, sql`${inScope(scope)} and message.id = ${id}::uuid`).execute(db)
  const [row] = rows
  if (!row) throw notFound('Message')
  return row
}

type Page = { cursor: string | undefined; limit: number; phone: number | undefined; since: Date | undefined }
type Listed<Item> = { messages: Item[]; cursor: string | null }

/** Newest first. */
export async function listTestMessages(
  db: Db,
  { scope, now, page }: Reading & { page: Page & { reference: string | undefined } },
): Promise<Listed<PublicMessage>> {
  const { cursor, limit, reference, phone, since } = page
  const { rows } = await read(
    now,
    sql`${inScope(scope)}
      ${reference === undefined ? sql`` : sql`and message.reference = ${reference}`}
      ${phone === undefined ? sql`` : sql`and message.phone = ${phone}::bigint`}
      ${since === undefined ? sql`` : sql`and message.created_at >= ${since}`}
      ${
        cursor === undefined
          ? sql``
          : sql`and (message.created_at, message.id) < (select last.created_at, last.id from test_messages last
              where last.organization_id = ${scope.organizationId}::uuid and last.id = ${cursor}::uuid)`
      }
    order by message.created_at desc, message.id desc limit ${limit + 1}`,
  ).execute(db)
  return pageOf(rows, { limit, idOf: ({ id }) => id, present: (row) => present(row, now) })
}

/** Answers that have come by now, newest first. */
export async function listTestInbound(
  db: Db,
  { scope, now, page: { cursor, limit, phone, since } }: Reading & { page: Page },
): Promise<Listed<PublicInbound>> {
  const { rows } = await sql<Row>`
    select *, null as legs from test_messages
    where organization_id = ${scope.organizationId}::uuid and ${within(scope, 'path')} and answer_at <= ${now} and cancelled_at is null
      ${phone === undefined ? sql`` : sql`and phone = ${phone}::bigint`}
      ${since === undefined ? sql`` : sql`and answer_at >= ${since}`}
      ${
        cursor === undefined
          ? sql``
          : sql`and (answer_at, answer_id) < (select last.answer_at, last.answer_id from test_messages last
              where last.organization_id = ${scope.organizationId}::uuid and last.answer_id = ${cursor}::uuid)`
      }
    order by answer_at desc, answer_id desc limit ${limit + 1}`.execute(db)
  return pageOf(rows, { limit, idOf: ({ answer_id }) => answer_id, present: presentAnswer })
}

type Paging<Item> = { limit: number; idOf(row: Row): string | null; present(row: Row): Item }

function pageOf<Item>(rows: readonly Row[], { limit, idOf, present: write }: Paging<Item>): Listed<Item> {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { messages: page.map(write), cursor: rows.length > limit && last ? idOf(last) : null }
}

/** Withdraws a scheduled message, or the legs that may follow one that was sent, and their events. */
export async function cancelTestMessage(db: Db, { scope, id, now }: Reading & { id: string }): Promise<PublicMessage> {
  const message = await find(db, { scope, id, now })
  const { organizationId } = scope
  const hadLegs = (await endTestLegs(db, { organizationId, messageIds: [id], now })) > 0
  const { rows } = await sql<Row>`
    update test_messages set cancelled_at = ${now}, answer_id = null, answer = null, answer_at = null
    where organization_id = ${organizationId}::uuid and id = ${id}::uuid and send_at > ${now} and cancelled_at is null
    returning *, null as legs`.execute(db)
  const [cancelled] = rows
  if (!cancelled && !hadLegs) throw conflict('This message was handed over already')
  if (!cancelled) return present(message, now)
  await withdrawDeliveries(db, { organizationId, ids: cancelled.delivery_ids })
  return present(cancelled, now)
}

type Ending = { organizationId: string; messageIds: readonly string[]; now: Date }

/** No further legs of these messages are sent. Returns how many would have been. */
export async function endTestLegs(db: Db, { organizationId, messageIds, now }: Ending): Promise<number> {
  const { rows } = await sql<{ delivery_ids: string[] }>`
    update test_messages set cancelled_at = ${now}
    where organization_id = ${organizationId}::uuid and leg_of = any(${[...messageIds]}::uuid[]) and created_at > ${now} and cancelled_at is null
    returning delivery_ids`.execute(db)
  await withdrawDeliveries(db, { organizationId, ids: rows.flatMap((row) => row.delivery_ids) })
  return rows.length
}

function present(row: Row, now: Date): PublicMessage {
  const { reference, metadata } = row
  const state = stateAt(row, now)
  const { status, reason, code, detail } = state
  return {
    id: row.id,
    ...(row.leg_of !== null && { legOf: row.leg_of }),
    ...(row.legs !== null && { legs: row.legs }),
    to: `+${row.phone}`,
    channel: Channel.parse(row.channel),
    from: { _id: row.sender_id, name: row.sender_name },
    status,
    text: row.text,
    parts: row.parts,
    cost: 0,
    createdAt: row.created_at.toISOString(),
    ...(reason && { reason, code, detail }),
    ...(reference !== null && { reference }),
    // Stored from the record of the request.
    ...(metadata !== null && { metadata: metadata as Record<string, string> }),
    ...(row.send_at && { sendAt: row.send_at.toISOString() }),
    ...timesOf(state),
  }
}

function stateAt(row: Selectable<TestMessages>, now: Date) {
  return stateOf(
    {
      phone: row.phone,
      isLeg: row.leg_of !== null,
      createdAt: row.created_at,
      sendAt: row.send_at,
      cancelledAt: row.cancelled_at,
    },
    now,
  )
}

function timesOf({ sentAt, deliveredAt, readAt, failedAt }: ReturnType<typeof stateOf>) {
  return {
    ...(sentAt && { sentAt: sentAt.toISOString() }),
    ...(deliveredAt && { deliveredAt: deliveredAt.toISOString() }),
    ...(readAt && { readAt: readAt.toISOString() }),
    ...(failedAt && { failedAt: failedAt.toISOString() }),
  }
}

function presentAnswer({ answer_id: id, answer, answer_at: at, ...row }: Row): PublicInbound {
  if (id === null || answer === null || at === null) throw new Error('The message has no answer')
  return {
    id,
    from: `+${row.phone}`,
    identity: String(row.phone),
    to: { _id: row.sender_id, name: row.sender_name },
    channel: Channel.parse(row.channel),
    text: answer,
    type: 'text',
    chatId: row.id,
    receivedAt: at.toISOString(),
  }
}
