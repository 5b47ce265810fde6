import type { Input } from '@carillon/contract/endpoint'
import type { inboxSettingsEndpoints, Team } from '@carillon/contract/inbox-settings'
import { sql } from 'kysely'
import type { UserActor } from '../../../actor.ts'
import type { Db } from '../../../db/pool.ts'
import { refuseDuplicate } from '../../../db/refuse-duplicate.ts'
import { newId } from '../../../lib/ids.ts'
import { badField, conflict, notFound } from '../../../lib/problem.ts'
import { recordAudit, whoActs } from '../../audit/index.ts'
import { assertOwned } from '../agents/agent-setup.ts'
import { agentsChanged } from '../agents/availability.ts'
import { maySee } from '../agents/see-agents.ts'
import { changePlaces } from '../changes/release-lost.ts'

type Wanted = Input<(typeof inboxSettingsEndpoints)['teams.create']>['body']

const mostTeams = 200

/** All teams by name, because conversations can be handed to each; but only members that the actor may see. */
export async function listTeams(db: Db, actor: UserActor): Promise<Team[]> {
  return findTeams(db, actor, undefined)
}

async function findTeams(db: Db, actor: UserActor, id: string | undefined): Promise<Team[]> {
  const { organizationId } = actor
  const { rows } = await sql<Team>`
    select team.id, team.name,
      (select coalesce(json_agg(json_build_object('_id', member.id, 'name', member.name) order by lower(member.name), member.id), '[]')
        from team_members own join members_of(${organizationId}::uuid) member on member.id = own.account_id
        where own.organization_id = team.organization_id and own.team_id = team.id and member.status <> 'closed' and ${maySee(actor)}) as members,
      (select coalesce(json_agg(json_build_object('_id', sender.id, 'name', sender.name) order by lower(sender.name), sender.id), '[]')
        from team_lines line join senders sender on sender.organization_id = line.organization_id and sender.id = line.sender_id
        where line.organization_id = team.organization_id and line.team_id = team.id) as lines
    from teams team
    where team.organization_id = ${organizationId}::uuid and (${id ?? null}::uuid is null or team.id = ${id ?? null}::uuid)
    order by lower(team.name), team.id`.execute(db)
  return rows
}

export async function createTeam(db: Db, { actor, wanted }: { actor: UserActor; wanted: Wanted }): Promise<Team> {
  const { organizationId } = actor
  const { count } = await db
    .selectFrom('teams')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
  if (count >= mostTeams)
    throw conflict(`An organisation has at most ${mostTeams} teams. Delete one you no longer need.`)
  const id = newId()
  await refuseDuplicate(
    db.insertInto('teams').values({ organization_id: organizationId, id, name: wanted.name }).execute(),
    nameTaken(),
  )
  await saveTeam(db, { actor, id, wanted, action: 'team.created' })
  return getTeam(db, actor, id)
}

type Change = { actor: UserActor; id: string; wanted: Wanted }

export async function updateTeam(db: Db, { actor, id, wanted }: Change): Promise<Team> {
  const { organizationId } = actor
  const writing = db
    .updateTable('teams')
    .set({ name: wanted.name })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
    .then((team) => {
      if (!team) throw notFound('Team')
    })
  await refuseDuplicate(writing, nameTaken())
  await saveTeam(db, { actor, id, wanted, action: 'team.updated' })
  return getTeam(db, actor, id)
}

/** Its conversations have no team then, and are read again by browsers. Members lose those that they answer for no other reason. */
export async function deleteTeam(db: Db, { actor, id }: { actor: UserActor; id: string }): Promise<void> {
  const { organizationId } = actor
  const members = await findMembers(db, organizationId, id)
  await changePlaces(db, { organizationId, accountIds: members }, () =>
    writePlaces(db, { organizationId, id, wanted: { memberIds: [], lineIds: [] } }),
  )
  await sql`update conversations set team_id = null where organization_id = ${organizationId}::uuid and team_id = ${id}::uuid`.execute(
    db,
  )
  const team = await db
    .deleteFrom('teams')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst()
  if (!team) throw notFound('Team')
  await recordAudit(db, {
    organizationId,
    ...whoActs(actor),
    action: 'team.deleted',
    object: { type: 'team', id },
    details: { name: team.name },
  })
  await agentsChanged(db, organizationId, members)
}

const nameTaken = () => badField('name', 'Another team has this name')

async function saveTeam(db: Db, { actor, id, wanted, action }: Change & { action: string }): Promise<void> {
  const { organizationId } = actor
  await assertOwned(db, actor, { teamIds: [], lineIds: wanted.lineIds })
  await assertMembers(db, organizationId, wanted.memberIds)
  const before = await findMembers(db, organizationId, id)
  const accountIds = [...new Set([...before, ...wanted.memberIds])]
  await changePlaces(db, { organizationId, accountIds }, () => writePlaces(db, { organizationId, id, wanted }))
  await recordAudit(db, {
    organizationId,
    ...whoActs(actor),
    action,
    object: { type: 'team', id },
    details: { name: wanted.name },
  })
  await agentsChanged(db, organizationId, accountIds)
}

type Places = { organizationId: string; id: string; wanted: Pick<Wanted, 'memberIds' | 'lineIds'> }

async function writePlaces(db: Db, { organizationId, id, wanted }: Places): Promise<void> {
  const team = sql`organization_id = ${organizationId}::uuid and team_id = ${id}::uuid`
  await sql`delete from team_members where ${team} and account_id <> all(${wanted.memberIds}::uuid[])`.execute(db)
  await sql`delete from team_lines where ${team} and sender_id <> all(${wanted.lineIds}::uuid[])`.execute(db)
  await sql`
    insert into team_members (organization_id, team_id, account_id)
    select ${organizationId}::uuid, ${id}::uuid, member from unnest(${wanted.memberIds}::uuid[]) as member on conflict do nothing`.execute(
    db,
  )
  await sql`
    insert into team_lines (organization_id, team_id, sender_id)
    select ${organizationId}::uuid, ${id}::uuid, line from unnest(${wanted.lineIds}::uuid[]) as line on conflict do nothing`.execute(
    db,
  )
}

/** Members are agents: others answer no conversations. */
async function assertMembers(db: Db, organizationId: string, ids: readonly string[]): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from live_agents live
    join members_of(${organizationId}::uuid) member on member.id = live.account_id
    where live.organization_id = ${organizationId}::uuid and live.account_id = any(${[...ids]}::uuid[]) and member.status <> 'closed'`.execute(
    db,
  )
  if ((rows[0]?.count ?? 0) < new Set(ids).size) throw badField('memberIds', 'Choose agents of your organisation')
}

async function findMembers(db: Db, organizationId: string, id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('team_members')
    .select('account_id')
    .where('organization_id', '=', organizationId)
    .where('team_id', '=', id)
    .execute()
  return rows.map(({ account_id }) => account_id)
}

async function getTeam(db: Db, actor: UserActor, id: string): Promise<Team> {
  const [team] = await findTeams(db, actor, id)
  if (!team) throw notFound('Team')
  return team
}
