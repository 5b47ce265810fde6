import type { Answer, Input } from '@carillon/contract/endpoint'
import type { Channel } from '@carillon/contract/channels'
import { Availability, type LiveAgent, type liveAgentEndpoints } from '@carillon/contract/live-agents'
import { paginate } from '@carillon/contract/paging'
import type { Role } from '@carillon/contract/roles'
import { sql, type RawBuilder } from 'kysely'
import type { UserActor } from '../../../actor.ts'
import type { Db } from '../../../db/pool.ts'
import { notFound } from '../../../lib/problem.ts'
import { mayManage, mayMonitor, maySee } from './see-agents.ts'

type Query = Input<(typeof liveAgentEndpoints)['agents.list']>['query']
type Page = Answer<(typeof liveAgentEndpoints)['agents.list']>
type Period = Query['period']

export const daysOf: Record<Period, number> = { day: 1, week: 7, month: 30 }

/** The beginning of the period in the organization's time zone. */
export function beginningOf(organizationId: string, period: Period): RawBuilder<Date> {
  return sql<Date>`((date_trunc('day', now() at time zone inbox_timezone(${organizationId}::uuid)) - ${daysOf[period] - 1} * interval '1 day')
    at time zone inbox_timezone(${organizationId}::uuid))`
}

/** A page of agents, those online first, and how many of all are online. */
export async function listAgents(db: Db, { actor, query }: { actor: UserActor; query: Query }): Promise<Page> {
  const { page, limit, period } = query
  const found = sql`with agent as materialized (${agentsOf(actor)}), matching as materialized (select * from agent where ${matches(query)})`
  const { rows: counts } = await sql<{ total: number; online: number }>`${found}
    select (select count(*) from matching) as total, (select count(*) from agent where is_online) as online`.execute(db)
  const { total = 0, online = 0 } = counts[0] ?? {}
  const { rows } = await sql<AgentRow>`${found}, page as materialized (
      select * from matching order by is_invited, not is_online, availability = 'offline', lower(name), id
      limit ${limit} offset ${(page - 1) * limit})
    ${details(actor, period)}
    order by is_invited, not is_online, availability = 'offline', lower(page.name), page.id`.execute(db)
  return { agents: rows.map(present), online, pagination: paginate(query, total) }
}

/** One agent or invited agent. */
export async function getAgent(db: Db, { actor, id }: { actor: UserActor; id: string }): Promise<LiveAgent> {
  const { rows } = await sql<AgentRow>`
    with page as materialized (select * from (${agentsOf(actor)}) agent where id = ${id}::uuid) ${details(actor, 'day')}`.execute(
    db,
  )
  if (!rows[0]) throw notFound('Agent')
  return present(rows[0])
}

/** All agents that the actor may see. Invited ones are seen by those who may invite, the managers. */
function agentsOf(actor: UserActor) {
  const { organizationId, role } = actor
  return sql`
    select live.account_id as id, member.name, member.email, member.role, false as is_invited, live.availability, live.available_since,
      live.goes_offline, live.last_seen_at, live.skills, live.capacity, live.channel_capacity, live.invited_at,
      team.ids as team_ids, array(
        select line.sender_id from live_agent_lines line where line.organization_id = live.organization_id and line.account_id = live.account_id
      ) as line_ids,
      array(select line.sender_id from team_lines line
        where line.organization_id = live.organization_id and line.team_id = any(team.ids)) as team_line_ids,
      member.status = 'active' and 'chat' = any(effective_modules(live.account_id)) as is_active,
      live.availability = 'online' and member.status = 'active' as is_online,
      ${mayMonitor(actor)} as may_monitor, ${mayManage(actor)} as may_manage
    from live_agents live
    join members_of(${organizationId}::uuid) member on member.id = live.account_id
    cross join lateral (select array(select team_id from team_members own
      where own.organization_id = live.organization_id and own.account_id = live.account_id) as ids) team
    where live.organization_id = ${organizationId}::uuid and member.status <> 'closed' and ${maySee(actor)}
    union all
    select invited.invitation_id, invited.name, invitation.email::text, invitation.role, true, 'offline', invited.created_at,
      true, null, invited.skills, invited.capacity, invited.channel_capacity, invited.created_at,
      invited.team_ids, invited.line_ids,
      array(select line.sender_id from team_lines line
        where line.organization_id = invited.organization_id and line.team_id = any(invited.team_ids)),
      true, false, false, true
    from invited_agents invited
    join invitations invitation on invitation.organization_id = invited.organization_id and invitation.id = invited.invitation_id
    where invited.organization_id = ${organizationId}::uuid and ${role === 'manager'} and invitation.accepted_at is null
      and invitation.revoked_at is null and invitation.expires_at > now()`
}

function matches({ online, channel, search }: Query) {
  const pattern = search ? `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%` : null
  return sql<boolean>`(${online ?? null}::boolean is null or is_online = ${online ?? null}::boolean)
    and (${channel ?? null}::channel is null or (line_ids || team_line_ids = '{}')
      or exists (select from senders where id = any(line_ids || team_line_ids) and senders.channel = ${channel ?? null}::channel))
    and (${pattern}::text is null or name ilike ${pattern} or email ilike ${pattern})`
}

type Named = { _id: string; name: string }
type AgentRow = {
  id: string
  name: string
  email: string
  role: Role
  is_invited: boolean
  is_active: boolean
  is_online: boolean
  availability: string
  available_since: Date
  goes_offline: boolean
  last_seen_at: Date | null
  skills: string[]
  capacity: number | null
  channel_capacity: Partial<Record<Channel, number>>
  invited_at: Date | null
  teams: Named[]
  lines: Named[]
  channels: Channel[]
  active: number
  resolved: number
  first_response: number | null
  may_monitor: boolean
  may_manage: boolean
}

function details({ organizationId }: UserActor, period: Period) {
  const named = (of: string) =>
    sql.raw(`coalesce(json_agg(json_build_object('_id', ${of}.id, 'name', ${of}.name)
    order by lower(${of}.name), ${of}.id), '[]')`)
  return sql`
    select page.*, load.active, done.resolved, done.first_response,
      (select ${named('teams')} from teams where organization_id = ${organizationId}::uuid and teams.id = any(page.team_ids)) as teams,
      (select ${named('senders')} from senders where organization_id = ${organizationId}::uuid and senders.id = any(page.line_ids)) as lines,
      array(select distinct channel::text from senders where organization_id = ${organizationId}::uuid and deleted_at is null
        and (page.line_ids || page.team_line_ids = '{}' or senders.id = any(page.line_ids || page.team_line_ids)) order by 1) as channels
    from page
    cross join lateral (select count(*) as active from conversations
      where organization_id = ${organizationId}::uuid and assignee_id = page.id and status = 'open') load
    cross join lateral (
      select count(*) filter (where kind = 'resolved') as resolved,
        percentile_cont(0.5) within group (order by seconds) filter (where kind = 'first_response') as first_response
      from agent_facts where organization_id = ${organizationId}::uuid and account_id = page.id
        and at >= ${beginningOf(organizationId, period)} and kind in ('resolved', 'first_response')) done`
}

function present(row: AgentRow): LiveAgent {
  return {
    _id: row.id,
    name: row.name,
    email: row.email,
    role: row.role,
    isOnline: row.is_online,
    availability: Availability.parse(row.availability),
    availableSince: row.available_since.toISOString(),
    autoOffline: row.goes_offline,
    skills: row.skills,
    teams: row.teams,
    inboxes: row.lines,
    channels: row.channels,
    capacity: { maxOpen: row.capacity, perChannel: row.channel_capacity },
    activeChats: row.active,
    invitedAt: row.invited_at?.toISOString(),
    status: row.is_invited ? 'invited' : row.is_active ? 'active' : 'disabled',
    mayMonitor: row.may_monitor,
    mayManage: row.may_manage,
    ...(row.may_monitor
      ? {
          lastSeenAt: row.last_seen_at?.toISOString(),
          resolved: row.resolved,
          firstResponseSeconds: row.first_response === null ? null : Math.round(row.first_response),
        }
      : {}),
  }
}

type SearchAnswer = Answer<(typeof liveAgentEndpoints)['agents.search']>

const mostFound = 20

/** Agents who can take conversations, those online first. */
export async function searchAgents(db: Db, { actor, term }: { actor: UserActor; term: string }): Promise<SearchAnswer> {
  const pattern = `%${term.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const { organizationId } = actor
  const { rows } = await sql<SearchAnswer['agents'][number]>`
    select member.id as _id, member.name, member.email, live.availability = 'online' as "isOnline",
      (select count(*) from conversations where organization_id = ${organizationId}::uuid and assignee_id = member.id
        and conversations.status = 'open') as "activeChats"
    from live_agents live
    join members_of(${organizationId}::uuid) member on member.id = live.account_id
    where live.organization_id = ${organizationId}::uuid and member.status = 'active' and ${maySee(actor)}
      and (member.name ilike ${pattern} or member.email ilike ${pattern}) and 'chat' = any(effective_modules(member.id))
    order by live.availability <> 'online', lower(member.name), member.id limit ${mostFound}`.execute(db)
  return { agents: rows }
}
