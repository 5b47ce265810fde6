import type { Channel } from '@carillon/contract/channels'
import type { PublicInbound } from '@carillon/contract/public-message-records'
import { sql } from 'kysely'
import type { UserActor } from '../../actor.ts'
import { getChannel } from '../../channels/index.ts'
import type { Db } from '../../db/pool.ts'
import { loadReach, sees } from '../conversations/index.ts'

type Row = {
  id: string
  phone: number | null
  identity: string
  sender_id: string
  sender_name: string
  channel: Channel
  text: string
  content: unknown
  conversation_id: string
  received_at: Date
}

type Page = { cursor: string | undefined; limit: number; phone: number | undefined; since: Date | undefined }

/** Messages in conversations that the account sees, newest first. The cursor is the id of the last message. */
export async function listInbound(
  db: Db,
  actor: UserActor,
  { cursor, limit, phone, since }: Page,
): Promise<{ messages: PublicInbound[]; cursor: string | null }> {
  const reach = await loadReach(db, actor)
  const { organizationId } = actor
  const { rows } = await sql<Row>`
    select inbound.id, inbound.phone, conversation.identity, inbound.sender_id, sender.name as sender_name, inbound.channel, inbound.text,
      inbound.content, inbound.conversation_id, inbound.received_at
    from inbound_messages inbound
    join conversations conversation on conversation.organization_id = inbound.organization_id and conversation.id = inbound.conversation_id
    join senders sender on sender.organization_id = inbound.organization_id and sender.id = inbound.sender_id
    where inbound.organization_id = ${organizationId}::uuid and ${sees(reach)}
      ${phone === undefined ? sql`` : sql`and inbound.phone = ${phone}::bigint`}
      ${since === undefined ? sql`` : sql`and inbound.received_at >= ${since}`}
      ${
        cursor === undefined
          ? sql``
          : sql`and (inbound.received_at, inbound.id) < (select last.received_at, last.id from inbound_messages last
              where last.organization_id = ${organizationId}::uuid and last.id = ${cursor}::uuid)`
      }
    order by inbound.received_at desc, inbound.id desc limit ${limit + 1}`.execute(db)
  const page = rows.slice(0, limit)
  return { messages: page.map(present), cursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null }
}

function present({ id, phone, identity, channel, text, content, ...row }: Row): PublicInbound {
  return {
    id,
    ...(phone === null ? {} : { from: `+${phone}` }),
    identity,
    to: { _id: row.sender_id, name: row.sender_name },
    channel,
    text,
    type: getChannel(channel).readBody({ text, content }).type,
    chatId: row.conversation_id,
    receivedAt: row.received_at.toISOString(),
  }
}
