import {
  reportTypes,
  type ReportChannel,
  type ReportFile,
  type ReportFormat,
  type ReportStatus,
  type ReportType,
} from '@carillon/contract/report-file-records'
import { CalendarX2, CircleCheck, Clock, Loader, OctagonX, type LucideIcon } from 'lucide-react'
import { channelLabel } from '../../channels/channel-mark.tsx'
import { formatBytes, formatCalendarDays, formatDate } from '../../lib/format.ts'
import type { Tone } from '../../ui/pill.tsx'

type Look = { label: string; tone: Tone; icon: LucideIcon; spin?: true }

export const reportLooks: Record<ReportStatus, Look> = {
  queued: { label: 'Preparing…', tone: 'info', icon: Clock },
  processing: { label: 'Preparing…', tone: 'info', icon: Loader, spin: true },
  ready: { label: 'Ready', tone: 'good', icon: CircleCheck },
  failed: { label: 'Failed', tone: 'bad', icon: OctagonX },
  expired: { label: 'Expired', tone: 'neutral', icon: CalendarX2 },
}

/** As choices of a filter. */
export const statusLabels: Record<ReportStatus, string> = {
  queued: 'Queued',
  processing: 'Preparing',
  ready: 'Ready',
  failed: 'Failed',
  expired: 'Expired',
}

/** A PDF has no rows for each message, click or entry. */
export function formatsOf(isDetailed: boolean): readonly ReportFormat[] {
  return isDetailed ? ['xlsx', 'csv', 'json'] : ['xlsx', 'csv', 'pdf', 'json']
}

export const formatLabels: Record<ReportFormat, string> = { xlsx: 'Excel', csv: 'CSV', json: 'JSON', pdf: 'PDF' }

export function reportChannelLabel(channel: ReportChannel): string {
  return channel === 'all' ? 'All' : channelLabel(channel)
}

export function isPreparing({ status }: Pick<ReportFile, 'status'>): boolean {
  return status === 'queued' || status === 'processing'
}

/** Whether it has no file, and can be generated again. */
export function isWithoutFile({ status }: Pick<ReportFile, 'status'>): boolean {
  return status === 'failed' || status === 'expired'
}

/** Of the types with a row for each of something else than a message. */
const details: Partial<Record<ReportType, string>> = {
  link_clicks: 'Per click',
  ledger_statement: 'Per entry',
  audit_log: 'Per entry',
  conversation_detail: 'Per chat',
}

export function detailOf({ detailed, type }: Pick<ReportFile, 'detailed' | 'type'>): string {
  return detailed ? (details[type] ?? 'Per message') : 'Summary'
}

/** Excel · 1.4 MB */
export function fileLabel({ format, sizeBytes }: Pick<ReportFile, 'format' | 'sizeBytes'>): string {
  return sizeBytes === null ? formatLabels[format] : `${formatLabels[format]} · ${formatBytes(sizeBytes)}`
}

/** Its name without the days that the server adds to names, which are shown beside it. */
export function titleOf({ name, from, to }: Pick<ReportFile, 'name' | 'from' | 'to'>): string {
  const days = from === to ? ` ${from}` : ` ${from} to ${to}`
  return name.endsWith(days) ? name.slice(0, -days.length) : name
}

/** Campaigns, 1 Nov – 30 Nov 2026 */
export function fullTitleOf(report: Pick<ReportFile, 'name' | 'from' | 'to'>): string {
  return `${titleOf(report)}, ${formatCalendarDays(report)}`
}

/** What it is, unless its title says so, and who requested it: 'Campaigns · Ravi' */
export function captionOf(report: Pick<ReportFile, 'name' | 'from' | 'to' | 'type' | 'requestedBy'>): string {
  const { title } = reportTypes[report.type]
  const { name } = report.requestedBy
  return titleOf(report) === title ? name : `${title} · ${name}`
}

/** Why a report has no file. */
export function whyWithoutFile({
  status,
  error,
  expiresAt,
}: Pick<ReportFile, 'status' | 'error' | 'expiresAt'>): string | undefined {
  if (status === 'failed') return error ?? 'The report could not be prepared'
  if (status !== 'expired') return undefined
  return expiresAt ? `File deleted on ${formatDate(expiresAt)}` : 'File deleted'
}
