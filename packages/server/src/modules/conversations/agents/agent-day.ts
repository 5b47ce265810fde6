import type { Answer } from '@carillon/contract/endpoint'
import { Availability, type liveAgentEndpoints } from '@carillon/contract/live-agents'
import type { Channel } from '@carillon/contract/channels'
import { sql } from 'kysely'
import type { UserActor } from '../../../actor.ts'
import type { Db } from '../../../db/pool.ts'
import { notFound } from '../../../lib/problem.ts'
import { mayMonitor } from './see-agents.ts'

type Day = Answer<(typeof liveAgentEndpoints)['agents.day']>
type Wanted = { actor: UserActor; id: string; day: string | undefined }

const mostConversations = 100

/** The availability of an agent through a day in the organization's time zone, and the conversations they hold now. */
export async function getDay(db: Db, { actor, id, day }: Wanted): Promise<Day> {
  const { organizationId } = actor
  const { rows: agents } = await sql<{ timezone: string; day: string }>`
    select zone.name as timezone, coalesce(${day ?? null}::date, (now() at time zone zone.name)::date) as day
    from live_agents live
    join members_of(${organizationId}::uuid) member on member.id = live.account_id
    cross join (select inbox_timezone(${organizationId}::uuid) as name) zone
    where live.organization_id = ${organizationId}::uuid and live.account_id = ${id}::uuid and ${mayMonitor(actor)}`.execute(
    db,
  )
  const [agent] = agents
  if (!agent) throw notFound('Agent')
  return {
    ...agent,
    spans: await readSpans(db, { organizationId, id, ...agent }),
    conversations: await readHeld(db, { organizationId, id }),
  }
}

async function readSpans(
  db: Db,
  { organizationId, id, day, timezone }: { organizationId: string; id: string; day: string; timezone: string },
): Promise<Day['spans']> {
  const { rows } = await sql<{ availability: string; from: Date; to: Date }>`
    with bounds as (
      select ${day}::date::timestamp at time zone ${timezone} as opens, (${day}::date + 1)::timestamp at time zone ${timezone} as closes)
    select availability, greatest(began_at, opens) as from, least(coalesce(ended_at, now()), closes) as to
    from live_agent_spans, bounds
    where organization_id = ${organizationId}::uuid and account_id = ${id}::uuid
      and began_at < least(closes, now()) and coalesce(ended_at, now()) > opens
    order by began_at limit 1000`.execute(db)
  return rows.map(({ availability, from, to }) => ({
    availability: Availability.parse(availability),
    from: from.toISOString(),
    to: to.toISOString(),
  }))
}

async function readHeld(
  db: Db,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<Day['conversations']> {
  const { rows } = await sql<{ id: string; name: string; channel: Channel; unread: number; last_at: Date }>`
    select conversation.id, conversation.channel, conversation.unread, conversation.last_at,
      coalesce(contact.name, known.name, '+' || known.phone, known.username, conversation.identity) as name
    from conversations conversation
    left join contact_identities known on known.organization_id = conversation.organization_id
      and known.channel = conversation.channel and known.identity = conversation.identity
    left join contacts contact on contact.organization_id = known.organization_id and contact.id = known.contact_id
    where conversation.organization_id = ${organizationId}::uuid and conversation.assignee_id = ${id}::uuid and conversation.status = 'open'
    order by conversation.last_at desc, conversation.id limit ${mostConversations}`.execute(db)
  return rows.map(({ id: chatId, name, channel, unread, last_at }) => ({
    chatId,
    name,
    channel,
    unread,
    lastAt: last_at.toISOString(),
  }))
}
