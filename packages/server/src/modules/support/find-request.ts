import { sql, type Selectable } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { within } from '../../db/scope.ts'
import type { SupportRequests } from '../../db/schema.ts'
import type { UserActor } from '../../actor.ts'
import { notFound } from '../../lib/problem.ts'
import type { Side } from './request-states.ts'

export type RequestRow = Selectable<SupportRequests>

/** A request is seen by who opened it and by everybody it was put to, as long as it lies below them. */
export function seenBy(actor: UserActor) {
  return sql<boolean>`${within(actor.scope)} and (account_id = ${actor.accountId}::uuid or put_to @> array[${actor.accountId}::uuid])`
}

export async function getRequest(db: Db, { actor, id }: { actor: UserActor; id: string }): Promise<RequestRow> {
  const request = await db
    .selectFrom('support_requests')
    .selectAll()
    .where('id', '=', id)
    .where(seenBy(actor))
    .executeTakeFirst()
  if (!request) throw notFound('Request')
  return request
}

export async function lockRequest(db: Db, { actor, id }: { actor: UserActor; id: string }): Promise<RequestRow> {
  const request = await db
    .selectFrom('support_requests')
    .selectAll()
    .where('id', '=', id)
    .where(seenBy(actor))
    .forUpdate()
    .executeTakeFirst()
  if (!request) throw notFound('Request')
  return request
}

export function sideOf(request: RequestRow, actor: UserActor): Side {
  return request.account_id === actor.accountId ? 'customer' : 'staff'
}

/** Whose turn it is; those it was put to before only look on. */
export function mayAnswer(request: RequestRow, actor: UserActor): boolean {
  return request.answerer_id === actor.accountId
}
