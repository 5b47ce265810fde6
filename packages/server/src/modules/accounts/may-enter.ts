import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import { conflict, Problem } from '../../lib/problem.ts'
import { getAccountStatus } from './account-status.ts'

/**
 * The one rule for every call that lets an account into another: visits, one-time passwords, changes of an e-mail address.
 * The rule itself is `may_enter` in the database, because every call of a visit is checked against it there.
 */
export async function assertMayEnter(db: Db, actor: UserActor, target: { id: string; path: string }): Promise<void> {
  const [enterable] = await findEnterable(db, actor, [target.id])
  if (enterable !== undefined) return
  const status = await getAccountStatus(db, target.path)
  if (status !== 'active' && status !== 'suspended') throw conflict('This account cannot be signed in to')
  throw new Problem('forbidden', 'Your account does not have the right to open this account')
}

/** Those of the accounts that the actor may enter. */
export async function findEnterable(db: Db, { accountId }: UserActor, targets: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${targets}::uuid[]) as target (id) where may_enter(${accountId}::uuid, target.id)`.execute(db)
  return rows.map(({ id }) => id)
}
