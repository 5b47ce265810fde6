import { sql, type Selectable, type Updateable } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { within, type Scope } from '../../db/scope.ts'
import type { Accounts } from '../../db/schema.ts'
import type { UserActor } from '../../actor.ts'
import { conflict, notFound, Problem } from '../../lib/problem.ts'

export type AccountRow = Selectable<Accounts>

export async function getAccount(db: Db, { id, scope }: { id: string; scope: Scope }): Promise<AccountRow> {
  const account = await db
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', id)
    .where(within(scope))
    .executeTakeFirst()
  if (!account) throw notFound('User')
  return account
}

/** Writes fields of an account that the caller has locked or that are its own. */
export async function updateAccount(db: Db, id: string, set: Updateable<Accounts>): Promise<AccountRow> {
  return db.updateTable('accounts').set(set).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

/** An account below the acting one, locked for the rest of the transaction. No one can do this to themselves. */
export async function lockBelow(db: Db, { actor, id }: { actor: UserActor; id: string }): Promise<AccountRow> {
  if (id === actor.accountId) throw new Problem('forbidden', 'You cannot do this to your own account')
  const account = await db
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', id)
    .where(within(actor.scope))
    .forUpdate()
    .executeTakeFirst()
  if (!account) throw notFound('User')
  return account
}

/** Locks a parent account, so that it cannot move until the transaction ends. */
export async function lockParent(db: Db, { id, scope }: { id: string; scope: Scope }): Promise<AccountRow> {
  const parent = await db
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', id)
    .where(within(scope))
    .forShare()
    .executeTakeFirst()
  if (!parent) throw notFound('User')
  if (parent.status === 'closed') throw conflict('This account is closed: no accounts can be added below it')
  return parent
}

/** Whether the account founded its organisation, rather than joining one. */
export function isFounder(account: { id: string; organization_id: string }): boolean {
  return account.id === account.organization_id
}

export type TakenNames = { username: boolean; email: boolean }

/** Logins are unique across organisations, including accounts the caller cannot see. */
export async function findTakenNames(
  db: Db,
  { username, email }: { username: string | undefined; email: string | undefined },
): Promise<TakenNames> {
  const { rows } = await sql<TakenNames>`
    select username, email from names_taken(${username ?? null}::citext, ${email ?? null}::citext)`.execute(db)
  return rows[0] ?? { username: false, email: false }
}

export function assertNamesFree(taken: TakenNames): void {
  if (taken.username)
    throw new Problem('conflict', 'This username is taken: choose another', {
      details: [{ field: 'username', message: 'This username is taken' }],
    })
  if (taken.email)
    throw new Problem('conflict', 'This e-mail address belongs to another account', {
      details: [{ field: 'email', message: 'This e-mail address belongs to another account' }],
    })
}
