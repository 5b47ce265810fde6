import { Channel } from '@carillon/contract/channels'
import type { IncomingMessage } from '@carillon/contract/realtime'
import { sql } from 'kysely'
import { asSystem, type Database } from '../../../db/pool.ts'
import type { EventOf } from '../../../events/domain-events.ts'

export type Incoming = { organizationId: string; message: IncomingMessage }

/** New inbound messages for the browsers, in the order of arrival. */
export async function readIncoming(
  database: Database,
  events: readonly EventOf<'message.received'>[],
): Promise<Incoming[]> {
  const rows = await asSystem(database, async (db) => {
    const found = await Promise.all(
      events.map(({ organizationId, subjectIds }) =>
        db
          .selectFrom('inbound_messages')
          .select(['organization_id', 'id', 'channel', 'phone', 'text', 'received_at'])
          .select(sql<string>`coalesce(identity, phone::text)`.as('identity'))
          .where('organization_id', '=', organizationId)
          .where('id', 'in', subjectIds)
          .orderBy('received_at')
          .orderBy('id')
          .execute(),
      ),
    )
    return found.flat()
  })
  return rows.map((row) => ({
    organizationId: row.organization_id,
    message: {
      channel: Channel.parse(row.channel),
      chatId: row.identity,
      messageId: row.id,
      senderPhoneNumber: row.phone === null ? '' : `+${row.phone}`,
      text: row.text,
      sendTime: row.received_at.toISOString(),
    },
  }))
}
