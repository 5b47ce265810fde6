const heading = new Intl.DateTimeFormat('en-IN', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })

/** Of a day of the calendar: Mon, 23 Nov. */
export function dayHeading(day: string): string {
  return heading.format(new Date(`${day}T12:00:00Z`))
}

const short = new Intl.DateTimeFormat('en-IN', { weekday: 'short', day: 'numeric', timeZone: 'UTC' })

/** Of a day in a week whose month is named beside it: Mon 23. */
export function shortDay(day: string): string {
  const parts = short.formatToParts(new Date(`${day}T12:00:00Z`))
  const part = (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? ''
  return `${part('weekday')} ${part('day')}`
}
