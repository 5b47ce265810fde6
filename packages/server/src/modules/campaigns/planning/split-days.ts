import { addSendingTime, nextOpen, type Hours } from '../checks/send-window.ts'

/** A part of a campaign: recipients [lo, hi), when it may start, and when its last message will have been sent. */
export type SendingDay = { lo: number; hi: number; beginsAt: Date; endsAt: Date }

/** How many people may be messaged first in any 24 hours, and how many of them are left now. */
export type DailyLimit = { limit: number; left: number }

export type SplitPlan = {
  people: number
  ratePerSecond: number
  window: Hours | undefined
  beginsAt: Date
}

/** Maximum number of parts; beyond that, the audience is too large for its sender. */
export const mostDays = 30

const dayMs = 24 * 3_600_000

/**
 * Splits recipients into parts that keep a sender's daily limit in every 24 hours; empty if all can be sent at once. Each part
 * begins a day after the previous one, or later if closed hours delayed that one: a message is never sent within a day of the
 * one that is as many positions earlier as the limit. After the maximum number of parts, the rest is one part that is too
 * large.
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

/** When a campaign starts and ends: its own times, or those of its first and last part. */
export function spanOf(days: readonly SendingDay[], atOnce: { beginsAt: Date; endsAt: Date }) {
  return { beginsAt: days[0]?.beginsAt ?? atOnce.beginsAt, endsAt: days.at(-1)?.endsAt ?? atOnce.endsAt }
}
