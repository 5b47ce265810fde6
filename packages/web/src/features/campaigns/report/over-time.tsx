import type { CampaignDetail } from '@carillon/contract/campaigns'
import { Table2 } from 'lucide-react'
import { useState } from 'react'
import { formatCount, formatDate, formatDateTime, formatTime } from '../../../lib/format.ts'
import { IconButton } from '../../../ui/button.tsx'
import { AreaChart } from '../../../ui/charts/area-chart.tsx'

type Points = CampaignDetail['overTime']

const spanMs = 300_000
/** Two days of intervals; in longer ranges only intervals with messages are drawn. */
const mostSpans = 576

/**
 * All intervals from the one before the first message to the one after the last, if that has ended, so that lines start at
 * zero.
 */
function everySpan(points: Points, now = Date.now()): Points {
  const times = points.map(({ at }) => Date.parse(at))
  const start = Math.min(...times) - spanMs
  const end = Math.max(...times)
  const count = (end - start) / spanMs + (end + 2 * spanMs < now ? 2 : 1)
  if (count > mostSpans) return points
  const known = new Map(points.map((point) => [Date.parse(point.at), point]))
  return Array.from({ length: count }, (_, index) => {
    const time = start + index * spanMs
    return known.get(time) ?? { at: new Date(time).toISOString(), sent: 0, delivered: 0, failed: 0 }
  })
}

/** Messages sent, delivered and failed per five minutes, as chart or table. */
export function OverTime({ points }: { points: Points }) {
  const [asTable, setAsTable] = useState(false)
  if (points.length === 0)
    return <p className="flex h-56 items-center justify-center text-muted-foreground">Nothing has been sent yet.</p>
  return (
    <div className="relative">
      <div className="absolute -top-11 right-0">
        <IconButton label={asTable ? 'View as chart' : 'View as table'} size="sm" onClick={() => setAsTable(!asTable)}>
          <Table2 />
        </IconButton>
      </div>
      {asTable ? <PointsTable points={points} /> : <PointsChart points={points} />}
    </div>
  )
}

function PointsChart({ points: found }: { points: Points }) {
  const points = everySpan(found)
  const days = new Set(points.map(({ at }) => formatDate(at)))
  const nameOf = days.size > 1 ? formatDateTime : formatTime
  const delivered = points.reduce((sum, point) => sum + point.delivered, 0)
  return (
    <AreaChart
      summary={`${formatCount(delivered)} messages were delivered in ${found.length} five-minute intervals.`}
      points={points.map(({ at }) => nameOf(at))}
      sharesWhole={false}
      series={lines.map((line) => ({ ...line, values: points.map((point) => point[line.id]) }))}
    />
  )
}

const lines = [
  { id: 'sent', label: 'Sent', color: 'var(--seq-3)', dash: '6 3', weight: 1.5 },
  { id: 'delivered', label: 'Delivered', color: 'var(--seq-4)' },
  { id: 'failed', label: 'Failed', color: 'var(--destructive)', weight: 1.5 },
] as const

function PointsTable({ points }: { points: Points }) {
  return (
    <div className="max-h-56 overflow-y-auto" tabIndex={0} role="region" aria-label="Messages by five minutes">
      <table className="w-full text-right text-dense tabular-nums">
        <thead className="text-caption text-muted-foreground">
          <tr>
            {['Time', 'Sent', 'Delivered', 'Failed'].map((title) => (
              <th key={title} scope="col" className="h-8 px-2 font-medium first:text-left">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {points.map((point) => (
            <tr key={point.at}>
              <th scope="row" className="h-8 px-2 text-left font-normal">
                {formatTime(point.at)}
              </th>
              <td className="px-2">{formatCount(point.sent)}</td>
              <td className="px-2">{formatCount(point.delivered)}</td>
              <td className="px-2">{formatCount(point.failed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
