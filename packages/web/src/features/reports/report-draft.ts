import {
  factsOfType,
  maximumReportDays,
  reportTypes,
  type ReportChannel,
  type ReportFile,
  type ReportFormat,
  type ReportType,
} from '@carillon/contract/report-file-records'
import type { CallInput } from '../../lib/call.ts'
import { daysBetween, lastDays } from '../../lib/days.ts'
import { calendarDay, formatCount } from '../../lib/format.ts'
import { formatsOf } from './report-labels.ts'
import type { DayRange } from '../../lib/url-state.ts'

export const presets = ['7 days', '30 days', 'this month', 'last month', 'custom'] as const
type Preset = (typeof presets)[number]

export type ReportDraft = {
  /** Of the two of campaigns, a switch chooses. */
  type: Exclude<ReportType, 'campaign_detailed'>
  preset: Preset
  /** The days of the preset `custom`; empty until chosen. */
  from: string
  to: string
  channel: ReportChannel
  /** Undefined: all campaigns. */
  campaign: { _id: string; name: string } | undefined
  /** One row for each message of campaigns. */
  isDetailed: boolean
  format: ReportFormat
}

export const firstDraft: ReportDraft = {
  type: 'campaign_summary',
  preset: '30 days',
  from: '',
  to: '',
  channel: 'all',
  campaign: undefined,
  isDetailed: false,
  format: 'xlsx',
}

/** The days of a draft; empty texts where none are chosen. */
export function rangeOf({ preset, from, to }: ReportDraft, today = calendarDay(Date.now())): DayRange {
  if (preset === 'custom') return { from, to }
  if (preset === 'this month') return { from: `${today.slice(0, 7)}-01`, to: today }
  if (preset === 'last month') return monthBefore(today)
  return lastDays(preset === '7 days' ? 7 : 30, today)
}

/** The report with the switch for campaigns. */
export function reportTypeOf(draft: ReportDraft): ReportType {
  return isDetailedCampaign(draft) ? 'campaign_detailed' : draft.type
}

export function grainOf(draft: ReportDraft): string {
  return reportTypes[reportTypeOf(draft)].grain
}

export function formatsOfDraft(draft: ReportDraft): readonly ReportFormat[] {
  return formatsOf(reportTypes[reportTypeOf(draft)].detailed)
}

/** Another format, if the report has none of this. */
export function withFormat(draft: ReportDraft): ReportDraft {
  return formatsOfDraft(draft).includes(draft.format) ? draft : { ...draft, format: 'xlsx' }
}

/** What must be corrected, by field. */
export function problemsOf(draft: ReportDraft): Record<string, string> {
  const { from, to } = rangeOf(draft)
  if (!from || !to)
    return { ...(from ? {} : { from: 'Choose the first day' }), ...(to ? {} : { to: 'Choose the last day' }) }
  if (to < from) return { to: 'Choose a day on or after the first' }
  const days = daysBetween({ from, to }).length
  return days > maximumReportDays
    ? { to: `Choose at most ${maximumReportDays} days; these are ${formatCount(days)}` }
    : {}
}

/** The request that generates the report of a draft. */
export function requestOf(draft: ReportDraft) {
  const { type, format, channel, campaign } = draft
  return {
    path: { ...rangeOf(draft), ...limitsOf(type, { channel, campaign }) },
    body: {
      ...(type === 'campaign_summary' ? {} : { type }),
      detailedCampaignReport: isDetailedCampaign(draft),
      format,
    },
  } satisfies CallInput<'reportFiles.generate'>
}

/** The channel and the campaign of a request, for types that have them. */
export function limitsOf(
  type: ReportType,
  { channel, campaign }: Pick<ReportDraft, 'channel' | 'campaign'>,
): { channel: ReportChannel; campaignId: string } {
  const { filters } = factsOfType(type)
  return {
    channel: filters.includes('channel') ? channel : 'all',
    campaignId: filters.includes('campaign') ? (campaign?._id ?? 'all') : 'all',
  }
}

function isDetailedCampaign({ type, isDetailed }: ReportDraft): boolean {
  return type === 'campaign_summary' && isDetailed
}

/** A draft like a report, with its days. */
export function draftLike(report: ReportFile): ReportDraft {
  const { type, from, to, channel, campaign, format } = report
  const isDetailed = type === 'campaign_detailed'
  return {
    ...firstDraft,
    type: isDetailed ? 'campaign_summary' : type,
    preset: 'custom',
    from,
    to,
    channel,
    campaign: campaign ?? undefined,
    isDetailed,
    format,
  }
}

/** A draft like a report, of the span that follows: the next month after a month, else as many days. */
export function nextDraft(report: ReportFile): ReportDraft {
  return { ...draftLike(report), ...nextRange(report) }
}

export function nextRange({ from, to }: DayRange): DayRange {
  const first = addDays(to, 1)
  const isMonth = from.endsWith('-01') && first === startOfNextMonth(from)
  return {
    from: first,
    to: isMonth ? addDays(startOfNextMonth(first), -1) : addDays(first, daysBetween({ from, to }).length - 1),
  }
}

function monthBefore(today: string): DayRange {
  const to = addDays(`${today.slice(0, 7)}-01`, -1)
  return { from: `${to.slice(0, 7)}-01`, to }
}

function startOfNextMonth(day: string): string {
  return `${addDays(`${day.slice(0, 7)}-01`, 31).slice(0, 7)}-01`
}

function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)
}
