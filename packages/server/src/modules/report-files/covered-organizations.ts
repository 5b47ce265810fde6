import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import type { Scope } from '../../db/scope.ts'
import type { CoveredOrganization } from './report-span.ts'

/** The organisation of an account; of an admin, all organisations below as well, or the one of a campaign. */
export async function findCovered(
  db: Db,
  { scope, campaignOrganizationId }: { scope: Scope; campaignOrganizationId: string | null },
): Promise<CoveredOrganization[]> {
  // Those below its founder do not see the founder's account.
  if (!scope.descends || campaignOrganizationId === scope.organizationId) return [await findOwn(db, scope)]
  const { rows } = await sql<CoveredOrganization>`
    select id as "organizationId", name, timezone, path::text, true as descends
    from accounts
    where id = organization_id and path <@ ${scope.path}::ltree
      and (${campaignOrganizationId}::uuid is null or id = ${campaignOrganizationId}::uuid)
    order by accounts.path`.execute(db)
  return rows
}

async function findOwn(db: Db, { organizationId, path, descends }: Scope): Promise<CoveredOrganization> {
  const { rows } = await sql<{ timezone: string }>`
    select organization_zone(${organizationId}::uuid) as timezone`.execute(db)
  return { organizationId, name: '', path, descends, timezone: rows[0]?.timezone ?? 'UTC' }
}
