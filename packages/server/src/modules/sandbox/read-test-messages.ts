import { Channel } from '@carillon/contract/channels'
import type { PublicInbound, PublicMessage } from '@carillon/contract/public-message-records'
import { sql, type Selectable } from 'kysely'
import type { Db } from '../../db/pool.ts'
import type { TestMessages } from '../../db/schema.ts'
import { within, type Scope } from '../../db/scope.ts'
import { conflict, notFound } from '../../lib/problem.ts'
import { withdrawDeliveries } from '../webhooks/index.ts'
import { stateOf } from './state-of.ts'

type Row = Selectable<TestMessages>
type Reading = { scope: Scope; now: Date }

export async function getTestMessage(db: Db, { scope, id, now }: Reading & { id: string }): Promise<PublicMessage> {
  return present(await find(db, { scope, id }), now)
}

async function find(db: Db, { scope, id }: { scope: Scope; id: string }): Promise<Row> {
  const { rows } = await sql<Row>`
    select * from test_messages
    where organization_id = ${scope.organizationId}::uuid and id = ${id}::uuid and ${within(scope, 'path')}`.execute(db)
  const [row] = rows
  if (!row) throw notFound('Message')
  return row
}

type Page = { cursor: string | undefined; limit: number; phone: number | undefined; since: Date | undefined }
type Listed<Item> = { messages: Item[]; cursor: string | null }

/** Newest first: ids are in the order of their time. */
export async function listTestMessages(
  db: Db,
  { scope, now, page }: Reading & { page: Page & { reference: string | undefined } },
): Promise<Listed<PublicMessage>> {
  const { cursor, limit, reference, phone, since } = page
  const { rows } = await sql<Row>`
    select * from test_messages
    where organization_id = ${scope.organizationId}::uuid and ${within(scope, 'path')}
      ${reference === undefined ? sql`` : sql`and reference = ${reference}`}
      ${phone === undefined ? sql`` : sql`and phone = ${phone}::bigint`}
      ${since === undefined ? sql`` : sql`and created_at >= ${since}`}
      ${cursor === undefined ? sql`` : sql`and id < ${cursor}::uuid`}
    order by id desc limit ${limit + 1}`.execute(db)
  return pageOf(rows, { limit, idOf: ({ id }) => id, present: (row) => present(row, now) })
}

/** Answers that have come by now, newest first. */
export async function listTestInbound(
  db: Db,
  { scope, now, page: { cursor, limit, phone, since } }: Reading & { page: Page },
): Promise<Listed<PublicInbound>> {
  const { rows } = await sql<Row>`
    select * from test_messages
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

/** Withdraws a scheduled message, and its events. */
export async function cancelTestMessage(db: Db, { scope, id, now }: Reading & { id: string }): Promise<PublicMessage> {
  await find(db, { scope, id })
  const { rows } = await sql<Row>`
    update test_messages set cancelled_at = ${now}, answer_id = null, answer = null, answer_at = null
    where organization_id = ${scope.organizationId}::uuid and id = ${id}::uuid and send_at > ${now} and cancelled_at is null
    returning *`.execute(db)
  const [cancelled] = rows
  if (!cancelled) throw conflict('This message was handed over already')
  await withdrawDeliveries(db, { organizationId: scope.organizationId, ids: cancelled.delivery_ids })
  return present(cancelled, now)
}

function present(row: Row, now: Date): PublicMessage {
  const { reference, metadata } = row
  const state = stateOf(
    { phone: row.phone, createdAt: row.created_at, sendAt: row.send_at, cancelledAt: row.cancelled_at },
    now,
  )
  const { status, reason, code, detail } = state
  return {
    id: row.id,
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
