import { sql, type RawBuilder } from 'kysely'

/** The part of the account tree that an actor may see: its own subtree. Row level security is given the same values. */
export type Scope = {
  organizationId: string
  path: string
  /** Admins and resellers also see the organisations below them. */
  descends: boolean
}

/** Rows of accounts inside the scope, by the `path` column of the row. */
export function within(scope: Scope, path = 'path'): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(path)} <@ ${scope.path}::ltree`
}

/** Rows of the scope's own organisation. What belongs to the organisation as a whole is visible to all its members. */
export function ofOrganization(scope: Scope, organizationId = 'organization_id'): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(organizationId)} = ${scope.organizationId}::uuid`
}
