import type { CampaignDetail } from '@carillon/contract/campaigns'
import clsx from 'clsx'
import { formatDay, formatTime } from '../../../lib/format.ts'

/** Labels of recorded events. */
const eventLabels: Record<string, string> = {
  created: 'Created',
  test_sent: 'Test sent',
  validation_requested: 'Validation started',
  validated: 'Validated',
  validation_failed: 'Validation found errors',
  scheduled: 'Scheduled',
  rescheduled: 'Rescheduled',
  unscheduled: 'Unscheduled',
  taken_back: 'Moved back to draft for editing',
  reopened: 'Edited',
  started: 'Started',
  running: 'Sending began',
  paused: 'Paused',
  resumed: 'Resumed',
  winner_needed: 'A/B test over, waiting for a choice',
  winner_chosen: 'Winner of the A/B test chosen',
  completed: 'Completed',
  cancelled: 'Cancelled',
  discarded: 'Discarded',
}

/** Automatic events, without an actor. */
const byServer = new Set([
  'validation_requested',
  'validated',
  'validation_failed',
  'running',
  'winner_needed',
  'completed',
])

type CampaignTimelineProps = {
  timeline: CampaignDetail['timeline']
  /** Expected end of sending; absent if unknown. */
  endsAt?: Date | undefined
}

/** The campaign's events, the latest last; then expected ones. */
export function CampaignTimeline({ timeline, endsAt }: CampaignTimelineProps) {
  const days = [...timeline.map(({ at }) => at), ...(endsAt ? [endsAt] : [])].map((at) => formatDay(at))
  // Shows the day only where it changes; not at all if everything happened today.
  const dayAt = (index: number) => {
    const before = index === 0 ? formatDay(new Date()) : days[index - 1]
    return days[index] === before ? undefined : days[index]
  }
  return (
    <ol className="flex flex-col">
      {timeline.map((entry, index) => (
        <Entry
          key={`${entry.at}-${entry.event}-${index}`}
          day={dayAt(index)}
          title={titleOf(entry)}
          detail={entry.detail}
          at={entry.at}
        />
      ))}
      {endsAt ? (
        <Entry day={dayAt(timeline.length)} title="Done" detail={undefined} at={endsAt.toISOString()} isExpected />
      ) : null}
    </ol>
  )
}

function titleOf({ event, by }: CampaignDetail['timeline'][number]): string {
  const words = eventLabels[event] ?? event
  return by && !byServer.has(event) ? `${words} by ${by}` : words
}

type EntryProps = {
  day: string | undefined
  title: string
  detail: string | undefined
  at: string
  isExpected?: boolean
}

function Entry({ day, title, detail, at, isExpected = false }: EntryProps) {
  return (
    <li
      className={clsx(
        'group relative grid grid-cols-[1rem_minmax(0,1fr)_auto] gap-x-2 pb-3 text-dense last:pb-0',
        isExpected && 'text-muted-foreground',
      )}
    >
      <span
        aria-hidden
        className={clsx(
          'relative mt-1.25 ml-1 size-2 rounded-full after:absolute after:top-3 after:left-[3.5px] after:h-[calc(100%+1rem)] after:w-px after:bg-border group-last:after:hidden',
          isExpected ? 'inset-ring-[1.5px] inset-ring-input' : 'bg-brand',
        )}
      />
      <span className="min-w-0">
        <span className="block break-words">{title}</span>
        {detail ? <span className="block text-caption text-muted-foreground">{detail}</span> : null}
      </span>
      <time
        dateTime={at}
        className="text-right text-caption leading-4.5 whitespace-nowrap text-muted-foreground tabular-nums"
      >
        {isExpected ? <span className="sr-only">expected about </span> : null}
        {isExpected ? <span aria-hidden>≈ </span> : null}
        {day ? `${day}, ` : ''}
        {formatTime(at)}
      </time>
    </li>
  )
}
