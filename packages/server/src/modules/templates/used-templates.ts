import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { removeFromFamilies } from './write-family.ts'

/** Counts a start of a campaign that sends this template. */
export async function countTemplateUse(
  db: Db,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<void> {
  await db
    .updateTable('templates')
    .set(({ eb }) => ({ used_count: eb('used_count', '+', 1) }))
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
}

/** Deletes the templates of a sender that is deleted. */
export async function deleteTemplatesOf(
  db: Db,
  { organizationId, senderId, now }: { organizationId: string; senderId: string; now: Date },
): Promise<void> {
  const deleted = await db
    .updateTable('templates')
    .set({ deleted_at: now })
    .where('organization_id', '=', organizationId)
    .where(
      sql<boolean>`(sender_id = ${senderId}::uuid or provider_account_id = (select provider_account_id from senders
        where senders.organization_id = ${organizationId}::uuid and senders.id = ${senderId}::uuid))`,
    )
    .where('deleted_at', 'is', null)
    .returning('id')
    .execute()
  await removeFromFamilies(db, { organizationId, templateIds: deleted.map(({ id }) => id) })
}
