import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'

/** Where the tracked links of an organisation begin: scheme, host name and port. */
export async function findLinkOrigin(
  db: Db,
  { organizationId, publicUrl }: { organizationId: string; publicUrl: string },
): Promise<string> {
  const { rows } = await sql<{ host: string | null }>`select link_host(${organizationId}::uuid) as host`.execute(db)
  const installation = new URL(publicUrl)
  const host = rows[0]?.host ?? undefined
  return host === undefined || host === installation.hostname ? installation.origin : `https://${host}`
}
