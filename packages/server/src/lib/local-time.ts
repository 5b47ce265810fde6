/** Formats an instant in a time zone as `2026-01-05 14:03`, which spreadsheets read as a time; optionally with seconds. */
export function createLocalTime(timeZone: string, { seconds = false } = {}): (at: Date | null | undefined) => string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: seconds ? 'medium' : 'short',
  })
  return (at) => (at ? format.format(at) : '')
}

/** The date in a time zone: `2026-01-05`. */
export function localDay(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone }).format(at)
}
