/** `2026-01-05 14:03` of a zone's clock, which spreadsheets read as a time; with seconds where they are asked for. */
export function createLocalTime(timeZone: string, { seconds = false } = {}): (at: Date | null | undefined) => string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: seconds ? 'medium' : 'short',
  })
  return (at) => (at ? format.format(at) : '')
}

/** `2026-01-05`: the day it is then in a zone. */
export function localDay(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone }).format(at)
}
