import type { ReportChannel, ReportFile, ReportFormat, ReportType } from '@carillon/contract/report-file-records'
import type { ReportDestination, ReportFrequency, ReportSchedule } from '@carillon/contract/report-schedule-records'
import { nextRuns } from '@carillon/contract/run-times'
import type { CallInput } from '../../lib/call.ts'
import { daysBetween } from '../../lib/days.ts'
import { accountZone } from '../../lib/format.ts'
import { limitsOf } from './report-draft.ts'
import { titleOf } from './report-labels.ts'

export type ScheduleDraft = {
  /** Of a schedule that is changed. */
  id: string | undefined
  name: string
  type: ReportType
  channel: ReportChannel
  campaign: { _id: string; name: string } | undefined
  format: ReportFormat
  frequency: ReportFrequency
  weekday: number
  dayOfMonth: number
  time: string
  timezone: string
  destination: ReportDestination['type']
  /** Separated by commas or lines. */
  addresses: string
  url: string
  endpoint: string
  region: string
  bucket: string
  prefix: string
  accessKeyId: string
  secretAccessKey: string
}

export function firstSchedule(email: string): ScheduleDraft {
  return {
    id: undefined,
    name: '',
    type: 'campaign_summary',
    channel: 'all',
    campaign: undefined,
    format: 'xlsx',
    frequency: 'weekly',
    weekday: 1,
    dayOfMonth: 1,
    time: '09:00',
    timezone: accountZone(),
    destination: 'email',
    addresses: email,
    url: '',
    endpoint: '',
    region: '',
    bucket: '',
    prefix: '',
    accessKeyId: '',
    secretAccessKey: '',
  }
}

/** A schedule that repeats a report. */
export function scheduleLike(report: ReportFile, email = ''): ScheduleDraft {
  const { type, channel, campaign, format } = report
  return {
    ...firstSchedule(email),
    name: titleOf(report).slice(0, 80),
    type,
    channel,
    campaign: campaign ?? undefined,
    format,
    frequency: frequencyLike(report),
  }
}

const fewestDaysOfMonth = 28

function frequencyLike({ from, to }: Pick<ReportFile, 'from' | 'to'>): ReportFrequency {
  if (from === to) return 'daily'
  return daysBetween({ from, to }).length < fewestDaysOfMonth ? 'weekly' : 'monthly'
}

/** The draft that changes a schedule. */
export function draftOf(schedule: ReportSchedule): ScheduleDraft {
  const { scheduleId, name, type, channel, campaign, format, frequency, time, timezone, destination } = schedule
  return {
    ...firstSchedule(''),
    id: scheduleId,
    name,
    type,
    channel,
    campaign: campaign ?? undefined,
    format,
    frequency,
    weekday: schedule.weekday ?? 1,
    dayOfMonth: schedule.dayOfMonth ?? 1,
    time,
    timezone,
    ...placesOf(destination),
  }
}

function placesOf(destination: ReportDestination): Partial<ScheduleDraft> & Pick<ScheduleDraft, 'destination'> {
  const { type } = destination
  if (type === 'email') return { destination: type, addresses: destination.addresses.join(', ') }
  if (type === 'webhook') return { destination: type, url: destination.url }
  const { endpoint, region, bucket, prefix, accessKeyId } = destination
  return { destination: type, endpoint, region, bucket, prefix, accessKeyId }
}

export function inputOf(draft: ScheduleDraft) {
  const { name, type, format, frequency, time, timezone } = draft
  return {
    name,
    type,
    ...limitsOf(type, draft),
    format,
    frequency,
    weekday: frequency === 'weekly' ? draft.weekday : null,
    dayOfMonth: frequency === 'monthly' ? draft.dayOfMonth : null,
    time,
    timezone,
    destination: destinationInput(draft),
  } satisfies CallInput<'reportSchedules.create'>['body']
}

function destinationInput(draft: ScheduleDraft): CallInput<'reportSchedules.create'>['body']['destination'] {
  const { destination: type, url, endpoint, region, bucket, prefix, accessKeyId, secretAccessKey } = draft
  if (type === 'email') return { type, addresses: draft.addresses.split(/[\s,;]+/).filter((address) => address !== '') }
  if (type === 'webhook') return { type, url }
  return {
    type,
    endpoint,
    region,
    bucket,
    prefix,
    accessKeyId,
    ...(secretAccessKey === '' ? {} : { secretAccessKey }),
  }
}

/** The next runs of a draft; none while its time is empty. */
export function runsOfDraft(draft: ScheduleDraft, now: Date): readonly Date[] {
  if (!/^\d\d:\d\d$/.test(draft.time)) return []
  const { frequency, weekday, dayOfMonth, time, timezone } = draft
  return nextRuns({ frequency, weekday, dayOfMonth, time, timezone }, now, 3)
}
