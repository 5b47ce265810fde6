import type { Channel } from '@carillon/contract/channels'
import type { Contact, ConversationStatus } from '@carillon/contract/conversation-records'
import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import { notFound } from '../../../lib/problem.ts'
import { messagesByNumber } from '../../messages/index.ts'
import { loadReach, sees, type Member, type Reach } from '../access/sees.ts'

export type IdentityRow = {
  channel: Channel
  identity: string
  name: string | null
  username: string | null
  phone: number | null
  optedOut: boolean
}

type Key = { member: Member; id: string }

/** The identities of a contact. Managers see every contact, other members the contacts of conversations that they see. */
export async function getIdentities(db: Db, reach: Reach, id: string): Promise<IdentityRow[]> {
  const { organizationId, role } = reach
  const { rows } = await sql<IdentityRow>`
    select known.channel, known.identity, known.name, known.username, known.phone,
      known.opted_out_at is not null or exists (select from opt_outs
        where opt_outs.organization_id = known.organization_id and opt_outs.phone = known.phone and not marketing_only
          and opt_outs.channel = any(opt_out_channels(known.organization_id, known.channel))) as "optedOut"
    from contact_identities known
    where known.organization_id = ${organizationId}::uuid and known.contact_id = ${id}::uuid
      and (${role === 'manager'} or exists (
        select from conversations conversation
        join contact_identities shown on shown.organization_id = conversation.organization_id and shown.channel = conversation.channel
          and shown.identity = conversation.identity
        where shown.organization_id = ${organizationId}::uuid and shown.contact_id = ${id}::uuid and ${sees(reach)}))
    order by known.channel, known.identity`.execute(db)
  if (rows.length === 0) throw notFound('Contact')
  return rows
}

const mostConversations = 50
const mostCampaigns = 50
const yearMs = 365 * 86_400_000

export async function getContact(db: Db, { member, id }: Key): Promise<Contact> {
  const reach = await loadReach(db, member)
  const identities = await getIdentities(db, reach, id)
  const given = await db
    .selectFrom('contacts')
    .select('name')
    .where('organization_id', '=', member.organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
  return {
    _id: id,
    name: given?.name ?? nameOf(identities),
    ...(given && { givenName: given.name }),
    identities: identities.map(presentIdentity),
    conversations: await readConversations(db, reach, id),
    campaigns: await readCampaigns(db, member, identities),
    changes: await readChanges(db, { organizationId: member.organizationId, id }),
  }
}

/** As the channels report it, else the number or username. */
function nameOf(identities: readonly IdentityRow[]): string {
  const [first] = identities
  const named = identities.find(({ name }) => name)?.name
  const numbered = identities.find(({ phone }) => phone !== null)
  return named ?? (numbered ? `+${numbered.phone}` : (first?.username ?? first?.identity ?? ''))
}

function presentIdentity({ channel, identity, name, username, phone, optedOut }: IdentityRow) {
  return {
    channel,
    identity,
    ...(name && { name }),
    ...(username && { username }),
    ...(phone === null ? {} : { phoneNumber: `+${phone}` }),
    optedOut,
  }
}

type ConversationRow = {
  id: string
  channel: Channel
  sender_id: string
  line: string
  status: ConversationStatus
  last_text: string
  last_at: Date
}

/** Those that the member sees, newest first. */
async function readConversations(db: Db, reach: Reach, id: string): Promise<Contact['conversations']> {
  const { rows } = await sql<ConversationRow>`
    select conversation.id, conversation.channel, conversation.sender_id, line.name as line, conversation.status, conversation.last_text,
      conversation.last_at
    from contact_identities known
    join conversations conversation on conversation.organization_id = known.organization_id and conversation.channel = known.channel
      and conversation.identity = known.identity
    join senders line on line.organization_id = conversation.organization_id and line.id = conversation.sender_id
    where known.organization_id = ${reach.organizationId}::uuid and known.contact_id = ${id}::uuid and ${sees(reach)}
    order by conversation.last_at desc, conversation.id
    limit ${mostConversations}`.execute(db)
  return rows.map((row) => ({
    chatId: row.id,
    channel: row.channel,
    line: { _id: row.sender_id, name: row.line },
    status: row.status,
    lastText: row.last_text,
    lastAt: row.last_at.toISOString(),
  }))
}

/** Campaigns within the member's scope whose messages went to the contact's numbers in the last year. */
async function readCampaigns(
  db: Db,
  { scope }: Member,
  identities: readonly IdentityRow[],
): Promise<Contact['campaigns']> {
  const phones = new Set(identities.flatMap(({ phone }) => phone ?? []))
  const found: Contact['campaigns'] = []
  for (const phone of phones) {
    const from = new Date(Date.now() - yearMs)
    const { messages } = await messagesByNumber(db, { scope, phone, from, limit: mostCampaigns })
    for (const { campaignId, campaignName: name, channel, status, cost, ...times } of messages) {
      const at = times.sentAt ?? times.failedAt
      if (campaignId !== null && at !== undefined) found.push({ campaignId, name, channel, status, at, cost })
    }
  }
  return found.sort((one, other) => (one.at < other.at ? 1 : -1)).slice(0, mostCampaigns)
}

type ChangeRow = {
  id: string
  kind: 'merge' | 'split'
  identities: { identity: string }[]
  by: string | null
  is_server: boolean
  at: Date
  undone_at: Date | null
}

async function readChanges(
  db: Db,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<Contact['changes']> {
  const { rows } = await sql<ChangeRow>`
    with chosen as materialized (
      select * from contact_changes
      where organization_id = ${organizationId}::uuid and (to_contact_id = ${id}::uuid or (from_contact_id = ${id}::uuid and kind = 'split'))
      order by at desc limit 50
    )
    select chosen.id, chosen.kind, chosen.identities, author.name as by, chosen.actor_id is null as is_server, chosen.at, chosen.undone_at
    from chosen
    left join member_names(${organizationId}::uuid, array(select actor_id from chosen)) author on author.id = chosen.actor_id
    order by chosen.at desc, chosen.id`.execute(db)
  return rows.map(({ id: changeId, kind, identities, by, is_server, at, undone_at }) => ({
    id: changeId,
    kind,
    identities: identities.map(({ identity }) => (/^\d+$/.test(identity) ? `+${identity}` : identity)),
    by: by ?? (is_server ? 'The server' : 'A former member'),
    at: at.toISOString(),
    ...(undone_at && { undoneAt: undone_at.toISOString() }),
  }))
}
