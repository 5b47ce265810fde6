import { sql, type Selectable } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { within } from '../../db/scope.ts'
import type { SupportRequests } from '../../db/schema.ts'
import type { UserActor } from '../../actor.ts'
import { notFound } from '../../lib/problem.ts'
import type { Side } from './request-states.ts'

export type RequestRow = Selectable<SupportRequests>

/** Visible to its opener and to every account that was assigned it, while they are above the opener. */
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

/** Whether the caller is the current assignee. */
export function mayAnswer(request: RequestRow, actor: UserActor): boolean {
  return request.answerer_id === actor.accountId
}
