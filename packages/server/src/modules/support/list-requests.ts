import type { Answer, Input } from '@carillon/contract/endpoint'
import { paginate } from '@carillon/contract/paging'
import { SupportStatus, type supportEndpoints } from '@carillon/contract/support'
import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import { badField } from '../../lib/problem.ts'
import { seenBy } from './find-request.ts'
import { presentRequests } from './present-request.ts'

type Query = Input<(typeof supportEndpoints)['support.list']>['query']
type Page = Answer<(typeof supportEndpoints)['support.list']>

/** The caller's requests, or those assigned to them; latest message first. */
export async function listRequests(db: Db, { actor, query }: { actor: UserActor; query: Query }): Promise<Page> {
  let wanted = db
    .selectFrom('support_requests')
    .where(seenBy(actor))
    .where('account_id', query.box === 'mine' ? '=' : '<>', actor.accountId)
  if (query.kind) wanted = wanted.where('kind', '=', query.kind)
  if (query.status) wanted = wanted.where('status', '=', readStatus(query.status))
  if (query.search) {
    const pattern = `%${query.search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
    const number = /^#?0*(\d{1,9})$/.exec(query.search)?.[1]
    wanted = wanted.where((where) =>
      where.or([where('subject', 'ilike', pattern), ...(number ? [where('number', '=', Number(number))] : [])]),
    )
  }
  const { total } = await wanted.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow()
  const requests = await wanted
    .selectAll()
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(query.limit)
    .offset((query.page - 1) * query.limit)
    .execute()
  return { data: await presentRequests(db, { actor, requests }), pagination: paginate(query, total) }
}

/** The call has further statuses for requests of other kinds. */
function readStatus(status: string): SupportStatus {
  const read = SupportStatus.safeParse(status)
  if (!read.success)
    throw badField('status', `Support requests have one of the statuses ${SupportStatus.options.join(', ')}`)
  return read.data
}
