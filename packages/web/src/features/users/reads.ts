import type { EndpointName } from '@carillon/contract'

/** Reads invalidated by a transfer. */
export const moneyReads: readonly EndpointName[] = [
  'users.list',
  'users.get',
  'balance.get',
  'balance.overview',
  'statement.list',
]

/** Reads invalidated by a change of an account. */
export const accountReads: readonly EndpointName[] = ['users.list', 'users.get', 'dashboard.attention']
