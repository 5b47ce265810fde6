import type { Db } from '../../../db/pool.ts'
import type { Reach } from '../../../db/reach.ts'
import type { CampaignRow } from '../campaigns.queries.ts'

/** A draft's references were held against its editor's reach when it was saved; at validation the organisation is the limit. */
export async function ofOrganization(
  db: Db,
  { organization_id: organizationId }: Pick<CampaignRow, 'organization_id'>,
): Promise<Reach> {
  const { path } = await db
    .selectFrom('accounts')
    .select('path')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow()
  return { organizationId, path, descends: false }
}
