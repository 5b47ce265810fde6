import type { Input } from '@carillon/contract/endpoint'
import type { liveAgentEndpoints } from '@carillon/contract/live-agents'
import { sql } from 'kysely'
import type { UserActor } from '../../../actor.ts'
import type { Db } from '../../../db/pool.ts'
import { badField, Problem } from '../../../lib/problem.ts'
import { loadReach } from '../access/sees.ts'
import { changePlaces } from '../changes/release-lost.ts'

/** Skills, teams, lines and capacity of an agent. */
export type AgentSetup = Input<(typeof liveAgentEndpoints)['agents.update']>['body']

type Places = Pick<AgentSetup, 'teamIds' | 'lineIds'>
type Given = { actor: UserActor; id: string | undefined; setup: AgentSetup }

/**
 * Throws if the actor may not give an agent this setup: managers give any of the organization's teams and lines, department
 * heads those that they answer themselves, and others none. `id` is absent for a new account.
 */
export async function assertMayGive(db: Db, { actor, id, setup }: Given): Promise<void> {
  await assertOwned(db, actor, setup)
  if (actor.role === 'manager') return
  if (id === actor.accountId) return assertNothing(setup)
  const [reach, has] = [await loadReach(db, actor), await findPlaces(db, actor, id)]
  if (setup.teamIds.some((team) => !reach.teamIds.includes(team) && !has.teamIds.includes(team)))
    throw badField('teamIds', 'Choose teams that you are a member of')
  const { lineIds } = reach
  if (lineIds === undefined) return
  if (setup.lineIds.some((line) => !lineIds.includes(line) && !has.lineIds.includes(line)))
    throw badField('lineIds', 'Choose lines that you answer yourself')
  if (setup.teamIds.length + setup.lineIds.length === 0) throw badField('lineIds', 'Choose at least one team or line')
}

function assertNothing({ skills, teamIds, lineIds, maxOpen, perChannel }: AgentSetup): void {
  const isEmpty = skills.length + teamIds.length + lineIds.length + Object.keys(perChannel).length === 0
  if (!isEmpty || maxOpen !== null)
    throw new Problem('forbidden', 'Your manager sets your skills, teams, lines and capacity')
}

async function findPlaces(db: Db, { organizationId }: UserActor, id: string | undefined): Promise<Places> {
  if (id === undefined) return { teamIds: [], lineIds: [] }
  const { rows } = await sql<Places>`
    select array(select team_id from team_members where organization_id = ${organizationId}::uuid and account_id = ${id}::uuid) as "teamIds",
      array(select sender_id from live_agent_lines where organization_id = ${organizationId}::uuid and account_id = ${id}::uuid) as "lineIds"`.execute(
    db,
  )
  return rows[0] ?? { teamIds: [], lineIds: [] }
}

/** Throws unless the teams and lines are the organization's. */
export async function assertOwned(db: Db, { organizationId }: UserActor, { teamIds, lineIds }: Places): Promise<void> {
  const { rows } = await sql<{ teams: number; lines: number }>`
    select (select count(*) from teams where organization_id = ${organizationId}::uuid and id = any(${teamIds}::uuid[])) as teams,
      (select count(*) from senders where organization_id = ${organizationId}::uuid and id = any(${lineIds}::uuid[]) and deleted_at is null) as lines`.execute(
    db,
  )
  if ((rows[0]?.teams ?? 0) < new Set(teamIds).size) throw badField('teamIds', 'Choose teams of your organisation')
  if ((rows[0]?.lines ?? 0) < new Set(lineIds).size) throw badField('lineIds', 'Choose lines of your organisation')
}

type Target = { organizationId: string; accountId: string; setup: AgentSetup }

/** Replaces the setup of an agent. What the agent holds of teams and lines that they lose is unassigned. */
export async function writeSetup(db: Db, { organizationId, accountId, setup }: Target): Promise<void> {
  const { skills, maxOpen, perChannel } = setup
  const key = sql`organization_id = ${organizationId}::uuid and account_id = ${accountId}::uuid`
  await sql`
    update live_agents set skills = ${[...new Set(skills)]}::text[], capacity = ${maxOpen}, channel_capacity = ${JSON.stringify(perChannel)}::jsonb
    where ${key}`.execute(db)
  await changePlaces(db, { organizationId, accountIds: [accountId] }, async () => {
    await writePlaces(db, { organizationId, accountId, setup })
  })
}

async function writePlaces(db: Db, { organizationId, accountId, setup }: Target): Promise<void> {
  const key = sql`organization_id = ${organizationId}::uuid and account_id = ${accountId}::uuid`
  await sql`delete from team_members where ${key} and team_id <> all(${setup.teamIds}::uuid[])`.execute(db)
  await sql`delete from live_agent_lines where ${key} and sender_id <> all(${setup.lineIds}::uuid[])`.execute(db)
  // Teams and lines may have been deleted since an invitation.
  await sql`
    insert into team_members (organization_id, team_id, account_id)
    select organization_id, id, ${accountId}::uuid from teams where organization_id = ${organizationId}::uuid and id = any(${setup.teamIds}::uuid[])
    on conflict do nothing`.execute(db)
  await sql`
    insert into live_agent_lines (organization_id, account_id, sender_id)
    select organization_id, ${accountId}::uuid, id from senders
    where organization_id = ${organizationId}::uuid and id = any(${setup.lineIds}::uuid[]) and deleted_at is null
    on conflict do nothing`.execute(db)
}
