import { factsOfType, type ReportDetails, type ReportFile } from '@carillon/contract/report-file-records'
import { formatBytes, formatCalendarDays, formatCount, formatDateTime, formatProgress } from '../../lib/format.ts'
import { useApi } from '../../lib/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Facts, type Fact } from '../../ui/facts.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Region } from '../../ui/region.tsx'
import { ChannelMark } from '../../channels/channel-mark.tsx'
import { ReportChart } from './report-chart.tsx'
import { formatLabels, isPreparing, isWithoutFile, titleOf, whyWithoutFile } from './report-labels.ts'
import { ReportPreview } from './report-preview.tsx'
import { ReportPill } from './report-status.tsx'
import { presentSum } from './report-values.ts'

type ReportPeekProps = { report: ReportFile; onGenerateAgain: (report: ReportFile) => void }

/** A report: its state, sums, days, facts and first rows. */
export function ReportPeek({ report, onGenerateAgain }: ReportPeekProps) {
  const { reportId: id } = report
  const details = useApi(
    'reportFiles.details',
    { path: { id } },
    { refetchInterval: (data) => (data && !isPreparing(data) ? false : 2000) },
  )
  return (
    <div className="flex flex-col gap-6 px-5 py-4">
      <State report={report} onGenerateAgain={onGenerateAgain} />
      <Region read={details} label="the report" lines={8}>
        {(data) => <Details details={data} />}
      </Region>
    </div>
  )
}

function State({ report, onGenerateAgain }: ReportPeekProps) {
  const why = whyWithoutFile(report)
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <ReportPill status={report.status} />
        {report.channel === 'all' ? null : <ChannelMark channel={report.channel} />}
        {report.status === 'queued' ? (
          <span className="text-dense text-muted-foreground">It starts once the reports before it are done.</span>
        ) : null}
      </div>
      {report.status === 'processing' ? <Working report={report} /> : null}
      {why ? (
        <Notice
          tone={report.status === 'failed' ? 'bad' : 'info'}
          actions={
            <Button size="tool" className="text-foreground" onClick={() => onGenerateAgain(report)}>
              Generate again
            </Button>
          }
        >
          {why}
        </Notice>
      ) : null}
    </div>
  )
}

function Working({ report }: { report: ReportFile }) {
  const { progress, rows } = report
  return (
    <div className="flex items-center gap-3 text-dense tabular-nums">
      <Progress thick percent={progress} label={`Progress of ${titleOf(report)}`} />
      <span className="whitespace-nowrap text-muted-foreground">
        {formatProgress(progress)} · {formatCount(rows)} rows
      </span>
    </div>
  )
}

function Details({ details }: { details: ReportDetails }) {
  const { status, notes, summary, daily } = details
  return (
    <>
      {notes.length > 0 ? (
        <Notice tone="info">
          {notes.map((note) => (
            <p key={note}>{note}</p>
          ))}
        </Notice>
      ) : null}
      {summary.length > 0 ? <Sums summary={summary} /> : null}
      {daily.length > 0 ? <ReportChart details={details} /> : null}
      <Facts facts={factsOf(details)} />
      {status === 'ready' ? <ReportPreview details={details} /> : null}
    </>
  )
}

function Sums({ summary }: Pick<ReportDetails, 'summary'>) {
  return (
    <dl className="grid grid-cols-2 overflow-hidden rounded-lg border border-border sm:grid-cols-3 md:grid-cols-4 [&>div]:-mr-px [&>div]:-mb-px [&>div]:border-r [&>div]:border-b [&>div]:border-line">
      {summary.map(presentSum).map(({ label, value }) => (
        <div key={label} className="min-w-0 px-3 py-2.5">
          <dt className="truncate text-caption text-muted-foreground">{label}</dt>
          <dd className="truncate text-section font-semibold tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function factsOf(details: ReportDetails): Fact[] {
  const { type, campaign, timezone, requestedBy, createdAt, readyAt, expiresAt } = details
  const { format, sizeBytes, checksum } = details
  const { title, grain, filters } = factsOfType(type)
  return [
    ['Report', `${title}, one row per ${grain}`],
    ...(filters.includes('campaign') ? [['Campaign', campaign?.name ?? 'All campaigns'] as const] : []),
    ['Days', `${formatCalendarDays(details)}, ${timezone.replaceAll('_', ' ')}`],
    ['Requested', `${requestedBy.name}, ${formatDateTime(createdAt)}`],
    ...(readyAt ? [['Ready', formatDateTime(readyAt)] as const] : []),
    ...(expiresAt ? [[isWithoutFile(details) ? 'Expired' : 'Expires', formatDateTime(expiresAt)] as const] : []),
    ['File', sizeBytes === null ? formatLabels[format] : `${formatLabels[format]}, ${formatBytes(sizeBytes)}`],
    ...(checksum ? [['SHA256', <Copyable key="sum" text={checksum} label="Copy checksum" />] as const] : []),
  ]
}
