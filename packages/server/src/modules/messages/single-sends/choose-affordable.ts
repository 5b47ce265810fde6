import type { LimitKey } from '@carillon/contract/limits'
import type { Problem } from '../../../lib/problem.ts'
import { limitExceeded, type LimitRoom } from '../../accounts/index.ts'
import { insufficientBalance, insufficientProviderBalance, ledgerFrozen } from '../../balance/index.ts'

/** The limits of accounts that apply to single sends. */
export const limitKeys = [
  'messages_per_day',
  'messages_per_month',
  'spend_per_day',
] as const satisfies readonly LimitKey[]

type Payable = { id: string; accountId: string; /** Of the account. */ path: string; /** Ledger units. */ cost: number }

export type PayerBalance = {
  accountId: string
  balanceId: string
  /** Ledger units. */
  available: number
  isFrozen: boolean
}

/** What is known of the limits and balances that the messages share. */
export type Capacity = {
  limits: readonly LimitRoom[]
  /** As far as they are known, the newest last; others suffice. */
  balances: PayerBalance[]
  /** Ids of the messages that a reseller's balance does not cover. */
  uncovered: Set<string>
}

/** Chooses the messages that limits and balances leave room for, as if they were accepted in this order. */
export function chooseAffordable<Single extends Payable>(
  singles: readonly Single[],
  { limits, balances, uncovered }: Capacity,
): { chosen: Single[]; refusals: ReadonlyMap<Single, Problem> } {
  const bounds = limits.map((limit) => ({ ...limit }))
  // Accounts may share a balance.
  const byBalance = new Map(balances.map((balance) => [balance.balanceId, { ...balance }]))
  const byAccount = new Map(balances.map(({ accountId, balanceId }) => [accountId, byBalance.get(balanceId)]))
  const chosen: Single[] = []
  const refusals = new Map<Single, Problem>()
  for (const single of singles) {
    const { id, accountId, path, cost } = single
    const own = bounds.filter((bound) => isWithin(path, bound.path))
    const balance = byAccount.get(accountId)
    const refusal =
      refuseByLimit(own, cost) ??
      (balance && refuseByBalance(balance, cost)) ??
      (uncovered.has(id) ? insufficientProviderBalance() : undefined)
    if (refusal) {
      refusals.set(single, refusal)
      continue
    }
    chosen.push(single)
    for (const bound of own) bound.room -= amountOf(bound.key, cost)
    if (balance) balance.available -= cost
  }
  return { chosen, refusals }
}

function isWithin(path: string, above: string): boolean {
  return path === above || path.startsWith(`${above}.`)
}

function amountOf(key: LimitKey, cost: number): number {
  return key === 'spend_per_day' ? cost : 1
}

function refuseByLimit(limits: readonly LimitRoom[], cost: number): Problem | undefined {
  const exceeded = limits.find(({ key, room }) => amountOf(key, cost) > room)
  return exceeded && limitExceeded(exceeded)
}

function refuseByBalance(
  { available, isFrozen }: Pick<PayerBalance, 'available' | 'isFrozen'>,
  cost: number,
): Problem | undefined {
  if (cost > available) return insufficientBalance({ needed: cost, available })
  return isFrozen ? ledgerFrozen() : undefined
}
