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
  teams: string[]
  own_lines: string[]
  team_lines: string[]
}

/** What connected accounts see of the inbox; those without the module are left out. One statement for all of them. */
export async function readReaches(database: Database, actors: readonly UserActor[]): Promise<Reach[]> {
  if (actors.length === 0) return []
  const accounts = actors.map(({ accountId }) => accountId)
  const { rows } = await eachAsSystem(database, (db) =>
    sql<Row>`
      select account.id as account_id, account.organization_id, account.role, account.path::text,
        array(select team_id from team_members member
          where member.organization_id = account.organization_id and member.account_id = account.id) as teams,
        array(select sender_id from live_agent_lines line
          where line.organization_id = account.organization_id and line.account_id = account.id) as own_lines,
        array(select distinct line.sender_id from team_members member
          join team_lines line on line.organization_id = member.organization_id and line.team_id = member.team_id
          where member.organization_id = account.organization_id and member.account_id = account.id) as team_lines
      from accounts_with_module(${accounts}::uuid[], 'chat') as holder (id)
      join accounts account on account.id = holder.id`.execute(db),
  )
  return rows.map(({ teams, own_lines: own, team_lines: ofTeams, ...row }) => {
    const lines = new Set([...own, ...ofTeams])
    return {
      organizationId: row.organization_id,
      accountId: row.account_id,
      role: row.role,
      path: row.path,
      teamIds: teams,
      lineIds: lines.size > 0 ? [...lines] : undefined,
      teamLineIds: ofTeams,
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
