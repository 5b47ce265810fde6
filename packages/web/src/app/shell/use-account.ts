import type { Module } from '@carillon/contract/roles'
import { useEffect } from 'react'
import type { CallData } from '../../lib/call.ts'
import { setAccountZone } from '../../lib/format.ts'
import { setPreferences } from '../../lib/preferences.ts'
import { useApi } from '../../lib/use-api.ts'
import { toast } from '../../ui/toast.tsx'

const fiveMinutes = 300_000

const eachMinute = 60_000

/** The signed-in account, for the frame around every screen; what others change about it shows within a minute. */
export function useProfile() {
  const profile = useApi('profile.details', {}, { staleTime: fiveMinutes, refetchInterval: eachMinute })
  if (profile.data) {
    setAccountZone(profile.data.timezone)
    setPreferences(profile.data.preferences)
  }
  return profile
}

export function useBalance() {
  return useApi('balance.get', {}, { refetchInterval: eachMinute })
}

/** Whether the account may use a module; nothing is locked before the answer is there. */
export function useModules(): (module: Module | undefined) => boolean {
  const permissions = useApi('permissions.list', {}, { staleTime: fiveMinutes, refetchInterval: eachMinute })
  const message = permissions.error?.message
  useEffect(() => {
    if (message) toast.error(message, { id: 'permissions' })
  }, [message])
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
