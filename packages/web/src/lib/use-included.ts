import type { Module } from '@carillon/contract/roles'
import { useApi } from './use-api.ts'

const fiveMinutes = 300_000

/**
 * Whether a module is among the account's; undefined until that is known. Where it cannot be learned the server decides;
 * what belongs to no module is everybody's.
 */
export function useIncluded(module: Module | undefined): boolean | undefined {
  const permissions = useApi('permissions.list', {}, { staleTime: fiveMinutes })
  if (module === undefined || permissions.error) return true
  return permissions.data?.modulePermissions.some(({ moduleName }) => moduleName === module)
}
