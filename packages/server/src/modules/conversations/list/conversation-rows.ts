import type { Channel } from '@carillon/contract/channels'
import {
  ConversationPriority,
  MessageType,
  type Conversation,
  type ConversationStatus,
  type HeldBy,
} from '@carillon/contract/conversation-records'
import { truncate } from '@carillon/contract/text'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import { singleLine } from '../../../lib/text.ts'
import { withdrawnType } from '../inbox/changed-messages.ts'

type Row = {
  id: string
  channel: Channel
  sender_id: string
  line: string
  identity: string
  contact_id: string
  given_name: string | null
  person_name: string | null
  phone: number | null
  username: string | null
  status: ConversationStatus
  held_by: HeldBy
  paused_until: Date | null
  assignee_id: string | null
  assignee: string | null
  team_id: string | null
  team: string | null
  priority: number
  labels: string[]
  unread: number
  window_expires_at: Date | null
  waiting_since: Date | null
  due_at: Date | null
  snoozed_until: Date | null
  snooze_note: string | null
  blocked_at: Date | null
  opened_at: Date
  last_at: Date
  last_text: string
  last_type: string
  last_by: 'person' | 'member' | 'bot'
  revision: number
}

/** Extra columns of the chosen rows, such as their position in a list. */
export type ChosenRow<Extra> = Row & Extra

type Choice = {
  /** Selects rows of `conversations`, which may have further columns. */
  chosen: RawBuilder<unknown>
  order?: RawBuilder<unknown>
}

/** Conversations of an organization with the names of their line, person, team and assignee. */
export async function readConversationRows<Extra extends object>(
  db: Db,
  { organizationId, ...choice }: Choice & { organizationId: string },
): Promise<ChosenRow<Extra>[]> {
  const held = sql`array(select assignee_id from chosen where assignee_id is not null)`
  return readRows(db, { ...choice, assignees: sql`member_names(${organizationId}::uuid, ${held})` })
}

/** The same for conversations of any organizations. */
export async function readRowsOfAll<Extra extends object>(db: Db, choice: Choice): Promise<ChosenRow<Extra>[]> {
  return readRows(db, { ...choice, assignees: sql`accounts` })
}

async function readRows<Extra extends object>(
  db: Db,
  { chosen, order, assignees }: Choice & { assignees: RawBuilder<unknown> },
): Promise<ChosenRow<Extra>[]> {
  const { rows } = await sql<ChosenRow<Extra>>`
    with chosen as materialized (${chosen})
    select chosen.*, line.name as line, team.name as team, assignee.name as assignee, contact.name as given_name,
      person.name as person_name, person.phone, person.username,
      coalesce(person.contact_id, hashed_id(chosen.organization_id || ':' || chosen.channel || ':' || chosen.identity)) as contact_id
    from chosen
    join senders line on line.organization_id = chosen.organization_id and line.id = chosen.sender_id
    left join contact_identities person on person.organization_id = chosen.organization_id and person.channel = chosen.channel
      and person.identity = chosen.identity
    left join contacts contact on contact.organization_id = person.organization_id and contact.id = person.contact_id
    left join teams team on team.organization_id = chosen.organization_id and team.id = chosen.team_id
    left join ${assignees} assignee on assignee.id = chosen.assignee_id
    ${order ? sql`order by ${order}` : sql``}`.execute(db)
  return rows
}

export function presentConversation(row: Row): Conversation {
  const phoneNumber = row.phone === null ? undefined : `+${row.phone}`
  return {
    chatId: row.id,
    channel: row.channel,
    line: { _id: row.sender_id, name: row.line },
    contactId: row.contact_id,
    name: nameOf(row, phoneNumber),
    ...(phoneNumber && { phoneNumber }),
    ...(row.username !== null && { username: row.username }),
    status: row.status,
    handledBy: row.held_by,
    ...instants({ pausedUntil: row.paused_until, windowExpiresAt: row.window_expires_at }),
    ...instants({ waitingSince: row.waiting_since, dueAt: row.due_at, snoozedUntil: row.snoozed_until }),
    ...named('assignee', row.assignee_id, row.assignee),
    ...named('team', row.team_id, row.team),
    priority: ConversationPriority.options[row.priority] ?? 'normal',
    labels: row.labels,
    unread: row.unread,
    ...(row.snooze_note !== null && { snoozeNote: row.snooze_note }),
    isBlocked: row.blocked_at !== null,
    openedAt: row.opened_at.toISOString(),
    lastMessage: presentLast(row),
    revision: row.revision,
  }
}

function presentLast({ last_text: text, last_type, last_by: by, last_at }: Row): Conversation['lastMessage'] {
  const at = last_at.toISOString()
  if (last_type === withdrawnType) return { text: '', type: 'text', by, at, isDeleted: true }
  return { text, type: MessageType.catch('unsupported').parse(last_type), by, at }
}

const longestName = 120

/** The name that members gave, else the one that the channel reports, else the number or username. */
function nameOf({ given_name: given, person_name: reported, username, identity }: Row, phoneNumber?: string): string {
  const names = [given, reported, phoneNumber, username].map((name) => singleLine(name ?? ''))
  return truncate(names.find((name) => name !== '') ?? identity, longestName)
}

function instants<Name extends string>(dates: Record<Name, Date | null>): Partial<Record<Name, string>> {
  const known = Object.entries<Date | null>(dates).flatMap(([name, date]) => (date ? [[name, date.toISOString()]] : []))
  // The same names, without those that have no date.
  return Object.fromEntries(known) as Partial<Record<Name, string>>
}

/** A member whose account was deleted holds nothing, so both or neither are known. */
function named(field: 'assignee' | 'team', id: string | null, name: string | null): Partial<Conversation> {
  return id === null ? {} : { [field]: { _id: id, name: name ?? '' } }
}
