import {
  reportTypes,
  type ReportChannel,
  type ReportFile,
  type ReportFormat,
  type ReportStatus,
} from '@carillon/contract/report-file-records'
import { CalendarX2, CircleCheck, Clock, Loader, OctagonX, type LucideIcon } from 'lucide-react'
import { channelLabel } from '../../channels/channel-mark.tsx'
import { formatBytes, formatDate } from '../../lib/format.ts'
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

export const formatLabels: Record<ReportFormat, string> = { xlsx: 'Excel', csv: 'CSV', json: 'JSON' }

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

/** Excel · 1.4 MB */
export function fileLabel({ format, sizeBytes }: Pick<ReportFile, 'format' | 'sizeBytes'>): string {
  return sizeBytes === null ? formatLabels[format] : `${formatLabels[format]} · ${formatBytes(sizeBytes)}`
}

/** Campaigns · Ravi */
export function captionOf({ type, requestedBy }: Pick<ReportFile, 'type' | 'requestedBy'>): string {
  return `${reportTypes[type].title} · ${requestedBy.name}`
}

/** Why a report has no file. */
export function whyWithoutFile({ status, error, expiresAt }: ReportFile): string | undefined {
  if (status === 'failed') return error ?? 'The report could not be prepared'
  if (status !== 'expired') return undefined
  return expiresAt ? `File deleted on ${formatDate(expiresAt)}` : 'File deleted'
}
