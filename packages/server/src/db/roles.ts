import type pg from 'pg'

/** Server-wide roles without login: requests run as `app`; the engine, jobs and sign-in as `system`. */
export type DatabaseRoles = { app: string; system: string }

export const defaultRolePrefix = 'carillon'

export function rolesOf(prefix: string): DatabaseRoles {
  return { app: `${prefix}_app`, system: `${prefix}_system` }
}

/** Replaces the role names of the migrations, carillon_app and carillon_system, with the installation's. */
export function nameRoles(text: string, roles: DatabaseRoles): string {
  return text.replace(/\bcarillon_app\b/g, roles.app).replace(/\bcarillon_system\b/g, roles.system)
}

/** A connection that row level security would not restrict as required. It must not be used. */
export class DatabaseRoleError extends Error {
  override name = 'DatabaseRoleError'
}

type Assumed = { role: string; isBound: boolean }

/**
 * Sets the role of a connection, and throws unless row level security applies from then on. Set by a statement and not by
 * the startup parameter `options`, which poolers reject or ignore.
 */
export async function assumeRole(client: pg.ClientBase, role: string, timeoutMs: number): Promise<void> {
  // pg's types lack query_timeout for single queries.
  const query: pg.QueryConfig & { query_timeout: number } = {
    text: `with asked as materialized (select set_config('role', $1, false))
      select current_user::text as role, row_security_active('public.accounts'::regclass) as "isBound" from asked`,
    values: [role],
    query_timeout: timeoutMs,
  }
  const { rows } = await client.query<Assumed>(query).catch((error: unknown) => {
    if (isRefused(error)) throw new DatabaseRoleError(`The database refuses the role ${role}: ${error.message}`)
    if (isQueryTimeout(error))
      throw new DatabaseRoleError('The database gave a connection no session: in PgBouncer raise default_pool_size')
    throw error
  })
  const [assumed] = rows
  if (assumed?.role !== role)
    throw new DatabaseRoleError(`The database did not change the role to ${role}: it is ${assumed?.role ?? 'unknown'}`)
  if (!assumed.isBound) throw new DatabaseRoleError(`Row level security does not bind the role ${role}`)
}

/** Not a member of the role, or the role does not exist. */
export function isRefused(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && (error.code === '42501' || error.code === '22023')
}

export function isQueryTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout'
}
