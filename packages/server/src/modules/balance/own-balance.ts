import type { Moved } from '@carillon/contract/billing'
import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import { newId } from '../../lib/ids.ts'
import { badField, conflict } from '../../lib/problem.ts'
import { isFounder, lockBelow, type AccountRow } from '../accounts/index.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import { findOwnBalance, moveBalance } from './move-balance.ts'
import { presentMoved } from './move-calls.ts'

type Change = { actor: UserActor; userId: string; ownBalance: boolean }

/** Gives a member a separate, empty balance; or removes it, returning the rest, so that the member uses the organisation's. */
export async function setOwnBalance(db: Db, { actor, userId, ownBalance }: Change): Promise<Moved> {
  const account = await lockBelow(db, { actor, id: userId })
  if (isFounder(account)) throw badField('userId', 'An organisation always has a separate balance')
  const own = await findOwnBalance(db, account)
  if (ownBalance === (own !== undefined)) return presentMoved(db, actor, userId)

  if (own) await closeBalance(db, { actor, account, ledgerAccount: own })
  else await openOwnBalance(db, { id: userId, organizationId: account.organization_id })
  await recordAudit(db, {
    organizationId: account.organization_id,
    ...whoActs(actor),
    action: ownBalance ? 'balance.opened' : 'balance.closed',
    object: { type: 'account', id: userId },
  })
  return presentMoved(db, actor, userId)
}

/** From now on the account pays from it. */
export async function openOwnBalance(
  db: Db,
  { id, organizationId }: { id: string; organizationId: string },
): Promise<void> {
  // Creates it first: inside the update it would run only if rows match.
  await sql`select ledger_account_of(${organizationId}::uuid, ${id}::uuid, 'balance')`.execute(db)
  await sql`update ledger_accounts set closed_at = null
    where organization_id = ${organizationId}::uuid and account_id = ${id}::uuid and kind = 'balance'`.execute(db)
}

type Closing = { actor: UserActor; account: AccountRow; ledgerAccount: string }

async function closeBalance(db: Db, { actor, account, ledgerAccount }: Closing) {
  const { posted, held } = await db
    .selectFrom('ledger_accounts')
    .select(['posted', 'held'])
    .where('organization_id', '=', account.organization_id)
    .where('id', '=', ledgerAccount)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (held > 0) throw conflict(`${account.name} has balance reserved for sending. Wait until sending has finished`)
  if (posted > 0)
    await moveBalance(db, {
      actor,
      fromAccount: account.id,
      toAccount: account.organization_id,
      amountUnits: posted,
      opKey: `close:${newId()}`,
      note: 'Own balance withdrawn',
    })
  await db
    .updateTable('ledger_accounts')
    .set({ closed_at: sql<Date>`now()` })
    .where('organization_id', '=', account.organization_id)
    .where('id', '=', ledgerAccount)
    .execute()
}
