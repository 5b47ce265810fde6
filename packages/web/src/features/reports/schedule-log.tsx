import { reportTypes } from '@carillon/contract/report-file-records'
import type { DeliveredRun, ReportDelivery, ReportSchedule } from '@carillon/contract/report-schedule-records'
import { Play } from 'lucide-react'
import { formatCalendarDays, formatDateTime, formatScheduleDay } from '../../lib/format.ts'
import { reportsLink } from '../../lib/links.ts'
import { writeView } from '../../lib/url-state.ts'
import { useApi } from '../../lib/use-api.ts'
import { AreaLink } from '../../ui/area-link.tsx'
import { Button } from '../../ui/button.tsx'
import { Facts, type Fact } from '../../ui/facts.tsx'
import { linkClass } from '../../ui/link-class.ts'
import { Notice } from '../../ui/notice.tsx'
import { Region } from '../../ui/region.tsx'
import { formatLabels } from './report-labels.ts'
import type { ScheduleActions } from './schedule-actions.ts'
import { RunPill } from './schedule-columns.tsx'
import { destinationInWords, destinationLabels, whenInWords } from './schedule-labels.ts'

type ScheduleLogProps = { schedule: ReportSchedule; actions: ScheduleActions }

const shownRuns = 20

/** A schedule, and what became of its runs. */
export function ScheduleLog({ schedule, actions }: ScheduleLogProps) {
  const { scheduleId: id, isPaused, pausedReason } = schedule
  const read = useApi(
    'reportSchedules.deliveries',
    { path: { id }, query: { page: 1, limit: shownRuns } },
    { refetchInterval: (data) => (data?.runs.some(isUnfinished) ? 2000 : 30_000) },
  )
  return (
    <div className="flex flex-col gap-6 px-5 py-4">
      {isPaused ? (
        <Notice
          tone={pausedReason === null ? 'info' : 'bad'}
          actions={
            <Button size="tool" className="text-foreground" onClick={() => actions.pause(schedule)}>
              Resume
            </Button>
          }
        >
          {pausedReason === null ? 'This schedule is paused.' : `Paused: ${pausedReason}`}
        </Notice>
      ) : null}
      <Facts facts={factsOf(schedule)} />
      <section aria-label="Delivery log" className="flex flex-col gap-3">
        <div className="flex items-center justify-between gap-3">
          <h3 className="font-semibold">Delivery log</h3>
          <Button size="tool" onClick={() => actions.run(schedule)}>
            <Play aria-hidden /> Run now
          </Button>
        </div>
        <Region read={read} label="the delivery log" lines={6}>
          {({ runs }) =>
            runs.length === 0 ? (
              <p className="text-muted-foreground">This schedule has not run yet.</p>
            ) : (
              <ol className="flex flex-col gap-3">
                {runs.map((run) => (
                  <Run key={run.runId} run={run} onSendAgain={() => actions.sendAgain(schedule, run.runId)} />
                ))}
              </ol>
            )
          }
        </Region>
      </section>
    </div>
  )
}

function isUnfinished({ status }: DeliveredRun): boolean {
  return status === 'preparing' || status === 'delivering'
}

function factsOf(schedule: ReportSchedule): Fact[] {
  const { type, format, campaign, destination, nextRunAt, timezone, owner } = schedule
  return [
    ['Report', `${reportTypes[type].title}, ${formatLabels[format]}`],
    ['Campaign', campaign?.name ?? 'All campaigns'],
    ['When', whenInWords(schedule)],
    ...(nextRunAt === null ? [] : [['Next run', formatScheduleDay(nextRunAt, timezone)] as const]),
    [destinationLabels[destination.type], destinationInWords(destination)],
    ['Owner', owner.name],
  ]
}

type RunProps = { run: DeliveredRun; onSendAgain: () => void }

function Run({ run, onSendAgain }: RunProps) {
  const { status, error, isManual, createdAt, reportId, deliveries } = run
  const mayRepeat = deliveries.some((delivery) => delivery.status === 'failed')
  return (
    <li className="flex flex-col gap-2 rounded-lg border border-border p-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <RunPill status={status} />
        <span className="font-medium">{formatCalendarDays(run)}</span>
        <span className="text-dense text-muted-foreground">
          {formatDateTime(createdAt)}
          {isManual ? ' · on request' : ''}
        </span>
        <span className="ml-auto flex gap-2">
          {mayRepeat ? (
            <Button size="tool" onClick={onSendAgain}>
              Send again
            </Button>
          ) : null}
          {reportId === null ? null : (
            <AreaLink to="reports" search={writeView(reportsLink, { openId: reportId })} className={linkClass}>
              Report
            </AreaLink>
          )}
        </span>
      </div>
      {error === null ? null : <p className="text-dense text-danger-text">{error}</p>}
      {deliveries.length === 0 ? null : (
        <ul className="flex flex-col gap-1.5 border-t border-line pt-2">
          {deliveries.map((delivery) => (
            <Delivery key={delivery.target} delivery={delivery} />
          ))}
        </ul>
      )}
    </li>
  )
}

function Delivery({ delivery: { target, status, attempts, nextAttemptAt } }: { delivery: ReportDelivery }) {
  return (
    <li className="text-dense">
      <span className="font-medium break-words">{target}</span>
      {attempts.length === 0 ? <span className="text-muted-foreground"> · waiting</span> : null}
      <ol className="text-muted-foreground">
        {attempts.map(({ at, error, response }) => (
          <li key={at} className="break-words tabular-nums">
            {formatDateTime(at)} · {[error ?? 'Delivered', response].filter((part) => part !== null).join(' · ')}
          </li>
        ))}
      </ol>
      {status === 'waiting' && nextAttemptAt !== null ? (
        <p className="text-muted-foreground">Next attempt {formatDateTime(nextAttemptAt)}</p>
      ) : null}
    </li>
  )
}
