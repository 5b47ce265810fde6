import { formatDay } from '../../lib/format.ts'

/** '9 m', '23 h', '3 d', then the date. */
export function formatAge(at: string, now: number): string {
  const minutes = Math.floor((now - Date.parse(at)) / 60_000)
  if (minutes < 1) return 'now'
  if (minutes < 60) return `${minutes} m`
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h`
  if (minutes < 7 * 24 * 60) return `${Math.floor(minutes / (24 * 60))} d`
  return formatDay(at)
}
