const heading = new Intl.DateTimeFormat('en-IN', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })

/** Of a day of the calendar: Mon, 23 Nov. */
export function dayHeading(day: string): string {
  return heading.format(new Date(`${day}T12:00:00Z`))
}
