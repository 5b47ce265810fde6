import type { ReportFile } from '@carillon/contract/report-file-records'
import { Download, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import type { ButtonProps } from '../../ui/plain-button.tsx'
import { downloadReport } from './report-actions.ts'
import { fileLabel, fullTitleOf, isPreparing, isWithoutFile } from './report-labels.ts'

type FileButtonProps = Pick<ButtonProps, 'variant' | 'size'> & {
  report: ReportFile
  onGenerateAgain: (report: ReportFile) => void
  /** Begins with 'Download'. */
  isLong?: boolean
}

/** Downloads the file of a report, or generates it again. */
export function FileButton({ report, onGenerateAgain, isLong, ...look }: FileButtonProps) {
  const [isBusy, setBusy] = useState(false)
  async function save() {
    setBusy(true)
    await downloadReport(report)
    setBusy(false)
  }
  if (isPreparing(report)) return null
  if (isWithoutFile(report))
    return (
      <Button {...look} onClick={() => onGenerateAgain(report)}>
        <RotateCw aria-hidden /> Generate again
        <span className="sr-only">{fullTitleOf(report)}</span>
      </Button>
    )
  return (
    <Button {...look} loading={isBusy} onClick={() => void save()}>
      <Download aria-hidden />
      {isLong ? 'Download ' : <span className="sr-only">Download {fullTitleOf(report)},</span>}
      {fileLabel(report)}
    </Button>
  )
}
