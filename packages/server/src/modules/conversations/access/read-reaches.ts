import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import { reachFrom, type Reach } from './sees.ts'

type Row = Pick<Reach, 'organizationId' | 'accountId' | 'role' | 'path'> & {
  teams: string[]
  own: string[]
  of_teams: string[]
}

/** What accounts see of the inbox, in one statement for the system role; accounts without the module are left out. */
export async function readReaches(db: Db, accountIds: readonly string[]): Promise<Reach[]> {
  return readReachesOf(db, sql`accounts_with_module(${[...accountIds]}::uuid[], 'chat')`)
}

/** The same with accounts that do not have the module. */
export async function readAllReaches(db: Db, accountIds: readonly string[]): Promise<Reach[]> {
  return readReachesOf(db, sql`unnest(${[...accountIds]}::uuid[])`)
}

async function readReachesOf(db: Db, ids: RawBuilder<unknown>): Promise<Reach[]> {
  const { rows } = await sql<Row>`
    select account.id as "accountId", account.organization_id as "organizationId", account.role, account.path::text,
      array(select team_id from team_members member
        where member.organization_id = account.organization_id and member.account_id = account.id) as teams,
      array(select sender_id from live_agent_lines line
        where line.organization_id = account.organization_id and line.account_id = account.id) as own,
      array(select distinct line.sender_id from team_members member
        join team_lines line on line.organization_id = member.organization_id and line.team_id = member.team_id
        where member.organization_id = account.organization_id and member.account_id = account.id) as of_teams
    from ${ids} as holder (id)
    join accounts account on account.id = holder.id`.execute(db)
  return rows.map(({ teams, own, of_teams, ...member }) => reachFrom(member, { teams, own, of_teams }))
}
