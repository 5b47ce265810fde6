import type { ManagedUser } from '@carillon/contract/users'

/** Rupees up or down, by account; what is not named does not change. */
export type Changes = Readonly<Record<string, number>>

export type Transfer = { user: ManagedUser; change: number }

/** What a reviewer sees and the server is asked for, in this order: what comes back goes before what is given out. */
export function transfersOf(users: readonly ManagedUser[], changes: Changes): Transfer[] {
  return users
    .map((user) => ({ user, change: changes[user._id] ?? 0 }))
    .filter(({ change }) => change !== 0)
    .toSorted((a, b) => a.change - b.change)
}

/** What leaves the pool in all; negative when more comes back. */
export function sumOf(changes: Changes): number {
  return Object.values(changes).reduce((sum, change) => sum + change, 0)
}

/** What goes out of the pool and what comes back, and what the accounts hold before that. */
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

/** The first to run dry first; who spends nothing last. */
export function byRunway(a: ManagedUser, b: ManagedUser): number {
  return (runwayOf(a) ?? Infinity) - (runwayOf(b) ?? Infinity) || a.name.localeCompare(b.name)
}

const weekDays = 7

/** Days the balance lasts at the pace of the last seven; undefined when nothing was spent. */
export function runwayOf({
  balance = 0,
  spentLast7Days,
}: Pick<ManagedUser, 'balance' | 'spentLast7Days'>): number | undefined {
  return spentLast7Days > 0 ? Math.floor((balance / spentLast7Days) * weekDays) : undefined
}

/** Tops every account up to what it spends in a week, in whole rupees. */
export function fillToWeek(users: readonly ManagedUser[]): Changes {
  return Object.fromEntries(
    users
      .map(({ _id, balance = 0, spentLast7Days }) => [_id, Math.ceil(spentLast7Days - balance)] as const)
      .filter(([, missing]) => missing > 0),
  )
}

/** A number as a person types it into the grid: '+10,000', '−5000', '' for nothing; undefined when it is none. */
export function readChange(text: string): number | undefined {
  const plain = text.replaceAll(/[\s,₹+]/g, '').replace('−', '-')
  if (plain === '' || plain === '-') return 0
  return /^-?\d{1,10}(?:\.\d{1,2})?$/.test(plain) ? Number(plain) : undefined
}
