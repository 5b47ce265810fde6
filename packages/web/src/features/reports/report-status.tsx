import type { ReportFile } from '@carillon/contract/report-file-records'
import { formatProgress } from '../../lib/format.ts'
import { Pill } from '../../ui/pill.tsx'
import { Progress } from '../../ui/progress.tsx'
import { reportLooks, whyWithoutFile } from './report-labels.ts'

/** A report's status, then its progress or why it has no file. */
export function ReportStatus({ report }: { report: ReportFile }) {
  const why = whyWithoutFile(report)
  return (
    <span className="flex min-w-0 items-center gap-3">
      <span className="w-24 shrink-0">
        <ReportPill status={report.status} />
      </span>
      {report.status === 'queued' ? <span className="text-dense text-muted-foreground">in the queue</span> : null}
      {report.status === 'processing' ? <Working report={report} /> : null}
      {why ? (
        <span title={why} className="max-w-44 truncate text-dense text-muted-foreground">
          {why}
        </span>
      ) : null}
    </span>
  )
}

function Working({ report: { name, progress } }: { report: ReportFile }) {
  return (
    <span className="flex items-center gap-2">
      <Progress percent={progress} label={`Progress of ${name}`} className="w-14" />
      <span className="text-dense text-muted-foreground tabular-nums">{formatProgress(progress)}</span>
    </span>
  )
}

export function ReportPill({ status }: Pick<ReportFile, 'status'>) {
  const { label, tone, icon, spin } = reportLooks[status]
  return (
    <Pill tone={tone} icon={icon} {...(spin ? { spin } : {})}>
      {label}
    </Pill>
  )
}
