import type { ReportFile } from '@carillon/contract/report-file-records'
import { ChannelMark } from '../../channels/channel-mark.tsx'
import { countOf, formatCalendarDays, formatCount } from '../../lib/format.ts'
import type { Column } from '../../ui/data-screen/columns.ts'
import { Missing, When } from '../../ui/text.tsx'
import { FileButton } from './file-button.tsx'
import { ReportPill, ReportStatus } from './report-status.tsx'
import { fileLabel, captionOf, whyWithoutFile } from './report-labels.ts'

export function reportColumns(onGenerateAgain: (report: ReportFile) => void): readonly Column<ReportFile>[] {
  return [
    { id: 'name', header: 'Report', cell: (report) => <Named report={report} /> },
    { id: 'channel', header: 'Channel', width: 116, cell: ({ channel }) => <ChannelOf channel={channel} /> },
    { id: 'range', header: 'Range', width: 184, cell: (report) => formatCalendarDays(report) },
    { id: 'detail', header: 'Detail', width: 104, cell: detailOf },
    { id: 'rows', header: 'Rows', width: 84, align: 'right', cell: (report) => <Rows report={report} /> },
    { id: 'created', header: 'Created', width: 104, cell: ({ createdAt }) => <When at={createdAt} /> },
    { id: 'status', header: 'Status', width: 200, cell: (report) => <ReportStatus report={report} /> },
    {
      id: 'file',
      header: 'File',
      width: 140,
      cell: (report) => <FileButton size="tool" variant="ghost" {...{ report, onGenerateAgain }} />,
    },
  ]
}

function detailOf({ detailed }: ReportFile): string {
  return detailed ? 'Per message' : 'Summary'
}

function Named({ report }: { report: ReportFile }) {
  return (
    <span className="block max-w-72 min-w-0 leading-tight" title={report.name}>
      <b className="block truncate font-medium">{report.name}</b>
      <small className="block truncate text-caption text-muted-foreground">{captionOf(report)}</small>
    </span>
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
  const why = whyWithoutFile(report)
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex min-w-0 items-start gap-3">
        <div className="min-w-0 flex-1">
          <b className="block font-medium break-words">{report.name}</b>
          <small className="block text-caption break-words text-muted-foreground">{captionOf(report)}</small>
        </div>
        <ReportPill status={report.status} />
      </div>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-dense text-muted-foreground">
        <span>{formatCalendarDays(report)}</span>
        {report.channel === 'all' ? null : <ChannelMark channel={report.channel} />}
      </p>
      {why ? <p className="text-dense break-words text-muted-foreground">{why}</p> : null}
      {report.status === 'ready' ? (
        <p className="text-dense tabular-nums">
          {countOf(report.rows, 'row')} · {fileLabel(report)}
        </p>
      ) : null}
    </div>
  )
}
