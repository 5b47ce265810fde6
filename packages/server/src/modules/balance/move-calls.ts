import type { Moved } from '@carillon/contract/billing'
import type { Db } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import { newId } from '../../lib/ids.ts'
import { Problem } from '../../lib/problem.ts'
import { getAccount } from '../accounts/index.ts'
import { notify } from '../notifications/index.ts'
import { getBalance } from './get-balance.ts'
import { moveBalance } from './move-balance.ts'
import { formatRupees, toRupees, toUnits } from './rupees.ts'

type Move = { actor: UserActor; userId: string; amount: number; note: string }

export async function addBalance(db: Db, { actor, userId, amount, note }: Move): Promise<Moved> {
  const amountUnits = toUnits(amount)
  await moveBalance(db, { actor, fromAccount: actor.accountId, toAccount: userId, amountUnits, note })
  await notifyRecipient(db, { actor, userId, amountUnits, note })
  return presentMoved(db, actor, userId)
}

export async function deductBalance(db: Db, { actor, userId, amount, note }: Move): Promise<Moved> {
  const amountUnits = toUnits(amount)
  await moveBalance(db, { actor, fromAccount: userId, toAccount: actor.accountId, amountUnits, note })
  return presentMoved(db, actor, userId)
}

type Transfer = { actor: UserActor; fromUserId: string; toUserId: string; amount: number; note: string }

/** Between two accounts below; for one's own balance use add or deduct. */
export async function transferBalance(
  db: Db,
  { actor, fromUserId, toUserId, amount, note }: Transfer,
): Promise<{ fromBalance: number; toBalance: number }> {
  if ([fromUserId, toUserId].includes(actor.accountId))
    throw new Problem('forbidden', 'A transfer is between two accounts below yours: add or deduct instead')
  await moveBalance(db, { actor, fromAccount: fromUserId, toAccount: toUserId, amountUnits: toUnits(amount), note })
  return {
    fromBalance: await shownBalance(db, actor, fromUserId),
    toBalance: await shownBalance(db, actor, toUserId),
  }
}

export async function presentMoved(db: Db, actor: UserActor, userId: string): Promise<Moved> {
  return {
    userId,
    balance: await shownBalance(db, actor, userId),
    ownBalance: await shownBalance(db, actor, actor.accountId),
  }
}

async function shownBalance(db: Db, { scope }: UserActor, id: string): Promise<number> {
  const account = await getAccount(db, { id, scope })
  const { available } = await getBalance(db, { organizationId: account.organization_id, accountId: id })
  return toRupees(available)
}

type Gift = { actor: UserActor; userId: string; amountUnits: number; note: string }

async function notifyRecipient(db: Db, { actor, userId, amountUnits, note }: Gift) {
  const { organization_id: organizationId } = await getAccount(db, { id: userId, scope: actor.scope })
  await notify(db, [
    {
      organizationId,
      accountId: userId,
      kind: 'topup_approved',
      title: 'Balance added',
      description: note
        ? `₹${formatRupees(amountUnits)}: ${note}`
        : `₹${formatRupees(amountUnits)} was added to your balance`,
      link: { type: 'balance', id: userId },
      eventKey: `gift:${newId()}`,
    },
  ])
}
