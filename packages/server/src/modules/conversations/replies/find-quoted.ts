import { sql } from 'kysely'
import { daysOfIds, onDays } from '../../../db/partition-days.ts'
import type { Db } from '../../../db/pool.ts'
import { phoneOf, type ConversationRow } from '../access/lock-conversation.ts'
import { readCampaign } from '../thread/references.ts'

export type Quoted = { by: 'person' | 'member'; /** The provider's id of it. */ providerId: string }

/** A message of the conversation that another one refers to; undefined if there is none, or it was not sent yet. A campaign's message has the campaign's id. */
export async function findQuoted(db: Db, conversation: ConversationRow, id: string): Promise<Quoted | undefined> {
  const { organization_id: organizationId, id: conversationId, sender_id: senderId } = conversation
  const days = daysOfIds([id])
  const { rows } = await sql<{ by: Quoted['by']; providerId: string | null }>`
    select 'person' as by, dedupe_key as "providerId" from inbound_messages
    where organization_id = ${organizationId}::uuid and conversation_id = ${conversationId}::uuid and id = ${id}::uuid
    union all
    select 'member', message.provider_message_id
    from single_sends single
    join messages message on message.organization_id = single.organization_id and message.created_on = single.created_on
      and message.campaign_id = single.id and message.seq = 0 and message.leg = 0 and ${onDays('message.created_on', days)}
    where single.organization_id = ${organizationId}::uuid and single.conversation_id = ${conversationId}::uuid
      and single.id = ${id}::uuid and ${onDays('single.created_on', days)}`.execute(db)
  const [row] = rows
  if (row) return row.providerId ? { by: row.by, providerId: row.providerId } : undefined
  const [campaign] = await readCampaign(db, { organizationId, senderId, phone: phoneOf(conversation) }, [id])
  return campaign?.provider_message_id ? { by: 'member', providerId: campaign.provider_message_id } : undefined
}
