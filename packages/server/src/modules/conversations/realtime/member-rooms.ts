import { sql } from 'kysely'
import { eachAsSystem, type Database } from '../../../db/pool.ts'
import type { UserActor } from '../../../actor.ts'
import type { Reach } from '../access/sees.ts'
import { roomsOfMember } from './rooms.ts'

type Row = {
  account_id: string
  organization_id: string
  role: UserActor['role']
  path: string
  teams: string[] | null
  own_lines: string[] | null
  team_lines: string[] | null
}

/** What connected accounts see of the inbox; those without the module are left out. One statement for all of them. */
export async function readReaches(database: Database, actors: readonly UserActor[]): Promise<Reach[]> {
  if (actors.length === 0) return []
  const organizations = actors.map(({ organizationId }) => organizationId)
  const accounts = actors.map(({ accountId }) => accountId)
  const { rows } = await eachAsSystem(database, (db) =>
    sql<Row>`
      with asked as materialized (
        select distinct organization_id, account_id from unnest(${organizations}::uuid[], ${accounts}::uuid[]) as asked (organization_id, account_id)
      ), teams as (
        select organization_id, account_id, array_agg(team_id) as ids from team_members join asked using (organization_id, account_id) group by 1, 2
      ), own_lines as (
        select organization_id, account_id, array_agg(sender_id) as ids from live_agent_lines join asked using (organization_id, account_id) group by 1, 2
      ), of_teams as (
        select organization_id, account_id, array_agg(distinct sender_id) as ids
        from team_members join asked using (organization_id, account_id) join team_lines using (organization_id, team_id) group by 1, 2
      )
      select asked.account_id, asked.organization_id, account.role, account.path::text, teams.ids as teams, own_lines.ids as own_lines,
        of_teams.ids as team_lines
      from asked
      join accounts account on account.id = asked.account_id and account.role in ('manager', 'user', 'department_head')
      left join teams on teams.account_id = asked.account_id and teams.organization_id = asked.organization_id
      left join own_lines on own_lines.account_id = asked.account_id and own_lines.organization_id = asked.organization_id
      left join of_teams on of_teams.account_id = asked.account_id and of_teams.organization_id = asked.organization_id
      where 'chat' = any(effective_modules(asked.account_id))`.execute(db),
  )
  return rows.map(({ teams, own_lines: own, team_lines: ofTeams, ...row }) => {
    const lines = new Set([...(own ?? []), ...(ofTeams ?? [])])
    return {
      organizationId: row.organization_id,
      accountId: row.account_id,
      role: row.role,
      path: row.path,
      teamIds: teams ?? [],
      lineIds: lines.size > 0 ? [...lines] : undefined,
      teamLineIds: ofTeams ?? [],
    }
  })
}

export type MemberRooms = {
  findRooms(actors: readonly UserActor[]): Promise<ReadonlyMap<string, readonly string[]>>
  /** What the account saw at the last check of its sockets; undefined if it may not use the inbox. */
  reachOf(accountId: string): Reach | undefined
}

/** Keeps what the accounts connected to this process see. */
export function createMemberRooms(database: Database): MemberRooms {
  const known = new Map<string, Reach>()
  return {
    async findRooms(actors) {
      const reaches = await readReaches(database, actors)
      for (const { accountId } of actors) known.delete(accountId)
      for (const reach of reaches) known.set(reach.accountId, reach)
      return new Map(reaches.map((reach) => [reach.accountId, roomsOfMember(reach)]))
    },
    reachOf: (accountId) => known.get(accountId),
  }
}
