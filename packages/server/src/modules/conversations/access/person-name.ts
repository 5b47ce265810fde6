import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import type { ConversationRow } from './lock-conversation.ts'

/** The person's name: as members gave it, else as the channel reports it, else the number or username. */
export async function personName(
  db: Db,
  { organization_id, channel, identity }: Pick<ConversationRow, 'organization_id' | 'channel' | 'identity'>,
): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select coalesce(contact.name, known.name, '+' || known.phone, known.username, known.identity) as name
    from contact_identities known
    left join contacts contact on contact.organization_id = known.organization_id and contact.id = known.contact_id
    where known.organization_id = ${organization_id}::uuid and known.channel = ${channel}::channel and known.identity = ${identity}`.execute(
    db,
  )
  return rows[0]?.name ?? (/^\d+$/.test(identity) ? `+${identity}` : identity)
}
