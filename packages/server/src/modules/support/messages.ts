import type { Answer } from '@carillon/contract/endpoint'
import { paginate, type PageQuery } from '@carillon/contract/paging'
import { SupportMessage, type supportEndpoints } from '@carillon/contract/support'
import { sql, type Selectable } from 'kysely'
import type { Db } from '../../db/pool.ts'
import type { SupportMessages } from '../../db/schema.ts'
import type { UserActor } from '../../actor.ts'
import { newId } from '../../lib/ids.ts'
import { getRequest, sideOf, type RequestRow } from './find-request.ts'

type Page = Answer<(typeof supportEndpoints)['support.messages']>

/** Newest page first, newest message first. Reading the first page marks the request as read. */
export async function listMessages(
  db: Db,
  { actor, id, query }: { actor: UserActor; id: string; query: PageQuery },
): Promise<Page> {
  const request = await getRequest(db, { actor, id })
  let wanted = db
    .selectFrom('support_messages')
    .where('organization_id', '=', request.organization_id)
    .where('request_id', '=', id)
  if (sideOf(request, actor) === 'customer') wanted = wanted.where('visibility', '=', 'public')
  const { total } = await wanted.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow()
  const messages = await wanted
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(query.limit)
    .offset((query.page - 1) * query.limit)
    .execute()
  if (query.page === 1) await markRead(db, request, actor)
  return { data: messages.map(presentMessage), pagination: paginate(query, total) }
}

export async function markRead(db: Db, request: RequestRow, actor: UserActor): Promise<void> {
  await sql`
    insert into support_reads (organization_id, request_id, account_id, read_at)
    values (${request.organization_id}::uuid, ${request.id}::uuid, ${actor.accountId}::uuid, clock_timestamp())
    on conflict (organization_id, request_id, account_id) do update set read_at = excluded.read_at`.execute(db)
}

export type MessageText = {
  body: string
  direction: SupportMessage['direction']
  visibility?: SupportMessage['visibility']
  author: { id: string; name: string; role: UserActor['role'] } | undefined
}

export async function addMessage(
  db: Db,
  request: Pick<RequestRow, 'organization_id' | 'id'>,
  { body, direction, visibility = 'public', author }: MessageText,
): Promise<Selectable<SupportMessages>> {
  return db
    .insertInto('support_messages')
    .values({
      organization_id: request.organization_id,
      id: newId(),
      request_id: request.id,
      author_id: author?.id ?? null,
      author_name: author?.name ?? '',
      author_role: author?.role ?? null,
      direction,
      visibility,
      body,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function presentMessage(row: Selectable<SupportMessages>): SupportMessage {
  return SupportMessage.parse({
    id: row.id,
    author: {
      ...(row.author_id ? { _id: row.author_id } : {}),
      name: row.author_name,
      ...(row.author_role ? { type: row.author_role } : {}),
    },
    direction: row.direction,
    visibility: row.visibility,
    body: row.body,
    createdAt: row.created_at.toISOString(),
  })
}
