import type { CallData } from '../../lib/call.ts'
import clsx from 'clsx'
import { ChevronLeft, ChevronRight, MessagesSquare, Table2 } from 'lucide-react'
import { useState } from 'react'
import { ChannelMark } from '../../channels/channel-mark.tsx'
import { calendarDay, formatCalendarDay, formatDuration, formatPhone, formatTime } from '../../lib/format.ts'
import { listView } from '../../lib/list-view.ts'
import { writeView } from '../../lib/url-state.ts'
import { useApi } from '../../lib/use-api.ts'
import { AreaLink } from '../../ui/area-link.tsx'
import { availabilities, availabilityLabels } from '../../ui/availability.tsx'
import { IconButton } from '../../ui/button.tsx'
import { linkClass } from '../../ui/link-class.ts'
import { Region } from '../../ui/region.tsx'
import { When } from '../../ui/text.tsx'
import { secondsBy, segmentsOf } from './day-segments.ts'

type Day = CallData<'agents.day'>

const fills = {
  online: 'bg-success',
  busy: 'bg-destructive',
  away: 'bg-warning',
  offline: 'bg-track',
} as const

/** The availability of an agent through a day, and the conversations they hold now. */
export function AgentDay({ id }: { id: string }) {
  const [day, setDay] = useState<string>()
  const read = useApi(
    'agents.day',
    { path: { id }, query: day === undefined ? {} : { day } },
    { keepPrevious: true, refetchInterval: day === undefined ? 30_000 : false },
  )
  return (
    <div className="flex flex-col gap-5 px-5 py-4">
      <Region read={read} label="the day" lines={5}>
        {(data) => (
          <>
            <DayRibbon data={data} isToday={day === undefined} onDay={setDay} />
            <Held conversations={data.conversations} />
          </>
        )}
      </Region>
    </div>
  )
}

type DayRibbonProps = { data: Day; isToday: boolean; onDay: (day: string | undefined) => void }

function DayRibbon({ data, isToday, onDay }: DayRibbonProps) {
  const [asTable, setAsTable] = useState(false)
  const { day, timezone, spans } = data
  const step = (by: number) => {
    const next = new Date(Date.parse(`${day}T12:00:00Z`) + by * 86_400_000).toISOString().slice(0, 10)
    onDay(next >= calendarDay(Date.now(), timezone) ? undefined : next)
  }
  const totals = secondsBy(spans)
  return (
    <section aria-label="Availability" className="flex flex-col gap-3">
      <div className="flex items-center gap-1">
        <h3 className="flex-1 font-medium">{isToday ? 'Today' : formatCalendarDay(day)}</h3>
        <IconButton label="View as table" size="sm" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          <Table2 aria-hidden />
        </IconButton>
        <IconButton label="Previous day" size="sm" onClick={() => step(-1)}>
          <ChevronLeft aria-hidden />
        </IconButton>
        <IconButton label="Next day" size="sm" disabled={isToday} onClick={() => step(1)}>
          <ChevronRight aria-hidden />
        </IconButton>
      </div>
      {asTable ? <SpanTable data={data} /> : <Ribbon data={data} />}
      <dl className="grid grid-cols-2 gap-x-6 gap-y-1 text-dense">
        {availabilities.map((availability) => (
          <div key={availability} className="flex items-center gap-2">
            <span aria-hidden className={clsx('size-2.5 shrink-0 rounded-[3px]', fills[availability])} />
            <dt className="flex-1 text-muted-foreground">{availabilityLabels[availability]}</dt>
            <dd className="tabular-nums">{formatDuration(totals[availability])}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

const hours = [0, 6, 12, 18, 24] as const

function Ribbon({ data }: { data: Day }) {
  const totals = secondsBy(data.spans)
  const summary = availabilities
    .filter((availability) => totals[availability] > 0)
    .map((availability) => `${availabilityLabels[availability].toLowerCase()} ${formatDuration(totals[availability])}`)
    .join(', ')
  return (
    <div>
      <div
        role="img"
        aria-label={summary === '' ? 'No availability recorded' : `Availability: ${summary}`}
        className="relative h-7 overflow-hidden rounded-sm bg-secondary"
      >
        {segmentsOf(data).map(({ from, left, width, availability, label }) => (
          <span
            key={from}
            title={label}
            className={clsx('absolute inset-y-0 border-r border-card', fills[availability])}
            style={{ left: `${left}%`, width: `${width}%` }}
          />
        ))}
      </div>
      <div aria-hidden className="mt-1 flex justify-between text-caption text-muted-foreground tabular-nums">
        {hours.map((hour) => (
          <span key={hour}>{`${String(hour).padStart(2, '0')}:00`}</span>
        ))}
      </div>
    </div>
  )
}

function SpanTable({ data: { spans, timezone } }: { data: Day }) {
  if (spans.length === 0) return <p className="text-muted-foreground">No availability recorded.</p>
  return (
    <div
      className="max-h-60 overflow-y-auto rounded-md border border-border"
      tabIndex={0}
      role="region"
      aria-label="Availability as a table"
    >
      <table className="w-full text-dense tabular-nums">
        <thead>
          <tr className="text-left text-caption text-muted-foreground">
            <th className="h-8 px-3 font-medium">Availability</th>
            <th className="h-8 px-3 font-medium">From</th>
            <th className="h-8 px-3 font-medium">To</th>
            <th className="h-8 px-3 text-right font-medium">Duration</th>
          </tr>
        </thead>
        <tbody>
          {spans.map(({ availability, from, to }) => (
            <tr key={from} className="border-t border-line">
              <th scope="row" className="h-9 px-3 text-left font-normal">
                {availabilityLabels[availability]}
              </th>
              <td className="px-3">{formatTime(from, timezone)}</td>
              <td className="px-3">{formatTime(to, timezone)}</td>
              <td className="px-3 text-right">{formatDuration((Date.parse(to) - Date.parse(from)) / 1000)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Held({ conversations }: Pick<Day, 'conversations'>) {
  return (
    <section aria-label="Open conversations" className="flex flex-col gap-2">
      <h3 className="font-medium">
        Open conversations{' '}
        <span className="font-normal text-muted-foreground tabular-nums">{conversations.length}</span>
      </h3>
      {conversations.length === 0 ? (
        <p className="flex items-center gap-2 text-muted-foreground">
          <MessagesSquare aria-hidden className="size-4" /> Holds no open conversation.
        </p>
      ) : (
        <ul className="divide-y divide-line border-y border-border">
          {conversations.map(({ chatId, name, channel, unread, lastAt }) => (
            <li key={chatId} className="flex min-h-11 items-center gap-2.5">
              <ChannelMark channel={channel} markOnly />
              <AreaLink
                to="chats"
                search={writeView(listView, { openId: chatId })}
                className={clsx(linkClass, 'min-w-0 flex-1 truncate')}
                dir="auto"
              >
                {/^\+\d+$/.test(name) ? formatPhone(name) : name}
              </AreaLink>
              {unread > 0 ? <span className="text-caption text-brand-text tabular-nums">{unread} unread</span> : null}
              <span className="shrink-0 text-dense text-muted-foreground">
                <When at={lastAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
