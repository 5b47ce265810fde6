import { reportTypes } from '@carillon/contract/report-file-records'
import type { ReportSchedule } from '@carillon/contract/report-schedule-records'
import { CirclePause } from 'lucide-react'
import { formatRelative, formatScheduleDay } from '../../lib/format.ts'
import type { Column } from '../../ui/data-screen/columns.ts'
import { Pill } from '../../ui/pill.tsx'
import { Missing } from '../../ui/text.tsx'
import { formatLabels } from './report-labels.ts'
import { destinationInWords, destinationLabels, runLooks, whenInWords } from './schedule-labels.ts'

export const scheduleColumns: readonly Column<ReportSchedule>[] = [
  { id: 'name', header: 'Schedule', cell: (schedule) => <Named schedule={schedule} /> },
  { id: 'when', header: 'When', width: 320, cell: (schedule) => <When schedule={schedule} /> },
  { id: 'destination', header: 'Delivers to', width: 200, cell: (schedule) => <Destination schedule={schedule} /> },
  { id: 'last', header: 'Last result', width: 150, cell: (schedule) => <LastRun schedule={schedule} /> },
]

type ScheduleProps = { schedule: ReportSchedule }

function Named({ schedule: { name, type, format, owner } }: ScheduleProps) {
  const text = `${reportTypes[type].title} · ${formatLabels[format]} · ${owner.name}`
  return (
    <span className="block max-w-64 min-w-0 leading-tight">
      <b className="block truncate font-medium" title={name}>
        {name}
      </b>
      <small className="block truncate text-caption text-muted-foreground" title={text}>
        {text}
      </small>
    </span>
  )
}

function When({ schedule }: ScheduleProps) {
  const text = whenInWords(schedule)
  return (
    <span className="block max-w-80 min-w-0 leading-tight">
      <span className="block truncate" title={text}>
        {text}
      </span>
      <small className="block text-caption text-muted-foreground">
        <NextRun schedule={schedule} />
      </small>
    </span>
  )
}

function Destination({ schedule: { destination } }: ScheduleProps) {
  const text = destinationInWords(destination)
  return (
    <span className="block max-w-48 min-w-0 leading-tight">
      <span className="block truncate" title={text}>
        {text}
      </span>
      <small className="block text-caption text-muted-foreground">{destinationLabels[destination.type]}</small>
    </span>
  )
}

function NextRun({ schedule: { nextRunAt, timezone } }: ScheduleProps) {
  if (nextRunAt === null)
    return (
      <Pill tone="neutral" icon={CirclePause}>
        Paused
      </Pill>
    )
  return <span className="tabular-nums">Next {formatScheduleDay(nextRunAt, timezone)}</span>
}

function LastRun({ schedule: { lastRun } }: ScheduleProps) {
  if (!lastRun) return <Missing why="it has not run yet" />
  return (
    <span className="flex flex-col items-start gap-0.5" title={lastRun.error ?? undefined}>
      <RunPill status={lastRun.status} />
      <small className="text-caption text-muted-foreground">{formatRelative(lastRun.createdAt)}</small>
    </span>
  )
}

export function RunPill({ status }: { status: keyof typeof runLooks }) {
  const { label, tone, icon, spin } = runLooks[status]
  return (
    <Pill tone={tone} icon={icon} {...(spin ? { spin } : {})}>
      {label}
    </Pill>
  )
}

/** A schedule in the list on phones. */
export function ScheduleCard({ schedule }: ScheduleProps) {
  const { name, destination, lastRun } = schedule
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex min-w-0 items-start gap-3">
        <b className="min-w-0 flex-1 font-medium break-words">{name}</b>
        {lastRun ? <RunPill status={lastRun.status} /> : null}
      </div>
      <p className="text-dense break-words text-muted-foreground">
        {whenInWords(schedule)} · {destinationInWords(destination)}
      </p>
      <p className="text-dense">
        <NextRun schedule={schedule} />
      </p>
    </div>
  )
}
