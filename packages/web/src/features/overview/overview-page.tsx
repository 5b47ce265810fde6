import { RefreshCw } from 'lucide-react'
import { formatRelative } from '../../lib/format.ts'
import { useApi } from '../../lib/use-api.ts'
import { useView } from '../../lib/use-view.ts'
import { IconButton } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Select } from '../../ui/select.tsx'
import { BalanceCard } from './balance-card.tsx'
import { FirstSteps } from './first-steps.tsx'
import { FunnelCard } from './funnel-card.tsx'
import { Kpis } from './kpis.tsx'
import { LiveNow } from './live-now.tsx'
import { MessagesChart } from './messages-chart.tsx'
import { NewCampaign } from './new-campaign.tsx'
import { overviewView, ranges } from './overview-view.ts'
import { RecentCampaigns } from './recent-campaigns.tsx'

/** Is the business talking? What runs now, what came of it, what it cost. Each region waits and fails on its own. */
export function OverviewPage() {
  const [view, setView] = useView(overviewView)
  const days = Number(view.r)
  const counts = useApi('dashboard.statusCounts', { query: { days } }, { keepPrevious: true, refetchInterval: 60_000 })

  return (
    <Page
      title="Overview"
      actions={
        <>
          <span className="text-dense text-muted-foreground max-md:hidden">
            {counts.dataUpdatedAt ? `Updated ${formatRelative(counts.dataUpdatedAt)}` : ''}
          </span>
          <IconButton label="Refresh" size="sm" loading={counts.isFetching} onClick={() => void counts.refetch()}>
            <RefreshCw aria-hidden />
          </IconButton>
          <Select
            aria-label="Range"
            size="sm"
            className="w-36"
            value={view.r}
            options={ranges.map((range) => ({ value: range, label: `Last ${range} days` }))}
            onValueChange={(range) => setView({ r: range })}
          />
          <NewCampaign />
        </>
      }
    >
      <div className="flex flex-col gap-4 pb-8 screen-x">
        <FirstSteps />
        <Kpis counts={counts} />
        <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_352px]">
          <div className="flex min-w-0 flex-col gap-4 max-xl:order-2">
            <MessagesChart counts={counts} days={days} />
            <FunnelCard counts={counts} />
            <RecentCampaigns />
          </div>
          <div className="flex min-w-0 flex-col gap-4">
            <LiveNow />
            <BalanceCard />
          </div>
        </div>
      </div>
    </Page>
  )
}
