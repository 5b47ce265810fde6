import type { SendWindow } from '@carillon/contract/campaign-records'
import { addSendingTime, nextOpen } from '../checks/send-window.ts'

/** A part of a campaign: recipients [lo, hi), from when on it may be sent, and when the last of it will have left. */
export type SendingDay = { lo: number; hi: number; beginsAt: Date; endsAt: Date }

/** How many people may be written to first in any 24 hours, and how many of them still now. */
export type DailyLimit = { limit: number; left: number }

export type SplitPlan = {
  people: number
  ratePerSecond: number
  window: SendWindow | undefined
  beginsAt: Date
}

/** A campaign of more parts than this is no campaign: its audience is too large for its sender. */
export const mostDays = 30

const dayMs = 24 * 3_600_000

/**
 * Cuts the people into parts that keep a sender's daily limit in every 24 hours; none where everybody may go at once. Each
 * part begins a day after the one before, or later by as long as closed hours held that one up: then no message leaves
 * within a day of the one that stands as many places before it as the limit. Beyond the most days the rest stands in one
 * part that is too large.
 */
export function splitOverDays(
  daily: DailyLimit | undefined,
  { people, ratePerSecond, window, beginsAt }: SplitPlan,
): SendingDay[] {
  if (!daily || daily.limit < 1 || people <= daily.left) return []
  const days: SendingDay[] = []
  let at = nextOpen(window, daily.left > 0 ? beginsAt : new Date(beginsAt.getTime() + dayMs))
  for (let lo = 0; lo < people; lo = days.at(-1)?.hi ?? people) {
    const size = days.length > 0 || daily.left <= 0 ? daily.limit : daily.left
    const hi = days.length === mostDays ? people : Math.min(people, lo + size)
    const seconds = (hi - lo) / ratePerSecond
    const endsAt = addSendingTime(window, at, seconds)
    days.push({ lo, hi, beginsAt: at, endsAt })
    at = nextOpen(window, new Date(Math.max(at.getTime(), endsAt.getTime() - seconds * 1000) + dayMs))
  }
  return days
}

/** From when until when a campaign sends: at once, or with its first and last part. */
export function spanOf(days: readonly SendingDay[], atOnce: { beginsAt: Date; endsAt: Date }) {
  return { beginsAt: days[0]?.beginsAt ?? atOnce.beginsAt, endsAt: days.at(-1)?.endsAt ?? atOnce.endsAt }
}
