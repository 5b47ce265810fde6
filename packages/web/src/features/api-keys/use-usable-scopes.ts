import type { ApiScope } from '@carillon/contract/api-scopes'
import { useUser } from '../../lib/session.ts'
import { useApi } from '../../lib/use-api.ts'
import { usableScopes } from './scopes.ts'

/** The scopes that the account's role and modules allow. */
export function useUsableScopes(): ReadonlySet<ApiScope> {
  const user = useUser()
  const permissions = useApi('permissions.list', {})
  const modules = permissions.data?.modulePermissions.map(({ moduleName }) => moduleName)
  return usableScopes(user?.type ?? 'user', modules ?? [])
}
