import { sharesOf } from '@carillon/contract/figures'
import type { AccountUsage } from '@carillon/contract/reports'
import { ChevronRight, Users } from 'lucide-react'
import { formatCount, formatKnownShare, formatMoney, formatShare, initialsOf, roleNames } from '../../lib/format.ts'
import { lastDays } from '../../lib/days.ts'
import { useApi } from '../../lib/use-api.ts'
import { useView } from '../../lib/use-view.ts'
import { AreaLink } from '../../ui/area-link.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Sparkline } from '../../ui/charts/sparkline.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Page } from '../../ui/page.tsx'
import { Region } from '../../ui/region.tsx'
import { BalanceCard } from './balance-card.tsx'
import { Kpis } from './kpis.tsx'
import { LiveNow } from './live-now.tsx'
import { NewCampaign } from './new-campaign.tsx'
import { NextSteps } from './next-steps.tsx'
import { overviewView } from './overview-view.ts'
import { RangeActions } from './range-actions.tsx'
import { RecentCampaigns } from './recent-campaigns.tsx'

/** Overview for managers and department heads: usage by member, active campaigns, and pending items. */
export function TeamOverview() {
  const [view, setView] = useView(overviewView)
  const days = Number(view.range)
  const counts = useApi('dashboard.statusCounts', { query: { days } }, { keepPrevious: true, refetchInterval: 60_000 })
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
            <Team days={days} />
            <RecentCampaigns />
          </div>
          <div className="flex min-w-0 flex-col gap-4">
            <LiveNow />
            <NextSteps />
            <BalanceCard />
          </div>
        </div>
      </div>
    </Page>
  )
}

const head =
  'h-9 px-3 text-left text-caption font-medium text-muted-foreground border-b border-border first:pl-4 last:pr-4'
const cell = 'h-12 px-3 border-b border-line first:pl-4 last:pr-4 in-[tr:last-child]:border-0'

function Team({ days }: { days: number }) {
  const span = lastDays(days)
  const usage = useApi(
    'reports.teamUsage',
    { query: { startDate: span.from, endDate: span.to } },
    { keepPrevious: true, refetchInterval: 60_000 },
  )
  return (
    <Card
      title="My team"
      caption="Messages and spend by person"
      actions={
        <Button variant="ghost" size="sm" asChild>
          <AreaLink to="quota-reports-management">
            Team reports <ChevronRight aria-hidden />
          </AreaLink>
        </Button>
      }
    >
      <Region read={usage} label="the team" lines={4}>
        {({ accounts }) =>
          accounts.length === 0 ? (
            <Empty icon={Users} title="No team members yet">
              Your organisation’s manager assigns people to you.
            </Empty>
          ) : (
            <div
              className="relative overflow-x-auto"
              role="region"
              aria-label="Messages and spend by person"
              tabIndex={0}
            >
              <table className="w-full whitespace-nowrap tabular-nums">
                <thead>
                  <tr>
                    <th className={head}>Person</th>
                    <th className={`${head} text-right`}>Sent</th>
                    <th className={`${head} text-right`}>Delivered</th>
                    <th className={`${head} text-right`}>Failed</th>
                    <th className={`${head} text-right`}>Spend</th>
                    <th className={head}>Share</th>
                    <th className={head}>Trend</th>
                  </tr>
                </thead>
                <tbody>
                  {accounts.map((account) => (
                    <Member key={account.userId} account={account} />
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Region>
    </Card>
  )
}

function Member({ account }: { account: AccountUsage }) {
  const { name, type, total, share, daily } = account
  return (
    <tr className="hover:bg-accent">
      <th scope="row" className={`${cell} max-w-60 text-left font-normal`}>
        <span className="flex items-center gap-2.5">
          <span
            aria-hidden
            className="grid size-7 shrink-0 place-items-center rounded-full bg-secondary text-caption font-semibold text-secondary-foreground"
          >
            {initialsOf(name)}
          </span>
          <span className="min-w-0">
            <b className="block truncate font-medium">{name}</b>
            <small className="block text-caption text-muted-foreground">{roleNames[type]}</small>
          </span>
        </span>
      </th>
      <td className={`${cell} text-right`}>{formatCount(total.submitted)}</td>
      <td className={`${cell} text-right`}>{formatKnownShare(sharesOf(total)?.delivered)}</td>
      <td className={`${cell} text-right`}>{formatKnownShare(sharesOf(total)?.failed)}</td>
      <td className={`${cell} text-right`}>{formatMoney(total.cost)}</td>
      <td className={`${cell} w-28`}>
        <span className="block h-1.5 overflow-hidden rounded-full bg-secondary">
          <span className="block h-full rounded-full bg-brand" style={{ width: `${Math.round(share * 100)}%` }} />
        </span>
        <span className="sr-only">{formatShare(share, 1)}</span>
      </td>
      <td className={cell}>
        <Sparkline values={daily.map(({ submitted }) => submitted)} />
      </td>
    </tr>
  )
}
