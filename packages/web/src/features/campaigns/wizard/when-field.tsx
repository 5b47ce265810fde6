import type { CampaignDraft } from '@carillon/contract/draft-legs'
import type { Estimate } from '@carillon/contract/campaign-drafts'
import { useState } from 'react'
import { formatDay, formatDuration, formatScheduleDay, formatTime } from '../../../lib/format.ts'
import { RadioGroup } from '../../../ui/radio.tsx'
import { TimeFields } from './time-fields.tsx'
import { nextAt } from './zoned-time.ts'

type Schedule = CampaignDraft['schedule']

type Times = Pick<Estimate, 'beginsAt' | 'endsAt' | 'durationSeconds'>

type WhenFieldProps = { schedule: Schedule; estimate: Times | undefined; onSchedule: (schedule: Schedule) => void }

/** Now or later, with time zone and estimated duration. */
export function WhenField({ schedule, estimate, onSchedule }: WhenFieldProps) {
  const { startAt, timezone } = schedule
  const [opened] = useState(() => new Date())
  const isLater = startAt !== undefined
  const suggested = nextAt('10:00', timezone, opened)
  const isPast = isLater && Date.parse(startAt) < opened.getTime()

  return (
    <section aria-labelledby="when-title">
      <h2 id="when-title" className="mb-1 min-h-8 text-section font-semibold">
        When
      </h2>
      <RadioGroup
        label="When"
        value={isLater ? 'later' : 'now'}
        onValueChange={(value) =>
          onSchedule(value === 'now' || !suggested ? { timezone } : { timezone, startAt: suggested })
        }
        choices={[
          {
            value: 'now',
            label: 'Now',
            help: isLater ? 'Immediately' : howLong(estimate, timezone, opened),
          },
          {
            value: 'later',
            label: 'Later',
            help: isLater
              ? formatScheduleDay(startAt, timezone)
              : suggested
                ? `For example ${formatScheduleDay(suggested, timezone)}`
                : '',
          },
        ]}
      />
      {isLater ? (
        <div className="mt-2 grid gap-3 pl-6.5">
          <TimeFields
            startAt={startAt}
            timezone={timezone}
            opened={opened}
            error={isPast ? 'This time has passed' : undefined}
            onSchedule={onSchedule}
          />
        </div>
      ) : null}
    </section>
  )
}

function howLong(estimate: Times | undefined, timezone: string, now: Date): string {
  if (!estimate) return 'Immediately'
  const waits = Date.parse(estimate.beginsAt) - now.getTime() > 60_000
  if (waits) return `Begins ${formatScheduleDay(estimate.beginsAt, timezone)}`
  const isToday = formatDay(estimate.endsAt, timezone) === formatDay(now, timezone)
  if (!isToday) return `Immediately, ends ${formatScheduleDay(estimate.endsAt, timezone)}`
  return `About ${formatDuration(Math.max(1, estimate.durationSeconds))}, ends ${formatTime(estimate.endsAt, timezone)}`
}
