import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import { reached } from './recently-messaged.ts'

/**
 * How many people these senders messaged first within a day: people who had written to a sender within the day before do not
 * count for it. Messages are partitioned by the day their campaign started, which may be long ago.
 */
export async function countPeopleMessaged(
  db: Db,
  { organizationId, senderIds }: { organizationId: string; senderIds: readonly string[] },
): Promise<number> {
  const { rows } = await sql<{ people: number }>`
    select count(distinct phone)::int as people
    from messages message
    cross join lateral (select coalesce(message.sent_at, message.unknown_at) as at) left_us
    where organization_id = ${organizationId}::uuid and sender_id = any(${senderIds}::uuid[])
      and created_on = any(array(
        select created_on from campaigns where organization_id = ${organizationId}::uuid and started_at is not null
          and coalesce(completed_at, 'infinity') > now() - interval '1 day' and created_on is not null
        union select current_date union select current_date - 1))
      and status in ${sql.raw(reached)} and left_us.at > now() - interval '1 day'
      and not exists (
        select from inbound_messages inbound
        where inbound.organization_id = ${organizationId}::uuid and inbound.sender_id = message.sender_id
          and inbound.phone = message.phone and inbound.received_at > now() - interval '2 days'
          and inbound.received_at between left_us.at - interval '1 day' and left_us.at)`.execute(db)
  return rows[0]?.people ?? 0
}
