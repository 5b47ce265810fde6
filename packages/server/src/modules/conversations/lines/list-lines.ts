import type { conversationEndpoints } from '@carillon/contract/conversations'
import type { Data } from '@carillon/contract/endpoint'
import type { UserActor } from '../../../actor.ts'
import type { Db } from '../../../db/pool.ts'
import { notFound } from '../../../lib/problem.ts'
import { loadReach, type Reach } from '../access/sees.ts'

type Lines = Data<(typeof conversationEndpoints)['conversations.lines']>['lines']

/** The lines that a member answers, by name. */
export async function listLines(db: Db, actor: UserActor): Promise<Lines> {
  const rows = await linesOf(db, await loadReach(db, actor)).execute()
  return rows.map(({ id, name, channel, headers }) => ({ _id: id, name, channel, addresses: headers }))
}

/** One of these lines. */
export async function getLine(db: Db, actor: UserActor, id: string) {
  const line = await linesOf(db, await loadReach(db, actor))
    .where('id', '=', id)
    .executeTakeFirst()
  if (!line) throw notFound('Line')
  return line
}

function linesOf(db: Db, { organizationId, lineIds, role }: Reach) {
  const lines = db
    .selectFrom('senders')
    .select(['id', 'name', 'channel', 'headers', 'provider_account_id'])
    .where('organization_id', '=', organizationId)
    .where('is_active', '=', true)
    .where('deleted_at', 'is', null)
    .orderBy('name')
    .orderBy('id')
    .limit(500)
  if (role === 'manager' || !lineIds) return lines
  return lines.where('id', 'in', lineIds)
}
