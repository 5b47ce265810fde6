import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { within } from '../../db/scope.ts'
import type { UserActor } from '../../actor.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import type { ReviewedRow } from './reviewed-templates.queries.ts'

/** Scheduled and running campaigns that send these templates, each from its own copy. */
export async function listCampaignsUsing(
  db: Db,
  { actor, templateIds }: { actor: UserActor; templateIds: string[] },
): Promise<{ _id: string; name: string }[]> {
  const rows = await db
    .selectFrom('campaigns')
    .select(['id', 'name'])
    .where('organization_id', '=', actor.organizationId)
    .where(within(actor.scope))
    .where('status', 'in', ['scheduled', 'queued', 'running', 'paused'])
    .where(sql<boolean>`exists (select from jsonb_array_elements(draft -> 'legs') leg
      where leg ->> 'templateId' = any(${templateIds}::text[]))`)
    .orderBy('created_at', 'desc')
    .limit(50)
    .execute()
  return rows.map(({ id, name }) => ({ _id: id, name }))
}

/**
 * Deletes templates. The rows stay for the names of sent messages; their names can be used again. A row that was submitted again
 * since it was read is another template at the provider, and is not deleted.
 */
export async function forgetTemplates(db: Db, actor: UserActor, rows: readonly ReviewedRow[]): Promise<void> {
  const deleted = await db
    .updateTable('templates')
    .set({ deleted_at: new Date(), external_id: null })
    .where((where) =>
      where.or(
        rows.map(({ organization_id, id, external_id }) =>
          where.and([
            where('organization_id', '=', organization_id),
            where('id', '=', id),
            where('external_id', 'is not distinct from', external_id),
          ]),
        ),
      ),
    )
    .returning(['organization_id', 'id', 'name', 'language'])
    .execute()
  for (const { organization_id, id, name, language } of deleted)
    await recordAudit(db, {
      organizationId: organization_id,
      ...whoActs(actor),
      action: 'template.deleted',
      object: { type: 'template', id },
      details: { name, language },
    })
}
