import type { ReportFile } from '@carillon/contract/report-file-records'
import { CalendarClock, CalendarPlus, Download, PanelRight, RotateCw, Trash2 } from 'lucide-react'
import { call } from '../../lib/call.ts'
import { download } from '../../lib/download.ts'
import { holdRemoval } from '../../ui/held-removals.ts'
import { queries } from '../../lib/queries.ts'
import { refresh } from '../../lib/use-api.ts'
import type { MenuItem } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.tsx'
import { fullTitleOf, isPreparing, isWithoutFile } from './report-labels.ts'

export async function downloadReport(report: ReportFile) {
  try {
    const file = await call('reportFiles.download', { path: { id: report.reportId } })
    await download(file, fileNameOf(report), { isJson: report.format === 'json' })
  } catch (error) {
    toast.error(error instanceof Error ? error.message : 'Failed to download report')
  }
}

/** Without characters that file systems refuse. */
export function fileNameOf({ name, format }: Pick<ReportFile, 'name' | 'format'>): string {
  return `${name.replaceAll(/[\\/:*?"<>|\p{Cc}]+/gu, '-')}.${format}`
}

/** Deletes a report after a delay in which it can be undone. */
export function deleteReport(report: ReportFile) {
  const { reportId: id } = report
  const key = crypto.randomUUID()
  holdRemoval({
    id,
    name: fullTitleOf(report),
    message: isPreparing(report) ? 'Report cancelled' : 'Report deleted',
    async commit(keepalive) {
      await call('reportFiles.delete', { path: { id } }, { key, keepalive })
      await refresh(queries, ['reportFiles.list'])
    },
  })
}

export type ReportActions = {
  open: (report: ReportFile) => void
  /** Fills in the form with the span that follows. */
  repeat: (report: ReportFile) => void
  /** Fills in the form of a schedule. */
  schedule: (report: ReportFile) => void
  generateAgain: (report: ReportFile) => void
  remove: (report: ReportFile) => void
}

export function menuOf(
  report: ReportFile,
  { open, repeat, schedule, generateAgain, remove }: ReportActions,
): MenuItem[] {
  const file: MenuItem[] = isWithoutFile(report)
    ? [{ label: 'Generate again', icon: RotateCw, onSelect: () => generateAgain(report) }]
    : [
        {
          label: 'Download',
          icon: Download,
          onSelect: () => void downloadReport(report),
          disabled: isPreparing(report) ? 'It is being prepared' : undefined,
        },
      ]
  const removal: MenuItem[] = report.mayDelete
    ? [
        'separator',
        {
          label: isPreparing(report) ? 'Cancel report' : 'Delete',
          icon: Trash2,
          destructive: true,
          onSelect: () => remove(report),
        },
      ]
    : []
  return [
    { label: 'Details', icon: PanelRight, onSelect: () => open(report) },
    ...file,
    { label: 'Repeat for next period…', icon: CalendarPlus, onSelect: () => repeat(report) },
    { label: 'Repeat every…', icon: CalendarClock, onSelect: () => schedule(report) },
    ...removal,
  ]
}
