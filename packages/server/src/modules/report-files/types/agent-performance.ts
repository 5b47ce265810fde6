import { factColumns } from '../../conversations/index.ts'
import { count, text, type ReportColumn } from '../report-columns.ts'
import type { Covered, ReportEntry } from '../report-entry.ts'
import { literal } from '../report-span.ts'

const unsummed = (key: string, title: string, value: string): ReportColumn => ({ key, title, unit: 'count', value })

/** By the clock, in seconds. */
const durations = (kind: string, key: string, title: string): ReportColumn[] => [
  unsummed(`${key}Avg`, `${title}, average (s)`, `round((${kind}_clock ->> 'avg')::numeric)`),
  unsummed(`${key}P50`, `${title}, median (s)`, `round((${kind}_clock #>> '{shares,0}')::numeric)`),
  unsummed(`${key}P90`, `${title}, 90 % (s)`, `round((${kind}_clock #>> '{shares,1}')::numeric)`),
  unsummed(`${key}Business`, `${title}, average in business hours (s)`, `round((${kind}_business ->> 'avg')::numeric)`),
]

/** What agents did, as their metrics count it. */
export const agentPerformance: ReportEntry = {
  rows: 'groups',
  columns: () => [
    text('organization', 'Organization', 'organization'),
    text('agent', 'Agent', 'agent'),
    text('username', 'Username', 'username'),
    count('assigned', 'Assigned'),
    count('opened', 'Opened'),
    count('resolved', 'Resolved'),
    count('reopened', 'Reopened'),
    count('messagesIn', 'Messages in', 'message_in'),
    count('messagesOut', 'Messages out', 'message_out'),
    count('transfersIn', 'Transfers in', 'transfer_in'),
    count('transfersOut', 'Transfers out', 'transfer_out'),
    count('slaBreaches', 'Late answers', 'sla_breach'),
    ...durations('first_response', 'firstResponse', 'First response'),
    ...durations('response', 'response', 'Response'),
    ...durations('resolution', 'resolution', 'Resolution'),
    count('onlineSeconds', 'Online (s)', 'online'),
    count('busySeconds', 'Busy (s)', 'busy'),
    count('ratings', 'Ratings', 'rating'),
    unsummed('stars', 'Average rating', 'trim_scale(round(stars::numeric, 2))'),
  ],
  source: agentRows,
}

function agentRows({ organization: { organizationId, path, name }, span }: Covered): string {
  const id = `${literal(organizationId)}::uuid`
  const secondsOf = (availability: string) =>
    `coalesce(round(sum(seconds) filter (where availability = '${availability}')), 0) as ${availability}`
  return `
    with bounds as (
      select day_start(${literal(span.from)}::date, zone) as since, least(day_start(${literal(span.to)}::date + 1, zone), now()) as until
      from inbox_timezone(${id}) zone
    ), fact as (
      select account_id, ${factColumns} from agent_facts, bounds
      where organization_id = ${id} and at >= since and at < until group by account_id
    ), span as (
      select account_id, ${secondsOf('online')}, ${secondsOf('busy')} from (
        select account_id, availability,
          extract(epoch from least(coalesce(ended_at, until), until) - greatest(began_at, since)) as seconds
        from live_agent_spans, bounds
        where organization_id = ${id} and began_at < until and (ended_at is null or ended_at > since)) present
      group by account_id
    )
    select ${literal(name)} as organization, null::date as day, 0 as submitted, 0 as delivered, 0 as failed, member.name as agent,
      member.username::text as username, fact.*, coalesce(span.online, 0) as online, coalesce(span.busy, 0) as busy
    from accounts member
    left join live_agents live on live.organization_id = ${id} and live.account_id = member.id
    left join fact on fact.account_id = member.id
    left join span on span.account_id = member.id
    where member.organization_id = ${id} and member.path <@ ${literal(path)}::ltree
      and (fact.account_id is not null or (live.account_id is not null and member.status <> 'closed'))
    order by lower(member.name), member.id`
}
