import type { Db } from '../../db/pool.ts'
import { takenHosts } from './set-brand.ts'

/** The organisation's own host name for tracked links. */
export async function getLinkHost(db: Db, organizationId: string): Promise<string | null> {
  const row = await db
    .selectFrom('brand_hosts')
    .select('host')
    .where('organization_id', '=', organizationId)
    .where('is_for_links', '=', true)
    .executeTakeFirst()
  return row?.host ?? null
}

/** Host names of other organisations are not visible here, but conflict. */
export async function setLinkHost(
  db: Db,
  organizationId: string,
  { host, reservedHost }: { host: string | null; reservedHost: string },
): Promise<void> {
  if (host === reservedHost) throw takenHosts([host], 'host')
  await db
    .deleteFrom('brand_hosts')
    .where('organization_id', '=', organizationId)
    .where('is_for_links', '=', true)
    .execute()
  if (host === null) return
  const added = await db
    .insertInto('brand_hosts')
    .values({ organization_id: organizationId, host, is_for_links: true })
    .onConflict((conflict) => conflict.doNothing())
    .returning('host')
    .executeTakeFirst()
  if (!added) throw takenHosts([host], 'host')
}
