import type { Channel } from '@carillon/contract/channels'
import { Table2 } from 'lucide-react'
import { useState } from 'react'
import { formatCalendarDay, formatCount } from '../../lib/format.ts'
import type { useApi } from '../../lib/use-api.ts'
import { IconButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { channelLabel } from '../../channels/channel-mark.tsx'
import { channelList, channels } from '../../channels/index.ts'
import { LazyAreaChart } from '../../ui/charts/lazy-area-chart.tsx'
import { daysOf, findingOf, type ChartDay } from './daily.ts'
import { Region } from '../../ui/region.tsx'

type CountsRead = ReturnType<typeof useApi<'dashboard.statusCounts'>>

/** Messages by channel and day; the title states the peak. */
export function MessagesChart({ counts, days }: { counts: CountsRead; days: number }) {
  const [asTable, setAsTable] = useState(false)
  const points = counts.data ? daysOf(counts.data.daily, { days }) : []
  const finding = findingOf(points)
  const title = finding
    ? `Peak: ${formatCount(finding.count)} on ${formatCalendarDay(finding.day)}`
    : 'Messages by channel'

  return (
    <Card
      title={title}
      {...(finding ? { caption: 'Messages by channel, per day' } : {})}
      actions={
        <IconButton
          label={asTable ? 'View as chart' : 'View as table'}
          size="sm"
          aria-pressed={asTable}
          onClick={() => setAsTable(!asTable)}
        >
          <Table2 aria-hidden />
        </IconButton>
      }
    >
      <div className="min-h-60 px-4 pb-3">
        <Region read={counts} label="messages by channel" lines={6}>
          {() => (asTable ? <DayTable points={points} /> : <Chart points={points} title={title} />)}
        </Region>
      </div>
    </Card>
  )
}

function Chart({ points, title }: { points: readonly ChartDay[]; title: string }) {
  const series = channelsOf(points).map((channel) => ({
    id: channel,
    label: channelLabel(channel),
    color: channels[channel].mark.color,
    ...channels[channel].mark.line,
    values: points.map(({ byChannel }) => byChannel.get(channel) ?? 0),
  }))
  if (series.length === 0)
    return <p className="grid min-h-55 place-items-center text-muted-foreground">No messages in this range yet</p>
  return (
    <LazyAreaChart
      summary={`${title}, over ${points.length} days`}
      points={points.map(({ day }) => formatCalendarDay(day))}
      series={series}
      partial="today so far"
    />
  )
}

function DayTable({ points }: { points: readonly ChartDay[] }) {
  const used = channelsOf(points)
  return (
    <div className="max-h-60 overflow-y-auto">
      <table className="w-full text-dense tabular-nums">
        <thead className="text-left text-caption text-muted-foreground">
          <tr>
            <th className="h-8 font-medium">Day</th>
            {used.map((channel) => (
              <th key={channel} className="text-right font-medium">
                {channelLabel(channel)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {points.map(({ day, byChannel }) => (
            <tr key={day} className="border-t border-line">
              <th scope="row" className="h-8 text-left font-normal">
                {formatCalendarDay(day)}
              </th>
              {used.map((channel) => (
                <td key={channel} className="text-right">
                  {formatCount(byChannel.get(channel) ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function channelsOf(points: readonly ChartDay[]): Channel[] {
  const order = channelList.map(({ channel }) => channel)
  return order.filter((channel) => points.some(({ byChannel }) => (byChannel.get(channel) ?? 0) > 0))
}
