import { SendWindow } from '@carillon/contract/campaign-records'
import { z } from 'zod'
import { listZones } from '../../../lib/country-zones.ts'

/** Hours as a leg stores them. With several time zones, they are open only while they are in all of them. */
export const Hours = SendWindow.omit({ useRecipientTimezone: true }).extend({
  timezones: z.array(z.string()).min(1).optional(),
})
export type Hours = z.infer<typeof Hours>

function zonesOf({ timezone, timezones = [timezone] }: Hours): readonly string[] {
  return timezones
}

/** Name of the time zone in texts; other zones are shown by their own name. */
const home = 'Asia/Kolkata'
const minuteMs = 60_000
const dayMinutes = 1440
const longestWalk = 20_000
/** A clock change moves hours by no more than one of these days. */
const mostDays = 8

/** The hours for recipients of a country. */
export function hoursIn(country: string, { useRecipientTimezone, ...hours }: SendWindow): Hours {
  const timezones = useRecipientTimezone ? [...listZones(country)] : []
  const [timezone] = timezones
  if (timezone === undefined) return hours
  return timezones.length === 1 ? { ...hours, timezone } : { ...hours, timezone, timezones }
}

/** The hours in which a campaign sends: its own, else those that operators prescribe for it, else any. */
export function windowFor(
  operatorHours: SendWindow | undefined,
  chosen: SendWindow | undefined,
): SendWindow | undefined {
  return chosen ?? operatorHours
}

/** Hours as text: 10:00 am and 9:00 pm, India time. */
export function formatHours({ start, end, timezone, useRecipientTimezone }: SendWindow): string {
  const times = `${twelveHours(start)} and ${twelveHours(end)}`
  if (useRecipientTimezone) return `${times}, local time of the recipient’s country`
  const zone = timezone === home ? 'India time' : `time of ${timezone.replaceAll('_', ' ')}`
  return `${times}, ${zone}`
}

/** Whether a chosen window is within the hours that operators allow. */
export function isWithinHours({ start, end, timezone }: SendWindow, allowed: SendWindow): boolean {
  return timezone === allowed.timezone && start >= allowed.start && end <= allowed.end && start < end
}

/** The first instant from `at` at which messages may be sent; `at` itself if the hours are never open. */
export function nextOpen(window: Hours | undefined, at: Date): Date {
  return (window && findOpen(window, at)) ?? at
}

/** Whether the hours are open at some time of the next days: those of several time zones may have none in common. */
export function isEverOpen(window: Hours, at: Date): boolean {
  return findOpen(window, at) !== undefined
}

function findOpen(window: Hours, from: Date): Date | undefined {
  const latest = from.getTime() + mostDays * dayMinutes * minuteMs
  for (let at = from; at.getTime() < latest;) {
    const closed = zonesOf(window).filter((zone) => !isOpenIn(zone, window, at))
    if (closed.length === 0) return at
    const waits = closed.map((zone) => msUntil(at, minutesOf(window.start), zone))
    at = new Date(at.getTime() + Math.max(...waits))
  }
  return undefined
}

/** When sending ends that starts at `begin`, takes this long and stops outside its hours. */
export function addSendingTime(window: Hours | undefined, begin: Date, seconds: number): Date {
  let at = nextOpen(window, begin)
  if (!window || window.start === window.end || !isEverOpen(window, begin))
    return new Date(at.getTime() + seconds * 1000)
  let leftMs = seconds * 1000
  for (let walked = 0; walked < longestWalk; walked += 1) {
    const closing = at
    const openMs = Math.min(...zonesOf(window).map((zone) => msUntil(closing, minutesOf(window.end), zone)))
    if (leftMs <= openMs) return new Date(at.getTime() + leftMs)
    leftMs -= openMs
    at = nextOpen(window, new Date(at.getTime() + openMs))
  }
  return at
}

/** A window whose end is not after its start spans midnight; equal start and end mean always open. */
export function isOpen(window: Hours, at: Date): boolean {
  return zonesOf(window).every((zone) => isOpenIn(zone, window, at))
}

function isOpenIn(timezone: string, { start, end }: Hours, at: Date): boolean {
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
