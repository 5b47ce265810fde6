import type { Channel } from '@carillon/contract/channels'
import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import { conflict, notFound } from '../../../lib/problem.ts'
import { conversationIdOf, ensureIdentity } from '../../messages/index.ts'
import { couldSee } from '../access/find-members.ts'
import { loadReach, sees } from '../access/sees.ts'
import { sendReply, type Reply, type ReplyDeps, type SentReply } from './send-reply.ts'

type Start = Omit<Reply, 'id' | 'inReplyTo'> & { lineId: string; phoneNumber: string }

/** Writes first to a number: in the conversation that it has with the line, or in a new one, which then belongs to the member. */
export async function startConversation(
  db: Db,
  deps: ReplyDeps,
  { member, lineId, phoneNumber, ...reply }: Start,
): Promise<SentReply> {
  const { organizationId } = member
  const reach = await loadReach(db, member)
  const channel = await findChannel(db, { organizationId, lineId })
  if (!channel || !couldSee(reach, { sender_id: lineId, team_id: null })) throw notFound('Line')
  const identity = phoneNumber.replace('+', '')
  const id = conversationIdOf({ organizationId, senderId: lineId }, identity)
  await ensureIdentity(db, { organizationId, channel, phone: Number(identity) })
  await db
    .insertInto('conversations')
    .values({
      organization_id: organizationId,
      id,
      sender_id: lineId,
      channel,
      identity,
      last_at: sql<Date>`now()`,
      last_by: 'member',
    })
    .onConflict((known) => known.doNothing())
    .execute()
  const { rows } = await sql<{ isSeen: boolean }>`
    select ${sees(reach)} as "isSeen" from conversations conversation
    where organization_id = ${organizationId}::uuid and id = ${id}::uuid`.execute(db)
  if (!rows[0]?.isSeen) throw conflict('A colleague has a conversation with this number')
  return sendReply(db, deps, { member, id, ...reply })
}

async function findChannel(
  db: Db,
  { organizationId, lineId }: { organizationId: string; lineId: string },
): Promise<Channel | undefined> {
  const row = await db
    .selectFrom('senders')
    .select('channel')
    .where('organization_id', '=', organizationId)
    .where('id', '=', lineId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.channel
}
