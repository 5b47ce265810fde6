import { useApi } from '../../lib/use-api.ts'
import { useView } from '../../lib/use-view.ts'
import { Page } from '../../ui/page.tsx'
import { BalanceCard } from './balance-card.tsx'
import { FailedConnections } from './failed-connections.tsx'
import { FirstUse } from './first-steps.tsx'
import { FunnelCard } from './funnel-card.tsx'
import { Kpis } from './kpis.tsx'
import { LiveNow } from './live-now.tsx'
import { MessagesChart } from './messages-chart.tsx'
import { NeedsAttention } from './needs-attention.tsx'
import { NewCampaign } from './new-campaign.tsx'
import { overviewView } from './overview-view.ts'
import { RangeActions } from './range-actions.tsx'
import { RecentCampaigns } from './recent-campaigns.tsx'
import { useFirstSteps } from './use-first-steps.ts'

/** Overview: running campaigns, results and cost. Each region loads and fails independently. */
export function OverviewPage() {
  const [view, setView] = useView(overviewView)
  const days = Number(view.range)
  const counts = useApi('dashboard.statusCounts', { query: { days } }, { keepPrevious: true, refetchInterval: 60_000 })
  const firstSteps = useFirstSteps()
  if (firstSteps)
    return (
      <Page title="Overview" actions={<NewCampaign />}>
        <div className="grid items-start gap-4 pb-8 screen-x xl:grid-cols-[minmax(0,1fr)_352px]">
          <FirstUse steps={firstSteps} />
          <div className="flex min-w-0 flex-col gap-4">
            <FailedConnections />
            <BalanceCard />
          </div>
        </div>
      </Page>
    )

  return (
    <Page
      title="Overview"
      actions={
        <>
          <RangeActions counts={counts} range={view.range} onRange={(range) => setView({ range })} />
          <NewCampaign />
        </>
      }
    >
      <div className="flex flex-col gap-4 pb-8 screen-x">
        <Kpis counts={counts} />
        <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_352px]">
          <div className="flex min-w-0 flex-col gap-4 max-xl:order-2">
            <MessagesChart counts={counts} days={days} />
            <FunnelCard counts={counts} />
            <RecentCampaigns />
          </div>
          <div className="flex min-w-0 flex-col gap-4">
            <FailedConnections />
            <LiveNow />
            <NeedsAttention />
            <BalanceCard />
          </div>
        </div>
      </div>
    </Page>
  )
}
