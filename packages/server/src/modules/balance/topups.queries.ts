import { paginate, type PageQuery } from '@carillon/contract/paging'
import type { TopUpRequest, TopUpStatus } from '@carillon/contract/billing'
import { sql, type Selectable } from 'kysely'
import type { Db } from '../../db/pool.ts'
import type { TopupRequests } from '../../db/schema.ts'
import type { UserActor } from '../../actor.ts'
import { toRupees } from './rupees.ts'

export type TopUpRow = Selectable<TopupRequests> & {
  username: string
  account_name: string
  answerer_name: string | null
  has_own_balance: boolean
}

type Query = PageQuery & { box: 'mine' | 'incoming'; status?: TopUpStatus | undefined }

/** The caller's requests; or those addressed to them, pending ones first. */
export async function listTopUps(db: Db, { actor, query }: { actor: UserActor; query: Query }) {
  const mine = query.box === 'mine'
  let list = rows(db)
    .where(mine ? 'topup_requests.account_id' : 'answerer_id', '=', actor.accountId)
    .select(sql<number>`count(*) over ()`.as('total'))
  if (query.status) list = list.where('topup_requests.status', '=', query.status)
  const found = await list
    .orderBy(sql`topup_requests.status = 'pending' and ${!mine}`, 'desc')
    .orderBy('topup_requests.created_at', 'desc')
    .limit(query.limit)
    .offset((query.page - 1) * query.limit)
    .execute()
  const total = found[0]?.total ?? 0
  return {
    requests: found.map(presentTopUp),
    total,
    totalPages: paginate(query, total).totalPages,
    currentPage: query.page,
  }
}

export async function findTopUp(db: Db, id: string): Promise<TopUpRow | undefined> {
  return rows(db).where('topup_requests.id', '=', id).executeTakeFirst()
}

function rows(db: Db) {
  return db
    .selectFrom('topup_requests')
    .innerJoin('accounts', 'accounts.id', 'topup_requests.account_id')
    .selectAll('topup_requests')
    .select(['accounts.username', 'accounts.name as account_name'])
    .select([
      sql<string | null>`name_above(topup_requests.answered_by)`.as('answerer_name'),
      sql<boolean>`accounts.id = accounts.organization_id or exists (select from ledger_accounts own where own.account_id = accounts.id
        and own.organization_id = accounts.organization_id and own.kind = 'balance' and own.closed_at is null)`.as(
        'has_own_balance',
      ),
    ])
}

export function presentTopUp(row: TopUpRow): TopUpRequest {
  return {
    _id: row.id,
    userId: row.account_id,
    username: row.username,
    name: row.account_name,
    requestedBalance: toRupees(row.amount),
    approvedBalance: row.approved === null ? undefined : toRupees(row.approved),
    status: row.status,
    hasOwnBalance: row.has_own_balance,
    note: row.note,
    answer: row.answer ?? undefined,
    answeredBy: row.answerer_name ?? undefined,
    createdAt: row.created_at.toISOString(),
    answeredAt: row.answered_at?.toISOString(),
  }
}
