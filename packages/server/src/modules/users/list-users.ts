import { lowBalanceRupees } from '@carillon/contract/constants'
import type { Answer, Input } from '@carillon/contract/endpoint'
import { paginate } from '@carillon/contract/paging'
import type { usersEndpoints } from '@carillon/contract/users'
import { parseRole, type Role } from '@carillon/contract/roles'
import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import { badField } from '../../lib/problem.ts'
import {
  type AccountRow,
  countModuleUsers,
  getAccount,
  isFounder,
  listLimits,
  parentRoles,
  usesEveryModule,
} from '../accounts/index.ts'
import { getBalance, toRupees, toUnits } from '../balance/index.ts'
import { presentUser, presentUsers } from './present-users.ts'

/** The specification's low balance, in rupees. */
const mostParents = 200

type Query = Input<(typeof usersEndpoints)['users.list']>['query']

/** A page of the accounts below one, without the account itself. */
export async function listUsers(
  db: Db,
  { actor, query }: { actor: UserActor; query: Query },
): Promise<Answer<(typeof usersEndpoints)['users.list']>> {
  const root = await getAccount(db, { id: query.userId ?? actor.accountId, scope: actor.scope })
  const rows = await findPage(db, root, query)
  const total = rows[0]?.total ?? (query.page > 1 ? await countAll(db, root, query) : 0)
  const { available } = await getBalance(db, { organizationId: actor.organizationId, accountId: actor.accountId })
  return {
    userType: actor.role,
    count: total,
    users: await presentUsers(db, actor, rows),
    balance: toRupees(available),
    totalPages: paginate(query, total).totalPages,
    page: query.page,
    limit: query.limit,
  }
}

/** One account below, with the data its edit screen needs. */
export async function getUser(
  db: Db,
  { actor, id }: { actor: UserActor; id: string },
): Promise<Answer<(typeof usersEndpoints)['users.get']>> {
  const account = await getAccount(db, { id, scope: actor.scope })
  return {
    ...(await presentUser(db, actor, account)),
    timezone: account.timezone,
    limits: await listLimits(db, id),
    // Resellers have every module, which cannot be revoked.
    moduleUsers: usesEveryModule(account.role) ? {} : await countModuleUsers(db, id),
    possibleParents: await listPossibleParents(db, actor, account),
  }
}

async function findPage(db: Db, root: AccountRow, query: Query): Promise<(AccountRow & { total: number })[]> {
  const direction = sql.raw(query.direction)
  const column = {
    created: 'account.created_at',
    name: 'lower(account.name)',
    balance: 'balance.posted - balance.held',
    active: 'account.last_active_at',
  }[query.sort]
  const { rows } = await sql<AccountRow & { total: number }>`
    select account.*, count(*) over () as total ${matching(root, query)}
    order by ${sql.raw(column)} ${direction} nulls last, account.id ${direction}
    limit ${query.limit} offset ${(query.page - 1) * query.limit}`.execute(db)
  return rows
}

async function countAll(db: Db, root: AccountRow, query: Query): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*) as total ${matching(root, query)}`.execute(db)
  return rows[0]?.total ?? 0
}

function matching(root: AccountRow, query: Query) {
  const start = query.search ? `${escapeLike(query.search)}%` : null
  const types = query.type ? parseTypes(query.type) : null
  return sql`
    from accounts account
    left join ledger_accounts balance on balance.organization_id = account.organization_id
      and balance.account_id = account.id and balance.kind = 'balance' and balance.closed_at is null
    where account.path <@ ${root.path}::ltree and account.id <> ${root.id}::uuid
      and (${start}::text is null or account.name ilike ${start} or account.name ilike '% ' || ${start}
        or account.username::text ilike ${start} or account.email::text ilike ${start}
        or account.phone like ${start} or account.phone like '+' || ${start})
      and (${types}::text[] is null or account.role::text = any (${types}))
      and (${query.status ?? null}::account_status is null or account.status = ${query.status ?? null}::account_status)
      and (${query.module ?? null}::text is null or account.role = 'reseller' or exists (select from account_modules own
        where own.organization_id = account.organization_id and own.account_id = account.id and own.module = ${query.module ?? null}
        and own.module = any (effective_modules(account.id))))
      and (${query.ownBalance ?? null}::boolean is null
        or (balance.id is not null or account.organization_id = account.id) = ${query.ownBalance ?? null}::boolean)
      and (${query.direct === 'true'}::boolean is false or account.parent_id = ${root.id}::uuid)
      and (${query.lowBalance === 'true'}::boolean is false or (
        account.status <> 'closed' and (balance.id is not null or account.organization_id = account.id)
        and coalesce(balance.posted - balance.held, 0) < ${toUnits(lowBalanceRupees)}))`
}

function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`)
}

/** Comma-separated roles, in either spelling. */
function parseTypes(text: string): Role[] {
  return text.split(',').map((name) => {
    const role = parseRole(name.trim())
    if (!role) throw badField('type', `There is no role ${name.trim()}`)
    return role
  })
}

async function listPossibleParents(db: Db, actor: UserActor, account: AccountRow) {
  const founder = isFounder(account)
  const roles = founder ? parentRoles[account.role === 'reseller' ? 'reseller' : 'manager'] : parentRoles[account.role]
  const { rows } = await sql<{ _id: string; name: string; type: Role }>`
    select id as _id, name, role as type from accounts
    where path <@ ${actor.scope.path}::ltree and not path <@ ${account.path}::ltree and status <> 'closed'
      and role::text = any (${roles}::text[]) and (${founder} or organization_id = ${account.organization_id}::uuid)
    order by lower(name), id limit ${mostParents}`.execute(db)
  return rows
}
