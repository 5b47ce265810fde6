import type { ReportFile } from '@carillon/contract/report-file-records'
import { useEffect, useRef, useState } from 'react'
import { countOf, formatCalendarDays } from '../../lib/format.ts'
import { toast } from '../../ui/toast.tsx'
import { downloadReport } from './report-actions.ts'
import { fileLabel, fullTitleOf, isPreparing, titleOf } from './report-labels.ts'

/** Reports that were being prepared and have ended since the screen was opened get a toast, which screen readers announce. */
export function useReportNews(reports: readonly ReportFile[] | undefined) {
  const known = useRef(new Set<string>())
  const [news, setNews] = useState('')
  useEffect(() => {
    for (const report of reports ?? []) {
      if (isPreparing(report)) {
        if (!known.current.has(report.reportId)) setNews(`Preparing ${fullTitleOf(report)}`)
        known.current.add(report.reportId)
      } else if (known.current.delete(report.reportId)) announceEnd(report)
    }
  }, [reports])
  return news
}

export function announceEnd(report: ReportFile) {
  const { reportId, status, rows, error } = report
  const name = titleOf(report)
  const id = `report ${reportId}`
  if (status === 'failed') toast.error(`${name} failed`, { id, ...(error ? { description: error } : {}) })
  if (status !== 'ready') return
  toast.success(`${name} is ready`, {
    id,
    description: `${formatCalendarDays(report)} · ${countOf(rows, 'row')} · ${fileLabel(report)}`,
    action: { label: 'Download', onClick: () => void downloadReport(report) },
    duration: 10_000,
  })
}
