/** The instant of a date and time of day, `2025-11-03T09:00`, in a time zone. */
export function instantIn(local: string, timeZone: string): Date {
  const asUtc = Date.parse(`${local}:00Z`)
  const first = asUtc - offsetOf(asUtc, timeZone)
  // The offset may differ at the instant itself, on days on which clocks change.
  return new Date(asUtc - offsetOf(first, timeZone))
}

/** The date and time of day of an instant, for a field of the type `datetime-local`. */
export function localIn(at: number, timeZone: string): string {
  return new Date(at + offsetOf(at, timeZone)).toISOString().slice(0, 16)
}

function offsetOf(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(new Date(at))
  return Date.parse(`${parts.replace(' ', 'T')}Z`) - Math.floor(at / 1000) * 1000
}
