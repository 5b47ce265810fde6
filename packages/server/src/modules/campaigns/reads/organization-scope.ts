import type { Db } from '../../../db/pool.ts'
import type { Scope } from '../../../db/scope.ts'
import type { CampaignRow } from '../campaigns.queries.ts'

/** A draft's references were checked in its editor's scope when it was saved; validation checks the organisation only. */
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
