import type { Module } from '@carillon/contract/roles'
import { setAccountZone } from '../../lib/format.ts'
import { setPreferences } from '../../lib/preferences.ts'
import { useApi } from '../../lib/use-api.ts'
import { useFailureToast } from '../../ui/toast.tsx'
import { texts } from '../texts.ts'

const fiveMinutes = 300_000

const eachMinute = 60_000

/** The caller’s account for the shell; changes by others show within a minute. */
export function useProfile() {
  const profile = useApi('profile.details', {}, { staleTime: fiveMinutes, refetchInterval: eachMinute })
  if (profile.data) {
    setAccountZone(profile.data.timezone)
    setPreferences(profile.data.preferences)
  }
  return profile
}

/** The displayed balance: the first of the list, or 0. */
export function useBalance() {
  const read = useApi('balance.resellerBalances', {}, { refetchInterval: eachMinute })
  useFailureToast('balance', read.isError ? texts.balanceFailed : undefined)
  return { ...read, balance: read.data ? (read.data.balances[0]?.balance ?? 0) : undefined }
}

/** Whether the account may use a module; everything counts as permitted until the response arrives. */
export function useModules(): (module: Module | undefined) => boolean {
  const allowed = useAllowedModules()
  return (module) => module === undefined || allowed === undefined || allowed.includes(module)
}

/** Whether the account is known to have a module: false until the response arrives. */
export function useHasModule(module: Module): boolean {
  return useAllowedModules()?.includes(module) ?? false
}

function useAllowedModules(): Module[] | undefined {
  const permissions = useApi('permissions.list', {}, { staleTime: fiveMinutes, refetchInterval: eachMinute })
  useFailureToast('permissions', permissions.error?.message)
  return permissions.data?.modulePermissions.map(({ moduleName }) => moduleName)
}
