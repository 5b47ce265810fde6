/** When a schedule runs, in local time. */
export type RunRule = {
  frequency: 'daily' | 'weekly' | 'monthly'
  /** 1 is Monday. Of a weekly rule. */
  weekday: number | null
  /** In shorter months, the last day. Of a monthly rule. */
  dayOfMonth: number | null
  /** `09:30` */
  time: string
  timezone: string
}

const dayMs = 86_400_000
const minuteMs = 60_000
/** Between two run days of a monthly rule. */
const longestDays = 31

/** The next runs after an instant. */
export function nextRuns(rule: RunRule, after: Date, count: number): Date[] {
  const runs: Date[] = []
  // The local day before: a skipped hour may move a run to the next day.
  for (let day = localDayOf(after, rule.timezone) - dayMs; runs.length < count; day += dayMs) {
    const at = isRunDay(rule, day) ? instantOf(day, rule) : undefined
    if (at !== undefined && at > after.getTime()) runs.push(new Date(at))
  }
  return runs
}

export function nextRun(rule: RunRule, after: Date): Date {
  const [next] = nextRuns(rule, after, 1)
  if (!next) throw new Error('A rule has a next run')
  return next
}

/** The last run at an instant or before it. */
export function lastRun(rule: RunRule, until: Date): Date {
  const first = localDayOf(until, rule.timezone)
  for (let day = first; day >= first - (longestDays + 2) * dayMs; day -= dayMs) {
    const at = isRunDay(rule, day) ? instantOf(day, rule) : undefined
    if (at !== undefined && at <= until.getTime()) return new Date(at)
  }
  throw new Error('A rule has an earlier run')
}

/** Days are instants at midnight UTC. */
function isRunDay({ frequency, weekday, dayOfMonth }: RunRule, day: number): boolean {
  if (frequency === 'daily') return true
  const date = new Date(day)
  if (frequency === 'weekly') return (date.getUTCDay() || 7) === weekday
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  return date.getUTCDate() === Math.min(dayOfMonth ?? 1, lastDay)
}

/**
 * The instant of a local time. If daylight saving skips it, the first instant after the gap; if it occurs twice, the first
 * of them.
 */
function instantOf(day: number, { time, timezone }: RunRule): number {
  const wanted = day + minutesOf(time) * minuteMs
  const around = [wanted - dayMs, wanted + dayMs].map((at) => wanted - offsetAt(at, timezone))
  const exact = around.filter((at) => localTimeOf(at, timezone) === wanted)
  if (exact.length > 0) return Math.min(...exact)
  let [before, after] = [Math.min(...around), Math.max(...around)]
  while (after - before > minuteMs) {
    const middle = before + Math.floor((after - before) / 2 / minuteMs) * minuteMs
    if (localTimeOf(middle, timezone) < wanted) before = middle
    else after = middle
  }
  return after
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

function localDayOf(at: Date, timezone: string): number {
  const local = localTimeOf(at.getTime(), timezone)
  return local - (((local % dayMs) + dayMs) % dayMs)
}

function offsetAt(at: number, timezone: string): number {
  return localTimeOf(at, timezone) - Math.floor(at / minuteMs) * minuteMs
}

/** The local time to the minute, as if it were UTC. */
function localTimeOf(at: number, timezone: string): number {
  const parts = new Map(
    formatOf(timezone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'))
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    })
    formats.set(timeZone, format)
  }
  return format
}
