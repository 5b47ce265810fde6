import { roleNames } from '../../lib/format.ts'
import { useApi } from '../../lib/use-api.ts'
import { useUser } from '../../lib/session.ts'
import { useView } from '../../lib/use-view.ts'
import { AccountsChoice } from '../../ui/accounts-choice.tsx'
import { UsageReport } from './usage-report.tsx'
import { rangeOf, usageView } from './usage-view.ts'

/** Usage of each person in scope; users see only their own. */
export function TeamReportsPage() {
  const user = useUser()
  const [view, setView] = useView(usageView)
  const { from, to } = rangeOf(view)
  const span = { startDate: from, endDate: to }
  const everyone = useApi('reports.teamUsage', { query: span }, { keepPrevious: true })
  const chosen = useApi(
    'reports.teamUsage',
    { query: { ...span, userIds: view.accountIds.join(',') } },
    { enabled: view.accountIds.length > 0, keepPrevious: true },
  )
  return (
    <UsageReport
      title="Team Reports"
      who="Person"
      view={view}
      setView={setView}
      read={view.accountIds.length > 0 ? chosen : everyone}
      choice={
        user?.type === 'user' ? undefined : (
          <AccountsChoice
            noun="people"
            nothing="Everyone"
            chosen={view.accountIds}
            onChange={(accountIds) => setView({ accountIds })}
            choices={everyone.data?.accounts.map(({ userId, name, username, type }) => ({
              id: userId,
              name,
              detail: `${username} · ${roleNames[type]}`,
            }))}
          />
        )
      }
    />
  )
}
