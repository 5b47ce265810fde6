import type { EndpointName } from '@carillon/contract'

/** What is out of date once money moved. */
export const moneyReads: readonly EndpointName[] = [
  'users.list',
  'users.get',
  'balance.get',
  'balance.overview',
  'statement.list',
]

/** What is out of date once an account changed. */
export const accountReads: readonly EndpointName[] = ['users.list', 'users.get', 'dashboard.attention']
