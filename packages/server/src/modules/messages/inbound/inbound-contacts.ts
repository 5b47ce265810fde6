import { channelTraits } from '@carillon/contract/channels/table'
import type { Channel } from '@carillon/contract/channels'
import { channelsWith } from '../../../channels/index.ts'
import { sql } from 'kysely'
import { hashedId } from '../../../lib/ids.ts'
import type { Db } from '../../../db/pool.ts'
import type { InboundMessage } from '../../../channels/provider.ts'
import type { StoredInbound } from './stored-inbound.ts'
import type { SenderKey } from '../reports/reports.queries.ts'
import { run, type Queryable, type Statement } from '../statements.ts'

type ReceivedMessage = StoredInbound & { message: InboundMessage }

/** Channels on which a business may write freely only within a day after the person wrote; on others it always may. */
export const serviceWindowHours = 24

/** A new identity joins the contact of its number, if another channel knows the number. An identity that is unchanged is not written. */
const saveIdentities: Statement = {
  name: 'keep-identities',
  text: `
  insert into contact_identities as known (organization_id, channel, identity, phone, name, username, contact_id)
  select input.organization_id, input.channel::channel, input.identity, input.phone, input.name, input.username,
    coalesce((select other.contact_id from contact_identities other
      where other.organization_id = input.organization_id and other.phone = input.phone
      order by other.channel, other.identity limit 1), input.contact_id)
  from jsonb_to_recordset($1::jsonb)
    as input (organization_id uuid, channel text, identity text, phone bigint, name text, username text, contact_id uuid)
  order by input.organization_id, input.channel, input.identity
  on conflict (organization_id, channel, identity) do update
  set phone = coalesce(excluded.phone, known.phone), name = coalesce(excluded.name, known.name),
    username = coalesce(excluded.username, known.username), updated_at = now()
  where (coalesce(excluded.phone, known.phone), coalesce(excluded.name, known.name), coalesce(excluded.username, known.username))
    is distinct from (known.phone, known.name, known.username)`,
}

const saveServiceWindows: Statement = {
  name: 'keep-windows',
  text: `
  insert into service_windows (organization_id, sender_id, identity, expires_at, last_message_id)
  select input.organization_id, input.sender_id, input.identity, input.at + ${serviceWindowHours} * interval '1 hour', input.message_id
  from jsonb_to_recordset($1::jsonb)
    as input (organization_id uuid, sender_id uuid, identity text, at timestamptz, message_id text)
  order by input.organization_id, input.sender_id, input.identity
  on conflict (organization_id, sender_id, identity) do update
  set expires_at = excluded.expires_at, last_message_id = excluded.last_message_id
  where service_windows.expires_at <= excluded.expires_at`,
}

/** Records the authors of messages, each with the contact that unites their identities. */
export async function saveContacts(db: Queryable, stored: readonly ReceivedMessage[]): Promise<void> {
  const people = latestOf(stored, ({ organizationId, channel, identity }) => `${organizationId}:${channel}:${identity}`)
  const rows = people.map((author) => ({
    organization_id: author.organizationId,
    channel: author.channel,
    identity: author.identity,
    phone: author.phone,
    name: author.message.identity?.name,
    username: author.message.identity?.username,
    contact_id: contactIdOf(author),
  }))
  await run(db, saveIdentities, [JSON.stringify(rows)])
}

/** The contact of a new identity; identities with the same number share it. */
function contactIdOf({ organizationId, channel, identity, phone }: Identity): string {
  return hashedId(`${organizationId}:${phone ?? `${channel}:${identity}`}`)
}

type Identity = Pick<StoredInbound, 'organizationId' | 'channel' | 'identity' | 'phone'>

/** Extends the time in which the authors may be written to freely, on channels with such a window. */
export async function saveWindows(db: Queryable, stored: readonly ReceivedMessage[]): Promise<void> {
  const opening = stored.filter(({ channel, isAction }) => channelTraits[channel].hasServiceWindow && !isAction)
  if (opening.length === 0) return
  const rows = latestOf(opening, ({ senderId, identity }) => `${senderId}:${identity}`).map((author) => ({
    organization_id: author.organizationId,
    sender_id: author.senderId,
    identity: author.identity,
    at: author.at,
    message_id: author.message.dedupeKey,
  }))
  await run(db, saveServiceWindows, [JSON.stringify(rows)])
}

/** The newest message of each author. */
function latestOf(
  stored: readonly ReceivedMessage[],
  authorOf: (message: ReceivedMessage) => string,
): ReceivedMessage[] {
  const last = new Map<string, ReceivedMessage>()
  for (const received of stored) {
    const author = authorOf(received)
    if (!(received.at < (last.get(author)?.at ?? received.at))) last.set(author, received)
  }
  return [...last.values()]
}

const windowed = channelsWith(({ hasServiceWindow }) => hasServiceWindow)

const saveOptOuts: Statement = {
  name: 'keep-preference',
  text: `
  insert into contact_identities (organization_id, channel, identity, phone, no_marketing_at, contact_id)
  select $1, channel, $3, $4::bigint, $5::timestamptz,
    coalesce((select other.contact_id from contact_identities other where other.organization_id = $1 and other.phone = $4::bigint
      order by other.channel, other.identity limit 1), hashed_id($1::uuid || ':' || coalesce($4::bigint::text, channel || ':' || $3)))
  from senders where organization_id = $1 and id = $2
  on conflict (organization_id, channel, identity) do update
  set no_marketing_at = excluded.no_marketing_at, updated_at = now()`,
}

/** A preference set in the provider's own app. */
export async function savePreference(
  db: Queryable,
  { organizationId, senderId }: SenderKey,
  { identity, phone, wantsNone, at }: { identity: string; phone: number | undefined; wantsNone: boolean; at: Date },
): Promise<void> {
  await run(db, saveOptOuts, [organizationId, senderId, identity, phone ?? null, wantsNone ? at.toISOString() : null])
}

/** Records a person who is written to before they write, with the contact of their number. */
export async function ensureIdentity(
  db: Db,
  { organizationId, channel, phone }: { organizationId: string; channel: Channel; phone: number },
): Promise<void> {
  await sql`
    insert into contact_identities (organization_id, channel, identity, phone, contact_id)
    select ${organizationId}::uuid, ${channel}::channel, ${String(phone)}, ${phone}::bigint,
      coalesce((select other.contact_id from contact_identities other where other.organization_id = ${organizationId}::uuid
        and other.phone = ${phone}::bigint order by other.channel, other.identity limit 1), hashed_id(${organizationId} || ':' || ${String(phone)}))
    on conflict (organization_id, channel, identity) do nothing`.execute(db)
}

const saveIdentityStop: Statement = {
  name: 'keep-identity-opt-out',
  text: `
  update contact_identities known set opted_out_at = $4::timestamptz, updated_at = now()
  from senders sender
  where sender.organization_id = $1 and sender.id = $2
    and known.organization_id = $1 and known.channel = sender.channel and known.identity = $3`,
}

/** A person without a visible number, whose identity is stored already, opted out of the channel or in again. */
export async function saveIdentityOptOut(
  db: Queryable,
  { organizationId, senderId }: SenderKey,
  { identity, request, at }: Pick<StoredInbound, 'identity' | 'request' | 'at'>,
): Promise<void> {
  await run(db, saveIdentityStop, [organizationId, senderId, identity, request === 'out' ? at.toISOString() : null])
}

export type ServiceWindow = {
  expiresAt: Date
  /** What read receipts and typing indicators refer to. */
  lastMessageId: string
}

type WindowKey = { senderId: string; identity: string }

/** The open window in which this person may be written to freely from this line; undefined if there is none. */
export async function findWindow(
  db: Db,
  { organizationId, ...key }: WindowKey & { organizationId: string },
): Promise<ServiceWindow | undefined> {
  const [window] = await findWindows(db, organizationId, [key])
  return window
}

/** The same for each of these. */
export async function findWindows(
  db: Db,
  organizationId: string,
  asked: readonly WindowKey[],
): Promise<(ServiceWindow | undefined)[]> {
  const phones = asked.map(({ identity }) => (/^\d{7,15}$/.test(identity) ? identity : null))
  // A person with a visible number is also found by it, although the channel identifies them by another id.
  const { rows } = await sql<ServiceWindow | Record<keyof ServiceWindow, null>>`
    select open.expires_at as "expiresAt", open.last_message_id as "lastMessageId"
    from unnest(${asked.map(({ senderId }) => senderId)}::uuid[], ${asked.map(({ identity }) => identity)}::text[], ${phones}::bigint[])
      with ordinality as asked (sender_id, identity, phone, place)
    left join lateral (
      select expires_at, last_message_id from service_windows
      where organization_id = ${organizationId}::uuid and sender_id = asked.sender_id and expires_at > now()
        and identity in (select asked.identity union all select known.identity from contact_identities known
          where known.organization_id = ${organizationId}::uuid and known.channel::text = any(${windowed}) and known.phone = asked.phone)
      order by expires_at desc
      limit 1
    ) open on true
    order by asked.place`.execute(db)
  return rows.map((row) => (row.expiresAt === null ? undefined : row))
}
