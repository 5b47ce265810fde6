import type { CommonDraft, DraftHandle } from './use-draft.ts'
import { tomorrowAt } from './zoned-time.ts'

/** The campaign waits until the morning, when the hours of every rule are open. */
export function startTomorrow({ draft, change }: DraftHandle<CommonDraft>) {
  const { timezone } = draft.schedule
  const startAt = tomorrowAt('10:00', timezone)
  if (startAt) change({ schedule: { timezone, startAt } })
}
