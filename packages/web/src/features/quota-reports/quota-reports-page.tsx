import { FileChartColumn } from 'lucide-react'
import type { ReactNode } from 'react'
import { useAccountChoices } from '../../lib/use-account-choices.ts'
import { useApi } from '../../lib/use-api.ts'
import { useView } from '../../lib/use-view.ts'
import { userIdsParameter } from '../../lib/user-ids.ts'
import { Empty } from '../../ui/empty.tsx'
import { Failure } from '../../ui/failure.tsx'
import { AccountsChoice } from '../../ui/accounts-choice.tsx'
import { UsageReport } from './usage-report.tsx'
import { rangeOf, usageView } from './usage-view.ts'

/** Usage of the selected accounts, each including everyone below. */
export function QuotaReportsPage() {
  const [view, setView] = useView(usageView)
  const { from, to } = rangeOf(view)
  const isChosen = view.accountIds.length > 0
  const { users, choices, onSearch } = useAccountChoices('reseller,manager')
  const usage = useApi(
    'dashboard.storedStatusCounts',
    { query: { userIds: isChosen ? userIdsParameter(view.accountIds) : '', startDate: from, endDate: to } },
    { enabled: isChosen, keepPrevious: true },
  )
  const choice = (primary: boolean) => (
    <AccountsChoice
      noun="accounts"
      nothing="Choose accounts"
      primary={primary}
      chosen={view.accountIds}
      onChange={(accountIds) => setView({ accountIds })}
      choices={choices}
      onSearch={onSearch}
    />
  )
  return (
    <UsageReport
      title="Quota Reports"
      who="Account"
      view={view}
      setView={setView}
      read={usage}
      choice={choice(false)}
      unchosen={isChosen ? undefined : <Unchosen users={users} action={choice(true)} />}
    />
  )
}

type UnchosenProps = { users: ReturnType<typeof useApi<'users.list'>>; action: ReactNode }

function Unchosen({ users, action }: UnchosenProps) {
  if (users.error) return <Failure error={users.error} onRetry={() => void users.refetch()} />
  return (
    <Empty icon={FileChartColumn} title="Choose accounts to see their usage" actions={action}>
      Up to 50 at once, including accounts below each.
    </Empty>
  )
}
