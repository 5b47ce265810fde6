import { sql, type RawBuilder } from 'kysely'
import type { Scope } from './pool.ts'

/** What an account may see: its own subtree. A verb that reads by id cannot do without one. */
export type Reach = Scope

/** The rows of accounts inside the reach, by the `path` column of the row. */
export function within(reach: Reach, path = 'path'): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(path)} <@ ${reach.path}::ltree`
}

/** The rows of the reach's own organisation: what belongs to it as a whole is seen by all its members. */
export function ofOrganization(reach: Reach, organizationId = 'organization_id'): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(organizationId)} = ${reach.organizationId}::uuid`
}
