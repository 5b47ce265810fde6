import { ApiEnvironment } from '@carillon/contract/api-key-records'
import { Channel } from '@carillon/contract/channels'
import type { Input } from '@carillon/contract/endpoint'
import { paginate, type Pagination } from '@carillon/contract/paging'
import {
  ApiSendStatus,
  maximumJudgedRequests,
  maximumListedRequests,
  type ApiSendDetails,
  type ApiSendRequest,
} from '@carillon/contract/request-log-records'
import type { supportEndpoints } from '@carillon/contract/support'
import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { UserActor } from '../../actor.ts'
import { daysOfIds, onDays } from '../../db/partition-days.ts'
import type { Db } from '../../db/pool.ts'
import type { ApiRequests } from '../../db/schema.ts'
import { within } from '../../db/scope.ts'
import { badField, notFound } from '../../lib/problem.ts'
import { toRupees } from '../balance/index.ts'
import { findOutcomes } from './find-outcomes.ts'
import { judgeRequest } from './request-status.ts'

type Query = Input<(typeof supportEndpoints)['support.list']>['query']

export type RequestRow = Selectable<ApiRequests> & { key_name: string; owner_name: string }

type Reading = { actor: UserActor; now: Date }

const dayMs = 86_400_000

/** The columns of a list, without bodies. */
const listed = sql`request.organization_id, request.id, request.created_on, request.created_at, request.account_id, request.api_key_id,
  request.environment, request.method, request.path, request.http_status, request.code, request.message, request.duration_ms, request.is_replay,
  request.channel, request.messages, request.accepted, request.refused, request.message_ids, request.cost`

/** Requests of keys whose owner is the caller or below, newest first. */
export async function listApiSends(
  db: Db,
  { actor, query, now }: Reading & { query: Query },
): Promise<{ data: ApiSendRequest[]; pagination: Pagination }> {
  const status = readStatus(query)
  const matching = conditionsOf(query, status)
  const { page, limit } = query
  const offset = (page - 1) * limit
  if (status !== undefined && status !== 'rejected') {
    const found = await judgeNewest(db, { actor, now, query, matching, status })
    return { data: found.slice(offset, offset + limit), pagination: paginate(query, found.length) }
  }
  const total = await count(db, { actor, query, matching })
  const rows =
    offset < maximumListedRequests ? await readRows(db, { actor, query, matching, limit, offset, what: listed }) : []
  return { data: await presentAll(db, rows, now), pagination: paginate(query, total) }
}

function readStatus({ status }: Query): ApiSendStatus | undefined {
  if (status === undefined) return undefined
  const read = ApiSendStatus.safeParse(status)
  if (!read.success)
    throw badField('status', `Calls of API keys have one of the statuses ${ApiSendStatus.options.join(', ')}`)
  return read.data
}

function conditionsOf({ channel, key, from, to }: Query, status: ApiSendStatus | undefined): RawBuilder<unknown> {
  // Times decide, and days say which partitions are read: those of the database's time zone may begin earlier or later.
  const day = (time: string, by: number) => new Date(Date.parse(time) + by * dayMs).toISOString().slice(0, 10)
  return sql.join(
    [
      sql`true`,
      ...(key === undefined ? [] : [sql`request.api_key_id = ${key}::uuid`]),
      ...(channel === undefined ? [] : [sql`request.channel = ${channel}`]),
      ...(from === undefined
        ? []
        : [sql`request.created_at >= ${from}::timestamptz and request.created_on >= ${day(from, -1)}::date`]),
      ...(to === undefined
        ? []
        : [sql`request.created_at < ${to}::timestamptz and request.created_on <= ${day(to, 1)}::date`]),
      ...(status === undefined ? [] : [status === 'rejected' ? sql`request.accepted = 0` : sql`request.accepted > 0`]),
    ],
    sql` and `,
  )
}

type Matching = { actor: UserActor; query: { key?: string | undefined }; matching: RawBuilder<unknown> }

/** The owners of keys, and for each of them its newest requests, which an index finds in their order. */
function newestOf(
  { actor, query: { key }, matching }: Matching,
  { most, what }: { most: number; what: RawBuilder<unknown> },
) {
  return sql`(
      select distinct key.organization_id, key.account_id, owner.name as owner_name from api_keys key
      join accounts owner on owner.organization_id = key.organization_id and owner.id = key.account_id and ${within(actor.scope, 'owner.path')}
      where ${key === undefined ? sql`true` : sql`key.id = ${key}::uuid`}
    ) owner
    cross join lateral (
      select ${what} from api_requests request
      where request.organization_id = owner.organization_id and request.account_id = owner.account_id and ${matching}
      order by request.created_on desc, request.id desc limit ${most}
    ) request`
}

async function count(db: Db, matching: Matching): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (
      select from ${newestOf(matching, { most: maximumListedRequests, what: sql`request.id` })} limit ${maximumListedRequests}
    ) newest`.execute(db)
  return rows[0]?.total ?? 0
}

type Reads = Matching & { limit: number; offset: number; what: RawBuilder<unknown> }

async function readRows(db: Db, { limit, offset, what, ...matching }: Reads): Promise<RequestRow[]> {
  const { rows } = await sql<RequestRow>`
    select request.*, owner.owner_name, key.name as key_name
    from ${newestOf(matching, { most: offset + limit, what })}
    join api_keys key on key.organization_id = request.organization_id and key.id = request.api_key_id
    order by request.created_on desc, request.id desc
    limit ${limit} offset ${offset}`.execute(db)
  return rows
}

/** At most so many messages are followed for one list. */
const mostFollowed = 20_000

/** The newest requests with a status that depends on their messages. */
async function judgeNewest(
  db: Db,
  { now, status, ...matching }: Matching & Reading & { status: ApiSendStatus },
): Promise<ApiSendRequest[]> {
  const rows = await readRows(db, { ...matching, limit: maximumJudgedRequests, offset: 0, what: listed })
  let messages = 0
  const followed = rows.filter(({ accepted }) => {
    messages += accepted
    return messages <= mostFollowed
  })
  return (await presentAll(db, followed, now)).filter((request) => request.status === status)
}

async function presentAll(db: Db, rows: readonly RequestRow[], now: Date): Promise<ApiSendRequest[]> {
  const outcomes = await findOutcomes(db, rows, now)
  return rows.map((row) => {
    const outcome = outcomes.get(row.id)
    if (!outcome) throw new Error('A request without an outcome')
    const { accepted, refused, code, message, channel, cost } = row
    return {
      id: row.id,
      kind: 'api_send',
      source: 'api',
      status: judgeRequest({ accepted, refused, ...outcome }),
      environment: ApiEnvironment.parse(row.environment),
      key: { id: row.api_key_id, name: row.key_name },
      createdBy: { _id: row.account_id, name: row.owner_name },
      method: row.method,
      path: row.path,
      httpStatus: row.http_status,
      isReplay: row.is_replay,
      durationMs: row.duration_ms,
      counts: { messages: row.messages, accepted, refused, delivered: outcome.delivered, failed: outcome.failed },
      createdAt: row.created_at.toISOString(),
      ...(channel !== null && { channel: Channel.parse(channel) }),
      ...(code !== null && { code }),
      ...(message !== null && { message }),
      ...(cost !== null && { cost: toRupees(cost) }),
    }
  })
}

/** The request, if the caller sees its key. */
export async function findApiSend(
  db: Db,
  { actor, id }: { actor: UserActor; id: string },
): Promise<RequestRow | undefined> {
  if (!actor.modules.has('api')) return undefined
  const matching = sql`request.id = ${id}::uuid and ${onDays('request.created_on', daysOfIds([id]))}`
  const [row] = await readRows(db, { actor, query: {}, matching, limit: 1, offset: 0, what: sql`request.*` })
  return row
}

export async function presentDetails(db: Db, row: RequestRow, now: Date): Promise<ApiSendDetails> {
  const [request] = await presentAll(db, [row], now)
  if (!request) throw notFound('Request')
  const bodyOf = (text: string | null, isCut: boolean) => (text === null ? null : { text, isCut })
  return {
    ...request,
    clientAddress: row.client_address,
    requestBody: bodyOf(row.request_body, row.is_request_cut),
    responseBody: bodyOf(row.response_body, row.is_response_cut),
    ...(row.idempotency_key !== null && { idempotencyKey: row.idempotency_key }),
  }
}
