import type { ReportDetails } from '@carillon/contract/report-file-records'
import { Table2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { formatCalendarDay, formatCount } from '../../lib/format.ts'
import { loadCode } from '../../lib/load-code.ts'
import { IconButton } from '../../ui/button.tsx'
import { daysOf, endsToday, findingOf, summaryOf, type ReportDay } from './report-days.ts'

const StackedBars = lazy(async () => ({
  default: (await loadCode(() => import('../../ui/charts/stacked-bars.tsx'))).StackedBars,
}))

const series = [
  { id: 'delivered', label: 'Delivered', color: 'var(--seq-4)', valueOf: ({ delivered }: ReportDay) => delivered },
  {
    id: 'other',
    label: 'No receipt',
    color: 'var(--seq-2)',
    valueOf: ({ submitted, delivered, failed }: ReportDay) => Math.max(0, submitted - delivered - failed),
  },
  { id: 'failed', label: 'Failed', color: 'var(--destructive)', valueOf: ({ failed }: ReportDay) => failed },
] as const

const todaySoFar = 'today so far'

/** Messages by day, as a chart or a table. */
export function ReportChart({ details }: { details: ReportDetails }) {
  const [asTable, setAsTable] = useState(false)
  const days = daysOf(details)
  return (
    <section className="min-w-0 rounded-lg border border-border">
      <header className="flex min-h-12 items-center gap-2 py-2 pr-2 pl-4">
        <h3 className="min-w-0 truncate font-semibold">{findingOf(days)}</h3>
        <span className="shrink-999 truncate text-dense text-muted-foreground max-md:hidden">Messages per day</span>
        <span className="ml-auto">
          <IconButton
            label={asTable ? 'View as chart' : 'View as table'}
            size="sm"
            aria-pressed={asTable}
            onClick={() => setAsTable(!asTable)}
          >
            <Table2 aria-hidden />
          </IconButton>
        </span>
      </header>
      {asTable ? <DayTable days={days} /> : <Chart days={days} isPartial={endsToday(details)} />}
    </section>
  )
}

function Chart({ days, isPartial }: { days: readonly ReportDay[]; isPartial: boolean }) {
  return (
    <div className="px-2 pb-3">
      <Suspense fallback={<div aria-busy="true" className="h-55" />}>
        <StackedBars
          summary={summaryOf(days)}
          points={days.map(({ day }) => formatCalendarDay(day))}
          series={series.map(({ valueOf, ...rest }) => ({ ...rest, values: days.map(valueOf) }))}
          {...(isPartial ? { partial: todaySoFar } : {})}
        />
      </Suspense>
      <ul aria-hidden className="flex flex-wrap gap-x-4 px-3 text-caption text-muted-foreground">
        {series.map(({ id, label, color }) => (
          <li key={id} className="flex items-center gap-1.5">
            <span className="size-2 rounded-full" style={{ background: color }} />
            {label}
          </li>
        ))}
        {isPartial ? <li className="ml-auto">Striped: {todaySoFar}</li> : null}
      </ul>
    </div>
  )
}

const heads = ['Day', 'Messages', 'Delivered', 'Failed']

function DayTable({ days }: { days: readonly ReportDay[] }) {
  return (
    <div className="max-h-64 overflow-y-auto px-4 pb-3" tabIndex={0} role="region" aria-label="Messages by day">
      <table className="w-full text-right text-dense tabular-nums">
        <caption className="sr-only">{summaryOf(days)}</caption>
        <thead className="text-caption text-muted-foreground">
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col" className="h-8 font-medium first:text-left">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map(({ day, submitted, delivered, failed }) => (
            <tr key={day} className="border-t border-line">
              <th scope="row" className="h-8 text-left font-normal">
                {formatCalendarDay(day)}
              </th>
              <td>{formatCount(submitted)}</td>
              <td>{formatCount(delivered)}</td>
              <td>{formatCount(failed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
