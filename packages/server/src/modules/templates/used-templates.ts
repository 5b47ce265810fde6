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
    .where('sender_id', '=', senderId)
    .where('deleted_at', 'is', null)
    .returning('id')
    .execute()
  await removeFromFamilies(db, { organizationId, templateIds: deleted.map(({ id }) => id) })
}
