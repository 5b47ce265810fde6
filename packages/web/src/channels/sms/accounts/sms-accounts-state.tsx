import { mayCall } from '../../../lib/call.ts'
import { countOf } from '../../../lib/format.ts'
import { useApi } from '../../../lib/use-api.ts'
import { Pill } from '../../../ui/pill.tsx'
import { laneLabelOf } from './lane-labels.ts'

/** The active accounts, and the one that needs attention first. */
export function SmsAccountsState() {
  const accounts = useApi('smsAccounts.list', {}, { enabled: mayCall('smsAccounts.list') })
  if (!mayCall('smsAccounts.list')) return <>Managed by your account manager</>
  const active = accounts.data?.filter((account) => account.isActive) ?? []
  const worst = active.find((account) => account.state.status !== 'connected') ?? active[0]
  if (!accounts.data) return null
  if (!worst) return <>No active account</>
  const words = laneLabelOf(worst.state)
  return (
    <span className="flex items-center gap-2">
      <Pill tone={words.tone}>{words.label}</Pill>
      {countOf(active.length, 'active account')} ·{' '}
      {countOf(new Set(active.flatMap((account) => account.headers)).size, 'header')}
    </span>
  )
}
