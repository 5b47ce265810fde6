import type { ReportDestination, ReportRunStatus, ReportSchedule } from '@carillon/contract/report-schedule-records'
import { CircleCheck, Loader, OctagonX, Send, type LucideIcon } from 'lucide-react'
import { countOf } from '../../lib/format.ts'
import type { Tone } from '../../ui/pill.tsx'

export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

type When = Pick<ReportSchedule, 'frequency' | 'weekday' | 'dayOfMonth' | 'time' | 'timezone'>

/** Every Monday at 9:00 am, Asia/Kolkata */
export function whenInWords({ timezone, ...rule }: When): string {
  return `${daysInWords(rule)} at ${timeInWords(rule.time)}, ${timezone.replaceAll('_', ' ')}`
}

function daysInWords({ frequency, weekday, dayOfMonth }: Omit<When, 'timezone' | 'time'>): string {
  if (frequency === 'daily') return 'Every day'
  if (frequency === 'weekly') return `Every ${weekdays[(weekday ?? 1) - 1] ?? ''}`
  return dayOfMonth === 31 ? 'Last day of every month' : `Day ${dayOfMonth ?? 1} of every month`
}

/** 9:00 am */
export function timeInWords(time: string): string {
  const [hours = 0, minutes = '00'] = time.split(':').map((part, place) => (place === 0 ? Number(part) : part))
  const hour = Number(hours)
  return `${hour % 12 || 12}:${minutes} ${hour < 12 ? 'am' : 'pm'}`
}

export const destinationLabels: Record<ReportDestination['type'], string> = {
  email: 'Email',
  webhook: 'Webhook',
  s3: 'S3 bucket',
}

export function destinationInWords(destination: ReportDestination): string {
  if (destination.type === 'webhook') return new URL(destination.url).host
  if (destination.type === 's3') return destination.bucket
  const [first = '', ...others] = destination.addresses
  return others.length === 0 ? first : `${first} and ${countOf(others.length, 'other')}`
}

export const runLooks: Record<ReportRunStatus, { label: string; tone: Tone; icon: LucideIcon; spin?: true }> = {
  preparing: { label: 'Preparing…', tone: 'info', icon: Loader, spin: true },
  delivering: { label: 'Delivering…', tone: 'info', icon: Send },
  delivered: { label: 'Delivered', tone: 'good', icon: CircleCheck },
  failed: { label: 'Failed', tone: 'bad', icon: OctagonX },
}
