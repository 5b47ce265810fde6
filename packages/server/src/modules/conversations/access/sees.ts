import { sql, type RawBuilder } from 'kysely'
import type { UserActor } from '../../../actor.ts'
import type { Db } from '../../../db/pool.ts'

/** Whose conversations a member may see. */
export type Reach = {
  organizationId: string
  accountId: string
  role: UserActor['role']
  path: string
  teamIds: string[]
  /** The lines whose unassigned conversations they answer; undefined for all. */
  lineIds: string[] | undefined
  /** The lines of their teams. */
  teamLineIds: string[]
}

export type Places = { teams: string[]; own: string[]; of_teams: string[] }

/** An account that acts in the inbox: in a call, or as the author of a scheduled reply. */
export type Member = Pick<UserActor, 'organizationId' | 'accountId' | 'role' | 'scope' | 'impersonatedBy'>

export async function loadReach(
  db: Db,
  actor: Pick<Member, 'organizationId' | 'accountId' | 'role' | 'scope'>,
): Promise<Reach> {
  const { rows } = await placesOf(actor).execute(db)
  const [places = { teams: [], own: [], of_teams: [] }] = rows
  const { organizationId, accountId, role, scope } = actor
  return reachFrom({ organizationId, accountId, role, path: scope.path }, places)
}

/** The places of a member, as a row. */
export function placesOf({
  organizationId,
  accountId,
}: Pick<Member, 'organizationId' | 'accountId'>): RawBuilder<Places> {
  return sql<Places>`
    select array(select team_id from team_members where organization_id = ${organizationId}::uuid and account_id = ${accountId}::uuid) as teams,
      array(select sender_id from live_agent_lines where organization_id = ${organizationId}::uuid and account_id = ${accountId}::uuid) as own,
      array(select distinct line.sender_id from team_members member
        join team_lines line on line.organization_id = member.organization_id and line.team_id = member.team_id
        where member.organization_id = ${organizationId}::uuid and member.account_id = ${accountId}::uuid) as of_teams`
}

/** The reach of a member with these teams, own lines, and lines of the teams. */
export function reachFrom(
  member: Pick<Reach, 'organizationId' | 'accountId' | 'role' | 'path'>,
  { teams, own, of_teams: teamLineIds }: Places,
): Reach {
  const lineIds = [...new Set([...own, ...teamLineIds])]
  return { ...member, teamIds: teams, lineIds: lineIds.length > 0 ? lineIds : undefined, teamLineIds }
}

/**
 * The condition for conversations that a member may see: managers all; department heads those of their people and of their teams'
 * lines; everyone their own, and unassigned ones of their lines and teams.
 */
export function sees(reach: Reach, conversation = 'conversation'): RawBuilder<boolean> {
  const { organizationId, accountId, role, path, teamIds, lineIds, teamLineIds } = reach
  const of = (column: string) => sql.ref(`${conversation}.${column}`)
  const ofOrganization = sql<boolean>`${of('organization_id')} = ${organizationId}::uuid`
  if (role === 'manager') return ofOrganization
  const unassigned = sql`${of('assignee_id')} is null and (${of('team_id')} = any(${teamIds}::uuid[])
    or ${lineIds ? sql`${of('sender_id')} = any(${lineIds}::uuid[])` : sql`true`})`
  if (role === 'user')
    return sql<boolean>`(${ofOrganization} and (${of('assignee_id')} = ${accountId}::uuid or (${unassigned})))`
  return sql<boolean>`(${ofOrganization} and ((${unassigned}) or ${of('sender_id')} = any(${teamLineIds}::uuid[])
    or ${of('team_id')} = any(${teamIds}::uuid[])
    or ${of('assignee_id')} in (select id from accounts where organization_id = ${organizationId}::uuid and path <@ ${path}::ltree)))`
}
