import type { Module } from '@carillon/contract/roles'
import type { CallData } from '../../lib/call.ts'
import { setAccountZone } from '../../lib/format.ts'
import { setPreferences } from '../../lib/preferences.ts'
import { useApi } from '../../lib/use-api.ts'
import { useFailureToast } from '../../ui/toast.tsx'
import { texts } from '../texts.ts'

const fiveMinutes = 300_000

const eachMinute = 60_000

/** The caller’s account, for the frame around every screen; what others change about it shows within a minute. */
export function useProfile() {
  const profile = useApi('profile.details', {}, { staleTime: fiveMinutes, refetchInterval: eachMinute })
  if (profile.data) {
    setAccountZone(profile.data.timezone)
    setPreferences(profile.data.preferences)
  }
  return profile
}

/** The balance that is shown: the first of the list, or 0. */
export function useBalance() {
  const read = useApi('balance.resellerBalances', {}, { refetchInterval: eachMinute })
  useFailureToast('balance', read.isError ? texts.balanceFailed : undefined)
  return { ...read, balance: read.data ? (read.data.balances[0]?.balance ?? 0) : undefined }
}

/** Whether the account may use a module; nothing is locked before the answer is there. */
export function useModules(): (module: Module | undefined) => boolean {
  const permissions = useApi('permissions.list', {}, { staleTime: fiveMinutes, refetchInterval: eachMinute })
  useFailureToast('permissions', permissions.error?.message)
  const allowed = permissions.data?.modulePermissions.map(({ moduleName }) => moduleName)
  return (module) => module === undefined || allowed === undefined || allowed.includes(module)
}

/** What one SMS part to India costs the account now, in rupees; the price of every category first. */
export function smsPriceOf(rates: CallData<'rates.list'> | undefined): number | undefined {
  const domestic = rates?.rates.filter(
    ({ channel, country }) => channel === 'sms' && (country === 'IN' || country === '*'),
  )
  const ranked = domestic?.toSorted((a, b) => rank(a) - rank(b))
  return ranked?.[0]?.price
}

function rank({ category, country }: { category: string; country: string }): number {
  return (country === 'IN' ? 0 : 2) + (category === '*' ? 0 : 1)
}
