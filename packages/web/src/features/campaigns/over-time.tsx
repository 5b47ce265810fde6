import type { CampaignDetail } from '@carillon/contract/campaigns'
import { Table2 } from 'lucide-react'
import { useState } from 'react'
import { Area, AreaChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { formatCompact, formatCount, formatTime } from '../../lib/format.ts'
import { IconButton } from '../../ui/button.tsx'

type Points = CampaignDetail['overTime']

/** Messages taken, arrived and failed by five minutes; as a picture or as a table. */
export function OverTime({ points }: { points: Points }) {
  const [asTable, setAsTable] = useState(false)
  if (points.length === 0)
    return <p className="flex h-56 items-center justify-center text-muted-foreground">Nothing has been sent yet.</p>
  const delivered = points.reduce((sum, point) => sum + point.delivered, 0)
  return (
    <div className="relative">
      <p className="sr-only">{`${formatCount(delivered)} messages were delivered in ${points.length} spans of five minutes.`}</p>
      <div className="absolute -top-11 right-0">
        <IconButton label={asTable ? 'View as chart' : 'View as table'} size="sm" onClick={() => setAsTable(!asTable)}>
          <Table2 />
        </IconButton>
      </div>
      {asTable ? <PointsTable points={points} /> : <PointsChart points={points} />}
    </div>
  )
}

function PointsChart({ points }: { points: Points }) {
  return (
    <div className="h-56">
      <ResponsiveContainer width="100%" height="100%">
        <AreaChart data={points} accessibilityLayer margin={{ top: 4, right: 8, bottom: 0, left: -8 }}>
          <CartesianGrid vertical={false} stroke="var(--border)" strokeOpacity={0.6} />
          <XAxis
            dataKey="at"
            tickFormatter={(at: string) => formatTime(at)}
            tickLine={false}
            axisLine={false}
            minTickGap={48}
            tick={{ fontSize: 12, fill: 'var(--muted-foreground)' }}
          />
          <YAxis
            tickFormatter={(value: number) => formatCompact(value)}
            tickLine={false}
            axisLine={false}
            width={48}
            tick={{ fontSize: 12, fill: 'var(--muted-foreground)' }}
          />
          <Tooltip
            labelFormatter={(at) => (typeof at === 'string' ? formatTime(at) : at)}
            formatter={(value) => formatCount(Number(value))}
            contentStyle={{
              background: 'var(--popover)',
              border: '1px solid var(--border)',
              borderRadius: 8,
              color: 'var(--popover-foreground)',
            }}
          />
          <Area
            name="Sent"
            dataKey="sent"
            stroke="var(--seq-3)"
            fill="var(--seq-3)"
            fillOpacity={0.12}
            strokeWidth={1.5}
            isAnimationActive={false}
          />
          <Area
            name="Delivered"
            dataKey="delivered"
            stroke="var(--seq-4)"
            fill="var(--seq-4)"
            fillOpacity={0.18}
            strokeWidth={2}
            isAnimationActive={false}
          />
          <Area
            name="Failed"
            dataKey="failed"
            stroke="var(--destructive)"
            fill="var(--destructive)"
            fillOpacity={0.12}
            strokeWidth={1.5}
            isAnimationActive={false}
          />
        </AreaChart>
      </ResponsiveContainer>
    </div>
  )
}

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
