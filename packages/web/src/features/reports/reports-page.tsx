import type { ReportFile } from '@carillon/contract/report-file-records'
import { FileChartColumn } from 'lucide-react'
import { useState, type ComponentProps } from 'react'
import { formatCalendarDays } from '../../lib/format.ts'
import { useApi, useApiWrite } from '../../lib/use-api.ts'
import { useIsMobile } from '../../lib/use-is-mobile.ts'
import { useView } from '../../lib/use-view.ts'
import { Button } from '../../ui/button.tsx'
import { sourceOf } from '../../ui/data-screen/columns.ts'
import { DataScreen } from '../../ui/data-screen/data-screen.tsx'
import { choiceFilter, type Filter } from '../../ui/data-screen/filter.ts'
import { isElsewhere } from '../../ui/data-screen/is-elsewhere.ts'
import { Empty } from '../../ui/empty.tsx'
import { useHidden } from '../../ui/held-removals.ts'
import { Tabs } from '../../ui/tabs.tsx'
import { toast } from '../../ui/toast.tsx'
import { FileButton } from './file-button.tsx'
import { formId, GeneratePanel, GenerateSheet } from './generate-report.tsx'
import { deleteReport, menuOf, type ReportActions } from './report-actions.ts'
import { ReportCard, reportColumns } from './report-columns.tsx'
import { draftLike, nextDraft, nextRange, requestOf } from './report-draft.ts'
import { fullTitleOf, isPreparing, reportChannelLabel, statusLabels } from './report-labels.ts'
import { ReportPeek } from './report-peek.tsx'
import {
  listQueryOf,
  reportChannels,
  reportsView,
  reportStatuses,
  unfiltered,
  type ReportsView,
} from './reports-view.ts'
import { scheduleLike, type ScheduleDraft } from './schedule-draft.ts'
import { ScheduleSheet } from './schedule-sheet.tsx'
import { SchedulesScreen } from './schedules-screen.tsx'
import { addToList, useReportForm, type ReportForm } from './use-report-form.ts'
import { announceEnd, useReportNews } from './use-report-news.ts'

type SetView = (patch: Partial<ReportsView>) => void

const tabItems = [
  { value: 'files', label: 'Reports' },
  { value: 'schedules', label: 'Schedules' },
] as const

/** Reports, and the schedules that prepare and deliver them regularly. */
export function ReportsPage() {
  const [view, setView] = useView(reportsView)
  const [draft, setDraft] = useState<ScheduleDraft>()
  const tabs = {
    label: 'Reports and schedules',
    items: tabItems,
    value: view.tab,
    onValueChange: (value: string) =>
      setView({ ...unfiltered(view), tab: value === 'schedules' ? 'schedules' : 'files', openId: undefined }),
  }
  return (
    <>
      {view.tab === 'schedules' ? (
        <SchedulesScreen tabs={tabs} onDraft={setDraft} />
      ) : (
        <FilesScreen tabs={tabs} onSchedule={(report) => setDraft(scheduleLike(report))} />
      )}
      {draft ? (
        <ScheduleSheet
          start={draft}
          onClose={() => setDraft(undefined)}
          onSaved={() => {
            setDraft(undefined)
            setView({ ...unfiltered(view), tab: 'schedules', openId: undefined })
          }}
        />
      ) : null}
    </>
  )
}

type FilesScreenProps = {
  tabs: NonNullable<ComponentProps<typeof DataScreen>['tabs']>
  onSchedule: (report: ReportFile) => void
}

/** Files of reports: a form that generates one, and the list of those there are. */
function FilesScreen({ tabs, onSchedule }: FilesScreenProps) {
  const [view, setView] = useView(reportsView)
  const isMobile = useIsMobile()
  const [isSheetOpen, setSheetOpen] = useState(false)
  const { list, rows, news } = useReports(view)
  const onGenerated = (report: ReportFile) => {
    setSheetOpen(false)
    showNew(report, { view, setView })
  }
  const form = useReportForm(onGenerated)
  const actions = useActions({ form, setView, onGenerated, onSchedule, onForm: () => setSheetOpen(true) })
  return (
    <>
      <p aria-live="polite" className="sr-only">
        {news}
      </p>
      <DataScreen<ReportFile>
        id="reports"
        title="Performance Reports"
        noun="reports"
        actions={
          isMobile ? (
            <Button variant="primary" onClick={() => setSheetOpen(true)}>
              <FileChartColumn aria-hidden /> Generate report
            </Button>
          ) : undefined
        }
        above={
          <>
            <Tabs {...tabs} />
            {isMobile ? null : <GeneratePanel form={form} />}
          </>
        }
        filters={filtersOf(view, setView)}
        source={sourceOf(list, rows)}
        columns={reportColumns(actions.generateAgain)}
        rowId={({ reportId }) => reportId}
        rowName={fullTitleOf}
        rowMenu={(report) => menuOf(report, actions)}
        card={(report) => <ReportCard report={report} />}
        peek={{
          id: view.openId,
          onPeek: (openId) => setView({ openId }),
          elsewhere: useElsewhere(view.openId, rows),
          render: (report) => peekOf(report, actions),
        }}
        paging={{
          page: view.page,
          pageSize: view.pageSize,
          onPage: (page) => setView({ page }),
          onPageSize: (pageSize) => setView({ pageSize, page: 1 }),
          totalPages: list.data?.totalPages,
          total: list.data && list.data.totalReports - (list.data.reports.length - (rows?.length ?? 0)),
        }}
        empty={<FirstReport onGenerate={isMobile ? () => setSheetOpen(true) : form.submit} />}
      />
      {isMobile ? <GenerateSheet form={form} open={isSheetOpen} onOpenChange={setSheetOpen} /> : null}
    </>
  )
}

/** The list, and what became of the reports that were being prepared, which a filter may hide. */
function useReports(view: ReportsView) {
  const list = useReportList(view)
  const newest = useReportList(unfiltered(view))
  const hidden = useHidden()
  return {
    list,
    rows: list.data?.reports.filter(({ reportId }) => !hidden.has(reportId)),
    news: useReportNews(newest.data?.reports),
  }
}

function useReportList(view: ReportsView) {
  return useApi(
    'reportFiles.list',
    { query: listQueryOf(view) },
    { keepPrevious: true, refetchInterval: (data) => (data?.reports.some(isPreparing) ? 2000 : 30_000) },
  )
}

/** A new report is the first of the list; the same request within a minute returns one that may be ready. */
function showNew(report: ReportFile, { view, setView }: { view: ReportsView; setView: SetView }) {
  addToList(report, listQueryOf(unfiltered(view)))
  setView(unfiltered(view))
  announceEnd(report)
}

type Acting = {
  form: ReportForm
  setView: SetView
  onGenerated: (report: ReportFile) => void
  onSchedule: (report: ReportFile) => void
  /** Shows the form, on phones. */
  onForm: () => void
}

function useActions({ form, setView, onGenerated, onSchedule, onForm }: Acting): ReportActions {
  const again = useApiWrite('reportFiles.generate', {
    refreshes: ['reportFiles.list', 'reportFiles.details'],
    onSuccess: onGenerated,
    onError: ({ message }) => toast.error(message),
  })
  return {
    open: ({ reportId }) => setView({ openId: reportId }),
    generateAgain: (report) => again.mutate(requestOf(draftLike(report))),
    repeat(report) {
      form.change(nextDraft(report))
      setView({ openId: undefined })
      onForm()
      const place = document.getElementById(formId)
      place?.scrollIntoView({ block: 'center' })
      toast.plain(`The form is filled in for ${formatCalendarDays(nextRange(report))}`)
    },
    schedule: onSchedule,
    remove(report) {
      setView({ openId: undefined })
      deleteReport(report)
    },
  }
}

function peekOf(report: ReportFile, { generateAgain }: ReportActions) {
  return {
    title: <span className="truncate">{fullTitleOf(report)}</span>,
    name: fullTitleOf(report),
    isWide: true,
    body: <ReportPeek key={report.reportId} report={report} onGenerateAgain={generateAgain} />,
    footer:
      report.status === 'ready' ? (
        <span className="ml-auto">
          <FileButton isLong variant="primary" report={report} onGenerateAgain={generateAgain} />
        </span>
      ) : undefined,
  }
}

function FirstReport({ onGenerate }: { onGenerate: () => void }) {
  return (
    <Empty
      icon={FileChartColumn}
      title="Your first report takes about 10 seconds"
      actions={<Button onClick={onGenerate}>Generate</Button>}
    >
      Choose days and a channel. The file is listed here, with its sums and its first rows.
    </Empty>
  )
}

/** The open report, if it is not on the page. */
function useElsewhere(id: string | undefined, rows: readonly ReportFile[] | undefined): ReportFile | undefined {
  const ids = rows?.map(({ reportId }) => reportId)
  const enabled = isElsewhere(id, ids)
  const read = useApi('reportFiles.details', { path: { id: id ?? '' } }, { enabled })
  return enabled ? read.data : undefined
}

function filtersOf(view: ReportsView, setView: SetView): readonly Filter[] {
  return [
    choiceFilter('channel', 'Channel', {
      options: reportChannels.map((value) => ({ value, label: reportChannelLabel(value) })),
      value: view.channel,
      onChange: (value) => setView({ channel: reportChannels.find((one) => one === value), page: 1 }),
    }),
    {
      id: 'range',
      label: 'Days',
      kind: 'range',
      value: view.range,
      onChange: (range) => setView({ range, page: 1 }),
    },
    choiceFilter('status', 'Status', {
      options: reportStatuses.map((value) => ({ value, label: statusLabels[value] })),
      value: view.status,
      onChange: (value) => setView({ status: reportStatuses.find((one) => one === value), page: 1 }),
    }),
  ]
}
