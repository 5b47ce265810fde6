import type { SendWindow } from '@carillon/contract/campaign-records'

/** Name of the time zone in texts; other zones are shown by their own name. */
const home = 'Asia/Kolkata'
const minuteMs = 60_000
const dayMinutes = 1440
const longestWalk = 20_000

/** The hours in which a campaign sends: its own, else those that operators prescribe for it, else any. */
export function windowFor(
  operatorHours: SendWindow | undefined,
  chosen: SendWindow | undefined,
): SendWindow | undefined {
  return chosen ?? operatorHours
}

/** Hours as text: 10:00 am and 9:00 pm, India time. */
export function formatHours({ start, end, timezone }: SendWindow): string {
  const zone = timezone === home ? 'India time' : `time of ${timezone.replaceAll('_', ' ')}`
  return `${twelveHours(start)} and ${twelveHours(end)}, ${zone}`
}

/** Whether a chosen window is within the hours that operators allow. */
export function isWithinHours({ start, end, timezone }: SendWindow, allowed: SendWindow): boolean {
  return timezone === allowed.timezone && start >= allowed.start && end <= allowed.end && start < end
}

/** The first instant from `at` at which messages may be sent. */
export function nextOpen(window: SendWindow | undefined, at: Date): Date {
  if (!window) return at
  const waitMs = msUntil(at, minutesOf(window.start), window.timezone)
  return isOpen(window, at) ? at : new Date(at.getTime() + waitMs)
}

/** When sending ends that starts at `begin`, takes this long and stops outside its hours. */
export function addSendingTime(window: SendWindow | undefined, begin: Date, seconds: number): Date {
  let at = nextOpen(window, begin)
  if (!window || window.start === window.end) return new Date(at.getTime() + seconds * 1000)
  let leftMs = seconds * 1000
  for (let walked = 0; walked < longestWalk; walked += 1) {
    const openMs = msUntil(at, minutesOf(window.end), window.timezone)
    if (leftMs <= openMs) return new Date(at.getTime() + leftMs)
    leftMs -= openMs
    at = nextOpen(window, new Date(at.getTime() + openMs))
  }
  return at
}

/** A window whose end is not after its start spans midnight; equal start and end mean always open. */
export function isOpen({ start, end, timezone }: SendWindow, at: Date): boolean {
  const minutes = localMs(at, timezone) / minuteMs
  const from = minutesOf(start)
  const to = minutesOf(end)
  if (from === to) return true
  return from < to ? minutes >= from && minutes < to : minutes >= from || minutes < to
}

function msUntil(at: Date, minutes: number, timezone: string): number {
  const wait = minutes * minuteMs - localMs(at, timezone)
  return wait > 0 ? wait : wait + dayMinutes * minuteMs
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Milliseconds since local midnight. */
function localMs(at: Date, timezone: string): number {
  let format = formats.get(timezone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone: timezone,
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    })
    formats.set(timezone, format)
  }
  const [hours = 0, minutes = 0, seconds = 0] = format.format(at).split(':').map(Number)
  return ((hours * 60 + minutes) * 60 + seconds) * 1000 + at.getMilliseconds()
}

function twelveHours(time: string): string {
  const [hour = '0', minute = '00'] = time.split(':')
  return `${Number(hour) % 12 || 12}:${minute} ${Number(hour) % 24 < 12 ? 'am' : 'pm'}`
}
