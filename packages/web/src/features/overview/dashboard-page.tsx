import { sharesOf } from '@carillon/contract/figures'
import { Plus, Users, X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ManagedUser } from '@carillon/contract/users'
import type { CallData } from '../../lib/call.ts'
import { lastDays } from '../../lib/days.ts'
import {
  countOf,
  formatCompact,
  formatCount,
  formatMoney,
  formatMoneyCompact,
  formatMoneyInProse,
  formatKnownShare,
  missing,
} from '../../lib/format.ts'
import { useUser } from '../../lib/session.ts'
import { useApi } from '../../lib/use-api.ts'
import { useView } from '../../lib/use-view.ts'
import { userIdsParameter } from '../../lib/user-ids.ts'
import { AreaLink } from '../../ui/area-link.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Growth, KpiStrip, Points, type Kpi } from '../../ui/kpi-strip.tsx'
import { Page } from '../../ui/page.tsx'
import { AttentionCard } from './attention-card.tsx'
import { runwayDays } from './daily.ts'
import { dashboardView, type DashboardView } from './dashboard-view.ts'
import { MessagesChart } from './messages-chart.tsx'
import { RangeActions } from './range-actions.tsx'
import { RequestsCard } from './requests-card.tsx'
import { RunwayCard } from './runway-card.tsx'
import { TopAccounts } from './top-accounts.tsx'

const mostAccounts = 100

/** Dashboard of admins and resellers. Selecting an account filters the whole page. */
export function DashboardPage() {
  const user = useUser()
  const [view, setView] = useView(dashboardView)
  const reads = useReads(view)
  const { counts, users } = reads
  const scoped = users.data?.users.find(({ _id }) => _id === view.accountId)
  const isReseller = user?.type === 'reseller'

  return (
    <Page title="Dashboard" actions={<Actions {...{ view, setView, counts }} />}>
      {reads.attention.data?.accounts === 0 ? (
        <FirstAccount isReseller={isReseller} />
      ) : (
        <div className="flex flex-col gap-4 pb-8 screen-x">
          {view.accountId ? (
            <Scope name={scoped?.name ?? 'One account'} onClear={() => setView({ accountId: undefined })} />
          ) : null}
          <Strip {...{ reads, isReseller, scoped }} days={Number(view.range)} />
          <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_352px]">
            <div className="flex min-w-0 flex-col gap-4 max-xl:order-2">
              <MessagesChart counts={counts} days={Number(view.range)} />
              <TopAccounts
                read={reads.usage}
                users={users}
                chosen={view.accountId}
                onChoose={(accountId) => setView({ accountId })}
              />
            </div>
            <div className="flex min-w-0 flex-col gap-4">
              <AttentionCard read={reads.attention} />
              <RequestsCard />
              {isReseller ? <RunwayCard balance={reads.balance} counts={reads.all} days={Number(view.range)} /> : null}
            </div>
          </div>
        </div>
      )}
    </Page>
  )
}

/** Each region loads independently; usage is requested only once there are accounts. */
function useReads(view: DashboardView) {
  const days = Number(view.range)
  const { from, to } = lastDays(days)
  const steady = { keepPrevious: true, refetchInterval: 60_000 }
  const users = useApi('users.list', { query: { type: 'manager', sort: 'active', limit: mostAccounts } }, steady)
  const ids = users.data?.users.map(({ _id }) => _id) ?? []
  const usage = useApi(
    'dashboard.storedStatusCounts',
    { query: { userIds: ids.length > 0 ? userIdsParameter(ids) : '', startDate: from, endDate: to } },
    { ...steady, enabled: ids.length > 0 },
  )
  const all = useApi('dashboard.statusCounts', { query: { days } }, steady)
  const one = useApi(
    'dashboard.statusCounts',
    { query: { days, userIds: view.accountId ?? '' } },
    { ...steady, enabled: view.accountId !== undefined },
  )
  const attention = useApi('dashboard.attention', {}, { refetchInterval: 60_000 })
  const balance = useApi('balance.get', {}, { refetchInterval: 60_000 })
  return { users, usage, all, counts: view.accountId ? one : all, attention, balance }
}

type Reads = ReturnType<typeof useReads>

type ActionsProps = {
  view: DashboardView
  setView: (patch: Partial<DashboardView>) => void
  counts: Reads['counts']
}

function Actions({ view, setView, counts }: ActionsProps) {
  return (
    <>
      <RangeActions counts={counts} range={view.range} onRange={(range) => setView({ range })} />
      <Button variant="primary" size="sm" asChild>
        <AreaLink to="users">
          <Plus aria-hidden /> Create account
        </AreaLink>
      </Button>
    </>
  )
}

function Scope({ name, onClear }: { name: string; onClear: () => void }) {
  return (
    <p role="status" className="flex items-center gap-2">
      <span className="inline-flex h-7 items-center overflow-hidden rounded-md border border-edge bg-card text-dense">
        <span className="px-2 text-muted-foreground">Account</span>
        <b className="max-w-72 truncate border-l border-line px-2">{name}</b>
        <button
          type="button"
          aria-label="Show all accounts"
          onClick={onClear}
          className="grid h-full place-items-center border-l border-line px-1.5 text-muted-foreground hover:bg-accent"
        >
          <X aria-hidden className="size-4" />
        </button>
      </span>
    </p>
  )
}

function FirstAccount({ isReseller }: { isReseller: boolean }) {
  return (
    <Empty
      icon={Users}
      title={isReseller ? 'Create your first customer account' : 'Create the first account'}
      actions={
        <Button asChild>
          <AreaLink to="users">Create account</AreaLink>
        </Button>
      }
    >
      What your accounts send and spend appears here.
    </Empty>
  )
}

type StripProps = { reads: Reads; days: number; isReseller: boolean; scoped: ManagedUser | undefined }

function Strip({ reads, days, isReseller, scoped }: StripProps) {
  const { counts, attention } = reads
  if (counts.error && !counts.data) return <Failure error={counts.error} onRetry={() => void counts.refetch()} />
  if (attention.error && !attention.data)
    return <Failure error={attention.error} onRetry={() => void attention.refetch()} />
  return (
    <Loaded at={counts.dataUpdatedAt} isStale={counts.isError || attention.isError}>
      <KpiStrip
        count={isReseller ? 6 : 5}
        kpis={isReseller ? resellerKpis(reads, { days, scoped }) : sharedKpis(reads, scoped)}
      />
    </Loaded>
  )
}

function sharedKpis({ counts, attention }: Reads, scoped: ManagedUser | undefined): Kpi[] | undefined {
  if (!counts.data || !attention.data) return undefined
  const { total, previous } = counts.data
  const [now, before] = [sharesOf(total), sharesOf(previous)]
  return [
    {
      label: 'Messages',
      value: formatCompact(total.submitted),
      full: formatCount(total.submitted),
      change: <Growth now={total.submitted} before={previous.submitted} />,
    },
    {
      label: 'Delivered',
      value: formatKnownShare(now?.delivered),
      change: <Points now={now?.delivered} before={before?.delivered} good="up" />,
    },
    {
      label: 'Failed',
      value: formatKnownShare(now?.failed),
      change: <Points now={now?.failed} before={before?.failed} good="down" />,
    },
    ...(scoped ? accountKpis(scoped, counts.data) : platformKpis(attention.data)),
  ]
}

/** Account counts. The list of accounts defines active differently: signed in recently. */
function platformKpis({ accounts, activeAccounts, lowBalanceCount }: CallData<'dashboard.attention'>): Kpi[] {
  return [
    {
      label: 'Sending accounts',
      value: formatCount(activeAccounts),
      change: <Small>of {formatCount(accounts)}, in the last 7 days</Small>,
    },
    {
      label: 'Low balance',
      value: (
        <span className={lowBalanceCount > 0 ? 'text-warning-text' : undefined}>{formatCount(lowBalanceCount)}</span>
      ),
      change: <Small>under ₹1,000</Small>,
    },
  ]
}

/** Replaces those if an account is selected. */
function accountKpis({ balance }: ManagedUser, { total, previous }: CallData<'dashboard.statusCounts'>): Kpi[] {
  return [
    {
      label: 'Spend',
      value: formatMoneyCompact(total.cost),
      full: formatMoney(total.cost),
      change: <Growth now={total.cost} before={previous.cost} />,
    },
    {
      label: 'Its balance',
      value: balance === undefined ? missing : formatMoneyCompact(balance),
      full: balance === undefined ? undefined : formatMoney(balance),
    },
  ]
}

type ResellerOptions = { days: number; scoped: ManagedUser | undefined }

/** For a reseller, the own balance comes first. */
function resellerKpis(reads: Reads, { days, scoped }: ResellerOptions): Kpi[] | undefined {
  const shared = sharedKpis(reads, scoped)
  const balance = reads.balance.data?.balance
  if (!shared || balance === undefined) return undefined
  const left = runwayDays({ balance, spent: reads.all.data?.total.cost ?? 0, days })
  const own: Kpi = {
    label: 'Balance',
    value: formatMoneyInProse(balance),
    full: formatMoney(balance),
    change: <Small>{left === undefined ? 'no spend yet' : `${countOf(left, 'day')} at this pace`}</Small>,
  }
  return [own, ...shared]
}

function Small({ children }: { children: ReactNode }) {
  return <span className="truncate text-caption text-muted-foreground">{children}</span>
}
