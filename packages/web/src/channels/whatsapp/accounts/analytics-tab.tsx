import type { WhatsappAnalytics, WhatsappConnection } from '@carillon/contract/channels/whatsapp/whatsapp-accounts'
import { useState } from 'react'
import { countOf, formatCount, formatDay, formatPercent } from '../../../lib/format.ts'
import { useApi } from '../../../lib/use-api.ts'
import { useView } from '../../../lib/use-view.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { BarList } from '../../../ui/charts/bar-list.tsx'
import { LazyAreaChart } from '../../../ui/charts/lazy-area-chart.tsx'
import { KpiStrip } from '../../../ui/kpi-strip.tsx'
import { Region } from '../../../ui/region.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { Select } from '../../../ui/select.tsx'
import { countByCategory, daysBack, everyDay, formatCost, totalsOf } from './analytics-sums.ts'
import { whatsappView } from './whatsapp-view.ts'

const ranges = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
] as const

/** Messages and charges of one account as reported by Meta. */
export function AnalyticsTab({ connections }: { connections: readonly WhatsappConnection[] }) {
  const [view, setView] = useView(whatsappView)
  const [today] = useState(() => new Date())
  const connection = connections.find(({ _id }) => _id === view.chosenId) ?? connections[0]
  const days = daysBack(today, view.days)
  const analytics = useApi(
    'wabas.analytics',
    { query: { waba_id: connection?.waba_id ?? '', ...days } },
    { enabled: connection !== undefined, staleTime: 300_000 },
  )
  const range = ranges.find(({ value }) => value === String(view.days))?.value ?? '30'
  return (
    <div className="flex flex-col gap-4 py-5 screen-x">
      <div className="flex flex-wrap items-center gap-2">
        {connections.length > 1 ? (
          <Select
            aria-label="Account"
            size="sm"
            className="w-60"
            value={connection?._id ?? ''}
            onValueChange={(chosenId) => setView({ chosenId })}
            options={connections.map(({ _id, name }) => ({ value: _id, label: name }))}
          />
        ) : null}
        <Segmented
          label="Days"
          value={range}
          onValueChange={(value) => setView({ days: Number(value) })}
          options={ranges}
        />
        <span className="ml-auto text-caption text-muted-foreground">Counted by Meta, by Meta’s days</span>
      </div>
      <Region read={analytics} label="the analytics" lines={8}>
        {(data) => <Analytics data={{ ...data, points: everyDay(data.points, days) }} />}
      </Region>
    </div>
  )
}

function Analytics({ data }: { data: WhatsappAnalytics }) {
  const { sent, delivered, charged, cost } = totalsOf(data)
  return (
    <>
      <KpiStrip
        count={4}
        kpis={[
          { label: 'Sent', value: formatCount(sent) },
          { label: 'Delivered', value: formatCount(delivered), change: <Share part={delivered} of={sent} /> },
          { label: 'Charged messages', value: formatCount(charged) },
          { label: 'Cost at Meta', value: formatCost(cost, data.currency) },
        ]}
      />
      <ByDay data={data} />
      <div className="grid gap-4 lg:grid-cols-2">
        <Card title="Volume by category">
          <Bars data={data} of="volume" />
        </Card>
        <Card title="Cost by category">
          <Bars data={data} of="cost" />
        </Card>
      </div>
    </>
  )
}

function Share({ part, of }: { part: number; of: number }) {
  return of > 0 ? (
    <span className="text-caption text-muted-foreground">{formatPercent(part / of)} of what was sent</span>
  ) : null
}

function ByDay({ data }: { data: WhatsappAnalytics }) {
  const [asTable, setAsTable] = useState(false)
  const { points } = data
  const { sent, delivered } = totalsOf(data)
  const labels = points.map(({ at }) => formatDay(at))
  return (
    <Card
      title="Messages by day"
      actions={
        <Button variant="ghost" size="tool" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          {asTable ? 'View as chart' : 'View as table'}
        </Button>
      }
    >
      {points.length === 0 ? (
        <p className="px-4 pb-4 text-muted-foreground">No messages in this period.</p>
      ) : asTable ? (
        <DayTable points={points} />
      ) : (
        <div className="px-2 pb-3">
          <LazyAreaChart
            summary={`${countOf(sent, 'message')} sent and ${formatCount(delivered)} delivered in ${countOf(points.length, 'day')}`}
            points={labels}
            sharesWhole={false}
            series={[
              { id: 'sent', label: 'Sent', color: 'var(--seq-3)', values: points.map((point) => point.sent) },
              {
                id: 'delivered',
                label: 'Delivered',
                color: 'var(--whatsapp)',
                values: points.map((point) => point.delivered),
              },
            ]}
          />
        </div>
      )}
    </Card>
  )
}

function DayTable({ points }: { points: WhatsappAnalytics['points'] }) {
  return (
    <div className="max-h-80 overflow-y-auto px-4 pb-4" tabIndex={0} role="region" aria-label="Messages by day">
      <table className="w-full tabular-nums">
        <thead className="text-left text-caption text-muted-foreground">
          <tr className="h-8 border-b border-border [&>th]:font-medium">
            <th scope="col">Day</th>
            <th scope="col" className="text-right">
              Sent
            </th>
            <th scope="col" className="text-right">
              Delivered
            </th>
          </tr>
        </thead>
        <tbody>
          {points.map(({ at, sent, delivered }) => (
            <tr key={at} className="h-9 border-b border-line last:border-0">
              <th scope="row" className="text-left font-normal">
                {formatDay(at)}
              </th>
              <td className="text-right">{formatCount(sent)}</td>
              <td className="text-right">{formatCount(delivered)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Bars({ data, of }: { data: WhatsappAnalytics; of: 'volume' | 'cost' }) {
  const bars = countByCategory(data.prices, of)
  if (bars.length === 0) return <p className="px-4 pb-4 text-muted-foreground">No charges in this period.</p>
  return (
    <div className="px-2 pb-3">
      <BarList
        bars={bars.map(({ category, value }) => ({
          id: category,
          label: category,
          value,
          ...(of === 'cost' ? { shown: formatCost(value, data.currency) } : {}),
        }))}
      />
    </div>
  )
}
