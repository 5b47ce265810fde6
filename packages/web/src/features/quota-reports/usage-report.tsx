import { loadCode } from '../../lib/load-code.ts'
import { fateLabels, figuresOf, sharesOf } from '@carillon/contract/figures'
import { Channel } from '@carillon/contract/channels'
import { Download, MessageSquareText, ScrollText } from 'lucide-react'
import { lazy, Suspense, type ReactNode } from 'react'
import { csvBlob } from '../../lib/csv.ts'
import { daysBetween } from '../../lib/days.ts'
import { download } from '../../lib/download.ts'
import {
  formatCalendarDay,
  countOf,
  formatCompact,
  formatCount,
  formatMoney,
  formatMoneyCompact,
  formatKnownShare,
} from '../../lib/format.ts'
import type { useApi } from '../../lib/use-api.ts'
import type { DayRange } from '../../lib/url-state.ts'
import { Button } from '../../ui/button.tsx'
import { channelLabel } from '../../channels/channel-mark.tsx'
import { channels as channelEntries } from '../../channels/index.ts'
import type { Filter } from '../../ui/data-screen/filter.ts'
import { FilterBar } from '../../ui/data-screen/filters.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Growth, KpiStrip, Points, type Kpi } from '../../ui/kpi-strip.tsx'
import { Page } from '../../ui/page.tsx'
import { Region } from '../../ui/region.tsx'
import { UsageTable } from './usage-table.tsx'
import { barsOf, channelsOf, rowsOf, usageCsv, type Counts, type Usage } from './usage.ts'
import { rangeOf, type UsageView } from './usage-view.ts'

const StackedBars = lazy(async () => ({
  default: (await loadCode(() => import('../../ui/charts/stacked-bars.tsx'))).StackedBars,
}))

type UsageRead = ReturnType<typeof useApi<'reports.teamUsage'>>

type UsageReportProps = {
  title: string
  /** The noun for a row: 'Account', 'Person'. */
  who: string
  view: UsageView
  setView: (patch: Partial<UsageView>) => void
  read: UsageRead
  /** Selects whose usage is shown. */
  choice?: ReactNode
  /** Shown until something is selected. */
  unchosen?: ReactNode
}

/** Messages and spend of accounts in a range of days: by day, by account and channel, and as a file. */
export function UsageReport({ title, who, view, setView, read, choice, unchosen }: UsageReportProps) {
  const usage = unchosen ? undefined : read.data
  return (
    <Page
      title={title}
      actions={
        <Button size="sm" variant="primary" disabled={!usage} onClick={() => usage && save(usage, { view, who })}>
          <Download aria-hidden /> Export CSV
        </Button>
      }
    >
      <div className="flex flex-wrap items-center gap-2 pb-4 screen-x">
        {choice}
        <FilterBar filters={filtersOf(view, setView)} />
        <span className="flex items-center gap-1 md:ml-auto">
          <Button
            size="sm"
            variant="ghost"
            aria-pressed={view.isCompared}
            onClick={() => setView({ isCompared: !view.isCompared })}
          >
            {view.isCompared ? 'Hide comparison' : 'vs previous period'}
          </Button>
          <Button
            size="sm"
            variant="ghost"
            aria-pressed={view.isExplained}
            onClick={() => setView({ isExplained: !view.isExplained })}
          >
            <ScrollText aria-hidden /> {view.isExplained ? 'Hide explanations' : 'Explain'}
          </Button>
        </span>
      </div>
      {unchosen ?? (
        <Region read={read} label="the usage" lines={10}>
          {(data) => <Report usage={data} {...{ who, view, setView }} />}
        </Region>
      )}
    </Page>
  )
}

type ReportProps = Pick<UsageReportProps, 'who' | 'view' | 'setView'> & { usage: Usage }

function Report({ usage, who, view, setView }: ReportProps) {
  const range = rangeOf(view)
  const channels = channelsOf(usage, view.channel)
  const { rows, sum } = rowsOf(usage, channels)
  if (sum.total.submitted === 0)
    return (
      <Empty icon={MessageSquareText} title="No messages in this period">
        Choose other days, or another channel.
      </Empty>
    )
  return (
    <div className="flex flex-col gap-5 pb-8">
      <div className="screen-x">
        <KpiStrip count={4} kpis={kpisOf(sum.total, { usage, view, range })} />
      </div>
      <div className="screen-x">
        <Chart {...{ usage, range, channels }} onRange={(chosen) => setView({ range: chosen })} />
      </div>
      <UsageTable {...{ who, channels, rows, sum }} explained={view.isExplained} />
    </div>
  )
}

type ChartProps = {
  usage: Usage
  range: DayRange
  channels: readonly Channel[]
  onRange: (range: DayRange) => void
}

function Chart({ usage, range, channels, onRange }: ChartProps) {
  const bars = barsOf(usage, { range, channels })
  const series = channels.map((channel, index) => ({
    id: channel,
    label: channelLabel(channel),
    color: channelEntries[channel].mark.color,
    values: bars.map(({ values }) => values[index] ?? 0),
  }))
  const sum = series.flatMap(({ values }) => values).reduce((total, value) => total + value, 0)
  return (
    <Suspense fallback={<div aria-busy="true" className="h-55" />}>
      <StackedBars
        summary={`${countOf(sum, 'message')} from ${formatCalendarDay(range.from)} to ${formatCalendarDay(range.to)}`}
        points={bars.map(({ from, to, label }) => (from === to ? label : `${label} – ${formatCalendarDay(to)}`))}
        series={series}
        onBrush={(first, last) => onRange({ from: bars[first]?.from ?? range.from, to: bars[last]?.to ?? range.to })}
      />
    </Suspense>
  )
}

function kpisOf(total: Counts, { usage, view, range }: { usage: Usage; view: UsageView; range: DayRange }): Kpi[] {
  // The previous days are counted for all channels together.
  const before = view.isCompared && view.channel === 'any' ? usage.previous : undefined
  const days = countOf(daysBetween(range).length, 'day')
  return [
    {
      label: 'Messages',
      value: formatCompact(total.submitted),
      full: formatCount(total.submitted),
      change: before ? <Growth now={total.submitted} before={before.submitted} /> : <Quiet>in {days}</Quiet>,
    },
    shareKpi('delivered', { total, before }),
    shareKpi('failed', { total, before }),
    {
      label: 'Spend',
      value: formatMoneyCompact(total.cost),
      full: formatMoney(total.cost),
      change: before ? <Growth now={total.cost} before={before.cost} /> : <Quiet>refunds taken off</Quiet>,
    },
  ]
}

function shareKpi(fate: 'delivered' | 'failed', { total, before }: { total: Counts; before: Counts | undefined }): Kpi {
  const now = sharesOf(total)?.[fate]
  const count = formatCount(figuresOf(total)[fate])
  return {
    label: fateLabels[fate],
    value: formatKnownShare(now),
    full: count,
    change: before ? (
      <Points now={now} before={sharesOf(before)?.[fate]} good={fate === 'failed' ? 'down' : 'up'} />
    ) : (
      <Quiet>{count}</Quiet>
    ),
  }
}

function Quiet({ children }: { children: ReactNode }) {
  return <span className="truncate text-caption text-muted-foreground tabular-nums">{children}</span>
}

function filtersOf(view: UsageView, setView: UsageReportProps['setView']): readonly Filter[] {
  return [
    { id: 'range', label: 'Days', kind: 'range', value: rangeOf(view), onChange: (range) => setView({ range }) },
    {
      id: 'channel',
      label: 'Channel',
      kind: 'choice',
      options: Channel.options.map((value) => ({ value, label: channelLabel(value) })),
      value: view.channel === 'any' ? undefined : view.channel,
      onChange: (value) => setView({ channel: Channel.safeParse(value).data ?? 'any' }),
    },
  ]
}

function save(usage: Usage, { view, who }: { view: UsageView; who: string }) {
  const { from, to } = rangeOf(view)
  void download(
    csvBlob(usageCsv(usage, { channels: channelsOf(usage, view.channel), who })),
    `usage ${from} to ${to}.csv`,
  )
}
