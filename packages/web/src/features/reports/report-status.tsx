import type { ReportFile } from '@carillon/contract/report-file-records'
import { formatProgress } from '../../lib/format.ts'
import { Pill } from '../../ui/pill.tsx'
import { Progress } from '../../ui/progress.tsx'
import { reportLooks, titleOf } from './report-labels.ts'

/** How much of a file is written. */
export function ReportProgress({ report }: { report: ReportFile }) {
  const { status, progress } = report
  if (status === 'queued') return <span className="px-2 text-dense text-muted-foreground">In the queue</span>
  return (
    <span className="flex items-center gap-2 px-2">
      <Progress percent={progress} label={`Progress of ${titleOf(report)}`} className="w-14" />
      <span className="text-dense text-muted-foreground tabular-nums">{formatProgress(progress)}</span>
    </span>
  )
}

/** A report's status. */
export function ReportPill({ status }: Pick<ReportFile, 'status'>) {
  const { label, tone, icon, spin } = reportLooks[status]
  return (
    <Pill tone={tone} icon={icon} {...(spin ? { spin } : {})}>
      {label}
    </Pill>
  )
}
