import { Refusal, type Management } from '../../channels/management.ts'
import type { ProviderCallIo } from '../../channels/provider.ts'
import { endRequestsOn } from '../../egress/egress.ts'
import { conflict, Problem } from '../../lib/problem.ts'
import { openRow, type ConnectionDeps, type OpenAccount } from './connections.ts'
import type { ProviderAccount } from './provider-accounts.ts'

/** Dependencies of queries to the provider of an account. */
export type ProviderQueryDeps = Pick<ConnectionDeps, 'secretBox' | 'callbackUrl'> & {
  io: ProviderCallIo
  /** Ends requests to the provider; absent: a deadline from the opening of the account. */
  signal?: AbortSignal
}

export type ManagedAccount = OpenAccount & { manage: Management }

/** For all requests of a call together. */
const deadlineMs = 120_000

/** Opens an account for queries to its provider. Throws a `Problem` if its secrets cannot be decrypted. */
export function openAccount(row: ProviderAccount, deps: ProviderQueryDeps): ManagedAccount {
  const account = openSafely(row, deps)
  const { signal = AbortSignal.timeout(deadlineMs) } = deps
  const egress = endRequestsOn(signal, deps.io.egress)
  const manage = account.provider.manage?.(account.config, { ...deps.io, egress })
  if (!manage) throw conflict(`${account.provider.label} accounts have no management API`)
  return { ...account, manage }
}

function openSafely(row: ProviderAccount, deps: ProviderQueryDeps): OpenAccount {
  if (!row.secrets) throw conflict('The access token is missing: enter it again')
  try {
    return openRow(row, deps)
  } catch {
    throw conflict('The stored credentials cannot be decrypted: enter token and secret again')
  }
}

const refusalCodes = {
  credentials: 'conflict',
  input: 'bad_request',
  limit: 'too_many_requests',
  passing: 'unavailable',
  other: 'conflict',
} as const

/** Turns a provider's refusal into a `Problem` with the provider's own words. */
export async function withProviderErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof Refusal ? new Problem(refusalCodes[error.kind], error.message) : error
  }
}
