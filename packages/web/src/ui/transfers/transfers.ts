import type { ManagedUser } from '@carillon/contract/users'

/** Change in rupees by account; others are unchanged. */
export type Changes = Readonly<Record<string, number>>

export type Transfer = { user: ManagedUser; change: number }

/** The transfers in execution order: deductions first, then additions. */
export function transfersOf(users: readonly ManagedUser[], changes: Changes): Transfer[] {
  return users
    .map((user) => ({ user, change: changes[user._id] ?? 0 }))
    .filter(({ change }) => change !== 0)
    .toSorted((a, b) => a.change - b.change)
}

/** Net amount leaving the pool; negative if more is returned. */
export function sumOf(changes: Changes): number {
  return Object.values(changes).reduce((sum, change) => sum + change, 0)
}

/** Amounts leaving and returning to the pool, and held by the accounts before. */
export type Split = { pool: number; out: number; back: number; held: number }

export function splitOf({
  pool,
  users,
  changes,
}: {
  pool: number
  users: readonly ManagedUser[]
  changes: Changes
}): Split {
  const all = Object.values(changes)
  return {
    pool,
    out: all.reduce((sum, change) => sum + Math.max(0, change), 0),
    back: all.reduce((sum, change) => sum + Math.max(0, -change), 0),
    held: users.reduce((sum, { balance = 0 }) => sum + balance, 0),
  }
}

/** Shortest runway first; accounts without spend last. */
export function byRunway(a: ManagedUser, b: ManagedUser): number {
  return (runwayOf(a) ?? Infinity) - (runwayOf(b) ?? Infinity) || a.name.localeCompare(b.name)
}

const weekDays = 7

/** Days the balance lasts at the average of the last seven; undefined if nothing was spent. */
export function runwayOf({
  balance = 0,
  spentLast7Days,
}: Pick<ManagedUser, 'balance' | 'spentLast7Days'>): number | undefined {
  return spentLast7Days > 0 ? Math.floor((balance / spentLast7Days) * weekDays) : undefined
}

/** Tops up every account to its weekly spend, in whole rupees. */
export function fillToWeek(users: readonly ManagedUser[]): Changes {
  return Object.fromEntries(
    users
      .map(({ _id, balance = 0, spentLast7Days }) => [_id, Math.ceil(spentLast7Days - balance)] as const)
      .filter(([, missing]) => missing > 0),
  )
}

/** Parses a typed change: '+10,000', '−5000', '' for none; undefined if invalid. */
export function readChange(text: string): number | undefined {
  const plain = text.replaceAll(/[\s,₹+]/g, '').replace('−', '-')
  if (plain === '' || plain === '-') return 0
  return /^-?\d{1,10}(?:\.\d{1,2})?$/.test(plain) ? Number(plain) : undefined
}
