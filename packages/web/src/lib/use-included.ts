import type { Module } from '@carillon/contract/roles'
import { useApi } from './use-api.ts'

const fiveMinutes = 300_000

/** Whether a module is among the account's; undefined until that is known. Where it cannot be learned the server decides. */
export function useIncluded(module: Module): boolean | undefined {
  const permissions = useApi('permissions.list', {}, { staleTime: fiveMinutes })
  if (permissions.error) return true
  return permissions.data?.modulePermissions.some(({ moduleName }) => moduleName === module)
}
