import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import { conflict, Problem } from '../../lib/problem.ts'
import { getAccountStatus } from './account-status.ts'

/**
 * Access check for all calls that let one account control another: impersonation, one-time passwords, e-mail changes. The
 * rule is `may_enter` in the database, because every request of an impersonation is checked there.
 */
export async function assertMayEnter(db: Db, actor: UserActor, target: { id: string; path: string }): Promise<void> {
  const [enterable] = await findEnterable(db, actor, [target.id])
  if (enterable !== undefined) return
  const status = await getAccountStatus(db, target.path)
  if (status !== 'active' && status !== 'suspended') throw conflict('This account cannot be signed in to')
  throw new Problem('forbidden', 'Your account does not have the right to open this account')
}

/** Filters the accounts the actor may enter. */
export async function findEnterable(db: Db, { accountId }: UserActor, targets: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${targets}::uuid[]) as target (id) where may_enter(${accountId}::uuid, target.id)`.execute(db)
  return rows.map(({ id }) => id)
}
