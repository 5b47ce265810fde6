import type { AgentMetrics, AgentPeriod } from '@carillon/contract/live-agents'
import { useState } from 'react'
import { formatCount, formatDuration } from '../../lib/format.ts'
import { useApi } from '../../lib/use-api.ts'
import { StackedBars } from '../../ui/charts/stacked-bars.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Region } from '../../ui/region.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Missing } from '../../ui/text.tsx'
import { periodLabels } from './agent-labels.ts'
import { periods } from './agents-view.ts'

/** What an agent did in a period. */
export function AgentMetricsTab({ id }: { id: string }) {
  const [period, setPeriod] = useState<AgentPeriod>('day')
  const metrics = useApi('agents.metrics', { path: { id }, query: { period } }, { keepPrevious: true })
  return (
    <div className="flex flex-col gap-5 px-5 py-4">
      <Segmented
        label="Period of the metrics"
        value={period}
        options={periods.map((value) => ({ value, label: periodLabels[value] }))}
        onValueChange={setPeriod}
      />
      <Region read={metrics} label="metrics" lines={8}>
        {(data) => (
          <>
            <Counts metrics={data} />
            <Durations metrics={data} />
            <ByHour metrics={data} />
          </>
        )}
      </Region>
    </div>
  )
}

function Counts({ metrics }: { metrics: AgentMetrics }) {
  const { csat } = metrics
  return (
    <Facts
      facts={[
        ['Assigned', formatCount(metrics.assigned)],
        ['Opened', formatCount(metrics.opened)],
        ['Resolved', formatCount(metrics.resolved)],
        ['Reopened', formatCount(metrics.reopened)],
        ['Messages received', formatCount(metrics.messagesIn)],
        ['Messages sent', formatCount(metrics.messagesOut)],
        ['Taken over from colleagues', formatCount(metrics.transfersIn)],
        ['Handed to colleagues', formatCount(metrics.transfersOut)],
        ['Late answers', formatCount(metrics.slaBreaches)],
        [
          'Rating',
          csat.avg === null ? <Missing why="no ratings" /> : `${csat.avg.toFixed(1)} of 5 (${formatCount(csat.count)})`,
        ],
        ['Time online', formatDuration(metrics.onlineSeconds)],
        ['Time busy', formatDuration(metrics.busySeconds)],
      ]}
    />
  )
}

const durations = [
  ['First response', 'firstResponseTime'],
  ['Later responses', 'responseTime'],
  ['Resolution', 'resolutionTime'],
] as const

function Durations({ metrics }: { metrics: AgentMetrics }) {
  return (
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label="Durations">
      <table className="w-full text-dense whitespace-nowrap tabular-nums">
        <caption className="pb-2 text-left text-body font-medium">Durations</caption>
        <thead>
          <tr className="text-left text-caption text-muted-foreground">
            <th className="h-8 pr-3 font-medium">
              <span className="sr-only">Duration</span>
            </th>
            <th className="h-8 pr-3 text-right font-medium">Median</th>
            <th className="h-8 pr-3 text-right font-medium">Average</th>
            <th className="h-8 text-right font-medium">9 of 10 within</th>
          </tr>
        </thead>
        <tbody>
          {durations.map(([label, key]) => (
            <DurationRows key={key} label={label} {...metrics[key]} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

type DurationRowsProps = { label: string } & AgentMetrics['firstResponseTime']

function DurationRows({ label, clock, businessHours }: DurationRowsProps) {
  const rows = [
    [`${label} (${formatCount(clock.count)})`, clock, ''],
    ['in business hours', businessHours, 'text-muted-foreground'],
  ] as const
  return rows.map(([name, { p50, avg, p90 }, tone], index) => (
    <tr key={name} className={`${index === 0 ? 'border-t border-line' : ''} ${tone}`}>
      <th scope="row" className={`h-8 pr-3 text-left font-normal ${index === 0 ? '' : 'pl-3'}`}>
        {index === 0 ? (
          name
        ) : (
          <>
            <span className="sr-only">{label} </span>
            {name}
          </>
        )}
      </th>
      {[p50, avg, p90].map((seconds, column) => (
        <td key={column} className="pr-3 text-right last:pr-0">
          {seconds === null ? <Missing why="none in this period" /> : formatDuration(seconds)}
        </td>
      ))}
    </tr>
  ))
}

function ByHour({ metrics: { byHour } }: { metrics: AgentMetrics }) {
  const total = byHour.reduce((sum, { messagesIn, messagesOut }) => sum + messagesIn + messagesOut, 0)
  if (total === 0) return null
  return (
    <section aria-label="Messages by hour" className="flex flex-col gap-2">
      <h3 className="font-medium">Messages by hour</h3>
      <StackedBars
        summary={`${formatCount(total)} messages by hour of the day`}
        height={160}
        points={byHour.map((_, hour) => `${String(hour).padStart(2, '0')}:00`)}
        series={[
          { id: 'in', label: 'Received', color: 'var(--chart-1)', values: byHour.map(({ messagesIn }) => messagesIn) },
          { id: 'out', label: 'Sent', color: 'var(--chart-2)', values: byHour.map(({ messagesOut }) => messagesOut) },
        ]}
      />
      <p aria-hidden className="flex gap-4 text-caption text-muted-foreground">
        <span className="inline-flex items-center gap-1.5">
          <span className="size-2.5 rounded-[3px] bg-chart-1" /> Received
        </span>
        <span className="inline-flex items-center gap-1.5">
          <span className="size-2.5 rounded-[3px] bg-chart-2" /> Sent
        </span>
      </p>
    </section>
  )
}
