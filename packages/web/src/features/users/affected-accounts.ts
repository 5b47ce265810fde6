import type { ManagedUser } from '@carillon/contract/users'

/** Number of accounts concerned by a change: these and everyone below them, each once. */
export function countAffected(users: readonly Pick<ManagedUser, '_id' | 'aboveIds' | 'accountCount'>[]): number {
  const chosen = new Set(users.map(({ _id }) => _id))
  return users
    .filter(({ aboveIds }) => !aboveIds.some((id) => chosen.has(id)))
    .reduce((sum, { accountCount }) => sum + 1 + accountCount, 0)
}
