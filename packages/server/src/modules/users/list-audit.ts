import type { Answer, Input } from '@carillon/contract/endpoint'
import { paginate } from '@carillon/contract/paging'
import type { usersEndpoints } from '@carillon/contract/users'
import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import { getAccount, isFounder } from '../accounts/index.ts'

type Query = Input<(typeof usersEndpoints)['audit.list']>['query']
type Page = Answer<(typeof usersEndpoints)['audit.list']>

type Line = {
  at: Date
  actor: string | null
  actor_id: string | null
  subject: string | null
  action: string
  object_type: string | null
  object_id: string | null
  from_name: string | null
  to_name: string | null
  details: Page['entries'][number]['details']
}

/** The audit log of an account's organisation; for a member, entries by and about them. */
export async function listAudit(db: Db, { actor, query }: { actor: UserActor; query: Query }): Promise<Page> {
  const account = await getAccount(db, { id: query.userId ?? actor.accountId, scope: actor.scope })
  const matching = sql`
    from audit_log line
    where line.organization_id = ${account.organization_id}::uuid
      and (${query.action ?? null}::text is null or line.action = ${query.action ?? null} or line.action like ${`${escapeLike(query.action ?? '')}.%`})
      and (${isFounder(account)} or ${account.id}::uuid in (line.actor_id, line.subject_id) or line.object_id = ${account.id})`
  const { rows: counted } = await sql<{ total: number }>`select count(*) as total ${matching}`.execute(db)
  const { rows } = await sql<Line>`
    select line.at, name_above(line.actor_id) as actor, line.actor_id, name_above(line.subject_id) as subject,
      line.action, line.object_type, line.object_id, line.details,
      case when line.action = 'balance.moved' then name_above((line.details->>'from')::uuid) end as from_name,
      case when line.action = 'balance.moved' then name_above((line.details->>'to')::uuid) end as to_name
    ${matching} order by line.seq desc limit ${query.limit} offset ${(query.page - 1) * query.limit}`.execute(db)
  const total = counted[0]?.total ?? 0
  return {
    entries: rows.map((line) => ({
      at: line.at.toISOString(),
      actor: line.actor ?? (line.actor_id ? 'Former user' : 'Carillon'),
      subject: line.subject ?? undefined,
      action: line.action,
      objectType: line.object_type ?? undefined,
      objectId: line.object_id ?? undefined,
      details: withNames(line),
    })),
    total,
    totalPages: paginate(query, total).totalPages,
    currentPage: query.page,
  }
}

/** Transfers are recorded with two account ids; the log shows names instead, placed first, as jsonb sorts keys by length. */
function withNames({ action, details, from_name: from, to_name: to }: Line): Line['details'] {
  if (action !== 'balance.moved') return details
  const names = { from: from ?? 'Account above', to: to ?? 'Account above' }
  return { ...names, ...details, ...names }
}

function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`)
}
