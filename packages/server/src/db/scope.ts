import { sql, type RawBuilder } from 'kysely'

/** The part of the account tree an actor may see: its own subtree. Row level security uses the same values. */
export type Scope = {
  organizationId: string
  path: string
  /** Admins and resellers also see the organisations below them. */
  descends: boolean
}

/** Condition for rows of accounts in scope, by the row's `path` column. */
export function within(scope: Scope, path = 'path'): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(path)} <@ ${scope.path}::ltree`
}

/** Condition for rows of the scope's organisation. Organisation-wide rows are visible to all its members. */
export function ofOrganization(scope: Scope, organizationId = 'organization_id'): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(organizationId)} = ${scope.organizationId}::uuid`
}
