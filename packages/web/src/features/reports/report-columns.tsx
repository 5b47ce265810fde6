import type { ReportFile } from '@carillon/contract/report-file-records'
import clsx from 'clsx'
import { ChannelMark } from '../../channels/channel-mark.tsx'
import { calendarDay, countOf, formatCalendarDays, formatCount } from '../../lib/format.ts'
import type { Column } from '../../ui/data-screen/columns.ts'
import { Missing, When } from '../../ui/text.tsx'
import { FileButton } from './file-button.tsx'
import { ReportPill, ReportProgress } from './report-status.tsx'
import { captionOf, detailOf, fileLabel, isPreparing, titleOf, whyWithoutFile } from './report-labels.ts'

export function reportColumns(onGenerateAgain: (report: ReportFile) => void): readonly Column<ReportFile>[] {
  return [
    { id: 'name', header: 'Report', cell: (report) => <Named report={report} /> },
    { id: 'channel', header: 'Channel', width: 112, cell: ({ channel }) => <ChannelOf channel={channel} /> },
    { id: 'range', header: 'Range', width: 140, cell: rangeOf },
    { id: 'detail', header: 'Detail', width: 104, cell: detailOf },
    { id: 'rows', header: 'Rows', width: 84, align: 'right', cell: (report) => <Rows report={report} /> },
    { id: 'created', header: 'Created', width: 104, cell: ({ createdAt }) => <When at={createdAt} /> },
    { id: 'status', header: 'Status', width: 116, cell: ({ status }) => <ReportPill status={status} /> },
    {
      id: 'file',
      header: 'File',
      width: 140,
      cell: (report) => <FileOf {...{ report, onGenerateAgain }} />,
    },
  ]
}

type FileOfProps = { report: ReportFile; onGenerateAgain: (report: ReportFile) => void }

function FileOf({ report, onGenerateAgain }: FileOfProps) {
  if (isPreparing(report)) return <ReportProgress report={report} />
  return <FileButton size="tool" variant="ghost" {...{ report, onGenerateAgain }} />
}

/** Without the year, if it is this one. */
function rangeOf(report: ReportFile): string {
  const year = ` ${calendarDay(Date.now()).slice(0, 4)}`
  return formatCalendarDays(report).replace(year, '')
}

function Named({ report }: { report: ReportFile }) {
  return (
    <span className="block max-w-56 min-w-0 leading-tight">
      <b className="block truncate font-medium" title={report.name}>
        {titleOf(report)}
      </b>
      <Caption report={report} className="truncate" />
    </span>
  )
}

/** Why it has no file, or what it is. */
function Caption({ report, className }: { report: ReportFile; className: string }) {
  const text = whyWithoutFile(report) ?? captionOf(report)
  return (
    <small
      title={text}
      className={clsx(
        'block text-caption',
        report.status === 'failed' ? 'text-danger-text' : 'text-muted-foreground',
        className,
      )}
    >
      {text}
    </small>
  )
}

function ChannelOf({ channel }: Pick<ReportFile, 'channel'>) {
  return channel === 'all' ? 'All' : <ChannelMark channel={channel} />
}

function Rows({ report: { status, rows } }: { report: ReportFile }) {
  return status === 'queued' || status === 'failed' ? <Missing /> : formatCount(rows)
}

/** A report in the list on phones. */
export function ReportCard({ report }: { report: ReportFile }) {
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex min-w-0 items-start gap-3">
        <div className="min-w-0 flex-1">
          <b className="block font-medium break-words">{titleOf(report)}</b>
          <Caption report={report} className="break-words" />
        </div>
        <ReportPill status={report.status} />
      </div>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-dense text-muted-foreground">
        <span>{formatCalendarDays(report)}</span>
        {report.channel === 'all' ? null : <ChannelMark channel={report.channel} />}
      </p>
      {report.status === 'processing' ? (
        <span className="-mx-2">
          <ReportProgress report={report} />
        </span>
      ) : null}
      {report.status === 'ready' ? (
        <p className="text-dense tabular-nums">
          {countOf(report.rows, 'row')} · {fileLabel(report)}
        </p>
      ) : null}
    </div>
  )
}
