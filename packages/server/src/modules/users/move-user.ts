import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { asSystem, type Database } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import { addJob, defineJob, handleJob, type JobHandler } from '../../jobs/jobs.ts'
import { badField, conflict, notFound } from '../../lib/problem.ts'
import {
  assertFits,
  assertWithinLimits,
  getAccount,
  isFounder,
  lockBelow,
  lockParent,
  type AccountRow,
} from '../accounts/index.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import { z } from 'zod'

const settle = defineJob('people.settle-paths', z.object({ path: z.string() }))

export function userJobs({ database }: { database: Database }): JobHandler[] {
  return [handleJob(settle, ({ path }) => settlePaths(database, path))]
}

/** Longer than any process caches an account's path. */
const settleAfterMs = 15_000

/** Moves an account and all accounts below it within the actor's subtree. It keeps its organisation. */
export async function moveUser(
  db: Db,
  { actor, accountId, parentId, now }: { actor: UserActor; accountId: string; parentId: string; now: Date },
): Promise<{ before: AccountRow; after: AccountRow }> {
  // Before any row lock: two concurrent moves would deadlock on each other's accounts.
  await sql`select pg_advisory_xact_lock(hashtext('accounts.move'))`.execute(db)
  const before = await lockBelow(db, { actor, id: accountId })
  const parent = await lockParent(db, { id: parentId, scope: actor.scope })
  if (before.parent_id === parent.id) return { before, after: before }
  if (before.status === 'closed') throw conflict('This account is closed')
  if (parent.path === before.path || parent.path.startsWith(`${before.path}.`))
    throw badField('parentId', 'An account cannot be placed below itself')
  assertFits({ role: before.role, isFounder: isFounder(before) }, parent.role)
  if (!isFounder(before) && parent.organization_id !== before.organization_id)
    throw badField('parentId', 'People move only within their organisation')

  const { rows } = await sql<{
    path: string | null
  }>`select move_account(${accountId}::uuid, ${parentId}::uuid) as path`.execute(db)
  const path = rows[0]?.path
  if (!path) throw notFound('User')
  await assertWithinLimits(db, path, { users: 0, sub_accounts: 0 })
  // Moves records that were created meanwhile with the old, cached path.
  await addJob(db, settle, { payload: { path }, runAt: new Date(now.getTime() + settleAfterMs) })
  await recordAudit(db, {
    organizationId: before.organization_id,
    ...whoActs(actor),
    action: 'account.moved',
    object: { type: 'account', id: accountId },
    details: { from: before.parent_id, to: parentId },
  })
  return { before, after: await getAccount(db, { id: accountId, scope: actor.scope }) }
}

async function settlePaths(database: Database, path: string): Promise<void> {
  await asSystem(database, (db) => sql`select settle_paths(${path}::ltree)`.execute(db))
}
