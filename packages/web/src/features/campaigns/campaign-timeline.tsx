import type { CampaignDetail } from '@carillon/contract/campaigns'
import { formatDateTime } from '../../lib/format.ts'

/** What the server records, as a person says it. */
const eventWords: Record<string, string> = {
  created: 'Created',
  validation_requested: 'Check of every row began',
  validated: 'Every row checked',
  validation_failed: 'The check found a reason not to send',
  scheduled: 'Scheduled',
  unscheduled: 'Taken off the schedule',
  started: 'Started',
  running: 'First messages handed over',
  paused: 'Paused',
  resumed: 'Resumed',
  completed: 'Completed',
  cancelled: 'Cancelled',
  discarded: 'Discarded',
}

/** What happened to the campaign, the latest last. */
export function CampaignTimeline({ timeline }: { timeline: CampaignDetail['timeline'] }) {
  return (
    <ol className="flex flex-col">
      {timeline.map((entry, index) => (
        <li key={`${entry.at}-${entry.event}-${index}`} className="group relative flex gap-3 pb-4 last:pb-0">
          <span
            aria-hidden
            className="relative mt-1.5 size-2 shrink-0 rounded-full bg-brand after:absolute after:top-3 after:left-[3.5px] after:h-[calc(100%+1.25rem)] after:w-px after:bg-border group-last:after:hidden"
          />
          <div className="min-w-0">
            <p className="font-medium">{eventWords[entry.event] ?? entry.event}</p>
            <p className="text-caption text-muted-foreground">
              <time dateTime={entry.at}>{formatDateTime(entry.at)}</time>
              {entry.by ? ` · ${entry.by}` : ''}
            </p>
            {entry.detail ? <p className="text-dense text-muted-foreground">{entry.detail}</p> : null}
          </div>
        </li>
      ))}
    </ol>
  )
}
