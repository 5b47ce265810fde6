import { lowBalanceRupees } from '@carillon/contract/constants'
import { Channel } from '@carillon/contract/channels'
import type { Answer } from '@carillon/contract/endpoint'
import type { reportEndpoints } from '@carillon/contract/reports'
import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { within } from '../../db/scope.ts'
import type { UserActor } from '../../actor.ts'
import { toRupees, toUnits } from '../balance/index.ts'
import { listFailing } from '../campaigns/index.ts'
import { listFailedConnections } from '../senders/index.ts'

type Attention = Answer<(typeof reportEndpoints)['dashboard.attention']>

/** The specification's low balance, in rupees. */
const mostShown = 5
const failingPercent = 20

/** Items that need attention. Requests and registrations are those pending for the caller. */
export async function listAttention(db: Db, actor: UserActor, now: Date): Promise<Attention> {
  const failing = await listFailing(db, { overPercent: failingPercent, now })
  return {
    ...(await countAccounts(db, actor, now)),
    ...(await listLowBalances(db, actor)),
    failingCampaigns: failing.slice(0, mostShown).map(({ id, name, account, failedShare }) => ({
      _id: id,
      name,
      account,
      failedShare,
    })),
    failingCount: failing.length,
    ...(await countWaiting(db, actor)),
    ...(await listConnections(db, actor)),
    mismatches: await countMismatches(db, actor),
  }
}

async function listConnections(
  db: Db,
  actor: UserActor,
): Promise<Pick<Attention, 'failedConnections' | 'failedConnectionCount'>> {
  const failed = await listFailedConnections(db, { path: actor.scope.path, limit: mostShown })
  return {
    failedConnections: failed.map(({ id, name, channel, account, detail }) => ({
      _id: id,
      name,
      channel: Channel.parse(channel),
      account,
      detail,
    })),
    failedConnectionCount: failed[0]?.count ?? 0,
  }
}

/** Of organizations in the caller's scope. */
async function countMismatches(db: Db, { scope }: UserActor): Promise<number> {
  const { count } = await db
    .selectFrom('report_mismatches')
    .innerJoin('accounts', 'accounts.id', 'report_mismatches.organization_id')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('mended_at', 'is', null)
    .where(within(scope, 'accounts.path'))
    .executeTakeFirstOrThrow()
  return count
}

/** Accounts count as active if they sent something in the last seven days. */
async function countAccounts(db: Db, actor: UserActor, now: Date) {
  const { rows } = await sql<Pick<Attention, 'accounts' | 'activeAccounts'>>`
    select accounts, active as "activeAccounts" from count_accounts_below(${actor.accountId}::uuid, ${now})`.execute(db)
  return rows[0] ?? { accounts: 0, activeAccounts: 0 }
}

/** Of accounts with a separate balance, lowest first. */
async function listLowBalances(db: Db, actor: UserActor): Promise<Pick<Attention, 'lowBalance' | 'lowBalanceCount'>> {
  const { rows } = await sql<{ id: string; name: string; available: number; count: number }>`
    select account.id, account.name, coalesce(balance.posted - balance.held, 0) as available, count(*) over () as count
    from accounts account
    left join ledger_accounts balance on balance.organization_id = account.organization_id
      and balance.account_id = account.id and balance.kind = 'balance' and balance.closed_at is null
    where account.path <@ ${actor.scope.path}::ltree and account.id <> ${actor.accountId}::uuid and account.status <> 'closed'
      and (balance.id is not null or account.organization_id = account.id)
      and coalesce(balance.posted - balance.held, 0) < ${toUnits(lowBalanceRupees)}
    order by available, account.id
    limit ${mostShown}`.execute(db)
  return {
    lowBalance: rows.map(({ id, name, available }) => ({ _id: id, name, balance: toRupees(available) })),
    lowBalanceCount: rows[0]?.count ?? 0,
  }
}

async function countWaiting(db: Db, { accountId }: UserActor) {
  const { rows } = await sql<Pick<Attention, 'topUpRequests' | 'registrations' | 'supportRequests'>>`
    select
      (select count(*) from topup_requests where answerer_id = ${accountId}::uuid and status = 'pending') as "topUpRequests",
      (select count(*) from accounts where parent_id = ${accountId}::uuid and status = 'pending') as registrations,
      (select count(*) from support_requests where answerer_id = ${accountId}::uuid
        and status in ('open', 'in_progress', 'reopened')) as "supportRequests"`.execute(db)
  return rows[0] ?? { topUpRequests: 0, registrations: 0, supportRequests: 0 }
}
