import type { Module } from '@carillon/contract/roles'
import { useApi } from './use-api.ts'

const fiveMinutes = 300_000

/** Whether the account has a module; undefined until known. If unknown, the server decides; screens without a module are open to all. */
export function useIncluded(module: Module | undefined): boolean | undefined {
  const permissions = useApi('permissions.list', {}, { staleTime: fiveMinutes })
  if (module === undefined || permissions.error) return true
  return permissions.data?.modulePermissions.some(({ moduleName }) => moduleName === module)
}
