import type { Selectable } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import type { Senders } from '../../../db/schema.ts'

export type SmsAccountRow = Pick<
  Selectable<Senders>,
  'id' | 'name' | 'headers' | 'entity_id' | 'rate_per_second' | 'is_active'
>

/** The account a campaign is sent through, as far as a campaign needs to know it. */
export async function findSmsAccount(
  db: Db,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<SmsAccountRow | undefined> {
  return db
    .selectFrom('senders')
    .select(['id', 'name', 'headers', 'entity_id', 'rate_per_second', 'is_active'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('channel', '=', 'sms')
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}
