import { sqlText } from '../../../db/sql-text.ts'
import { placesOf, reachFrom, sees, type Places } from '../../conversations/index.ts'
import { ofChannel } from '../message-rows.ts'
import { channelLabel, count, lookUp, text, time, type ReportColumn } from '../report-columns.ts'
import type { Covered, Query, ReportEntry } from '../report-entry.ts'
import { literal } from '../report-span.ts'

const statusLabels = { open: 'Open', pending: 'With the bot', snoozed: 'Snoozed', resolved: 'Resolved' }

const seconds = (key: string, title: string, ended: string): ReportColumn => ({
  key,
  title: `${title} (s)`,
  unit: 'count',
  value: `round(extract(epoch from greatest(${ended} - opened_at, interval '0')))`,
})

/** Conversations that were opened in the span, of those that the account sees. One that is opened again counts on its last opening. */
export const conversationDetail: ReportEntry = {
  rows: 'groups',
  readSeen: readReach,
  columns: ({ timezone }) => [
    text('conversation', 'Conversation', 'id'),
    text('contact', 'Contact', 'contact'),
    { key: 'number', title: 'Number', unit: 'phone', value: 'phone' },
    text('channel', 'Channel', channelLabel),
    text('line', 'Line', 'line'),
    text('agent', 'Agent', 'agent'),
    text('team', 'Team', 'team'),
    text('labels', 'Labels', `array_to_string(labels, ', ')`),
    text('status', 'Status', lookUp(statusLabels, 'status::text')),
    time('openedAt', 'Opened at', { value: 'opened_at', timezone }),
    time('firstResponseAt', 'First response at', { value: 'first_answered_at', timezone }),
    time('resolvedAt', 'Resolved at', { value: 'resolved_at', timezone }),
    seconds('firstResponse', 'First response', 'first_answered_at'),
    seconds('resolution', 'Resolution', 'resolved_at'),
    count('messagesIn', 'Messages in', 'messages_in'),
    count('messagesOut', 'Messages out', 'messages_out'),
    { key: 'rating', title: 'Rating', unit: 'count', value: 'stars' },
  ],
  source: conversationRows,
}

async function readReach(query: Query, { organization, span: { requester } }: Pick<Covered, 'organization' | 'span'>) {
  const { organizationId, path } = organization
  const [places = { teams: [], own: [], of_teams: [] }] = await query<Places>(
    sqlText(placesOf({ organizationId, accountId: requester.accountId })),
  )
  return sqlText(sees(reachFrom({ ...requester, organizationId, path }, places)))
}

function conversationRows({ organization: { organizationId, name, timezone }, span, seen }: Covered): string {
  const id = `${literal(organizationId)}::uuid`
  const since = `organization_id = ${id} and conversation_id = chosen.id`
  return `
    with chosen as materialized (
      select * from conversations conversation
      where organization_id = ${id} and opened_at >= day_start(${literal(span.from)}::date, ${literal(timezone)})
        and opened_at < day_start(${literal(span.to)}::date + 1, ${literal(timezone)}) and (${seen}) ${ofChannel(span, 'channel')}
    )
    select ${literal(name)} as organization, null::date as day, 0 as submitted, 0 as delivered, 0 as failed, chosen.id,
      coalesce(contact.name, known.name, known.username) as contact, known.phone, chosen.channel::text as channel, line.name as line,
      agent.name as agent, team.name as team, chosen.labels, chosen.status, chosen.opened_at, chosen.first_answered_at, chosen.resolved_at,
      (select count(*) from inbound_messages where ${since} and received_at >= chosen.opened_at) as messages_in,
      (select count(*) from single_sends where ${since} and created_at >= chosen.opened_at) as messages_out,
      (select stars from ratings where ${since} and asked_at >= chosen.opened_at order by asked_at desc limit 1) as stars
    from chosen
    left join contact_identities known on known.organization_id = ${id} and known.channel = chosen.channel and known.identity = chosen.identity
    left join contacts contact on contact.organization_id = ${id} and contact.id = known.contact_id
    left join senders line on line.organization_id = ${id} and line.id = chosen.sender_id
    left join teams team on team.organization_id = ${id} and team.id = chosen.team_id
    left join member_names(${id}, array(select assignee_id from chosen where assignee_id is not null)) agent on agent.id = chosen.assignee_id
    order by chosen.opened_at, chosen.id`
}
