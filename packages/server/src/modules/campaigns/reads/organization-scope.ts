import type { Db } from '../../../db/pool.ts'
import type { Scope } from '../../../db/scope.ts'
import type { CampaignRow } from '../campaigns.queries.ts'

/** A draft's references were checked against its editor's scope when it was saved; at validation the organisation is the limit. */
export async function organizationScope(
  db: Db,
  { organization_id: organizationId }: Pick<CampaignRow, 'organization_id'>,
): Promise<Scope> {
  const { path } = await db
    .selectFrom('accounts')
    .select('path')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow()
  return { organizationId, path, descends: false }
}
