import type { ReportSchedule } from '@carillon/contract/report-schedule-records'
import { CalendarClock } from 'lucide-react'
import { useState, type ComponentProps } from 'react'
import { useUser } from '../../lib/session.ts'
import { useApi } from '../../lib/use-api.ts'
import { useView } from '../../lib/use-view.ts'
import { Button } from '../../ui/button.tsx'
import { sourceOf } from '../../ui/data-screen/columns.ts'
import { DataScreen } from '../../ui/data-screen/data-screen.tsx'
import { isElsewhere } from '../../ui/data-screen/is-elsewhere.ts'
import { Empty } from '../../ui/empty.tsx'
import { useHidden } from '../../ui/held-removals.ts'
import { SecretDialog } from '../../ui/secret-dialog.tsx'
import { reportsView } from './reports-view.ts'
import { scheduleMenu, useScheduleActions } from './schedule-actions.ts'
import { ScheduleCard, scheduleColumns } from './schedule-columns.tsx'
import { draftOf, firstSchedule, type ScheduleDraft } from './schedule-draft.ts'
import { ScheduleLog } from './schedule-log.tsx'
import { secretOf } from './schedule-sheet.tsx'

type SchedulesScreenProps = {
  tabs: NonNullable<ComponentProps<typeof DataScreen>['tabs']>
  onDraft: (draft: ScheduleDraft) => void
}

/** The schedules that prepare and deliver reports. */
export function SchedulesScreen({ tabs, onDraft }: SchedulesScreenProps) {
  const [view, setView] = useView(reportsView)
  const [secret, setSecret] = useState<string>()
  const email = useUser()?.email ?? ''
  const hidden = useHidden()
  const list = useApi(
    'reportSchedules.list',
    { query: { page: view.page, limit: view.pageSize } },
    { keepPrevious: true, refetchInterval: (data) => (data?.schedules.some(isRunning) ? 2000 : 30_000) },
  )
  const rows = list.data?.schedules.filter(({ scheduleId }) => !hidden.has(scheduleId))
  const actions = useScheduleActions({
    open: ({ scheduleId }) => setView({ openId: scheduleId }),
    edit: (schedule) => onDraft(draftOf(schedule)),
    onSecret: setSecret,
  })
  const create = () => onDraft(firstSchedule(email))
  return (
    <>
      <DataScreen<ReportSchedule>
        id="report-schedules"
        title="Performance Reports"
        noun="schedules"
        tabs={tabs}
        actions={
          <Button variant="primary" onClick={create}>
            <CalendarClock aria-hidden /> New schedule
          </Button>
        }
        source={sourceOf(list, rows)}
        columns={scheduleColumns}
        rowId={({ scheduleId }) => scheduleId}
        rowName={({ name }) => name}
        rowMenu={(schedule) => scheduleMenu(schedule, actions)}
        card={(schedule) => <ScheduleCard schedule={schedule} />}
        peek={{
          id: view.openId,
          onPeek: (openId) => setView({ openId }),
          elsewhere: useElsewhere(view.openId, rows),
          render: (schedule) => ({
            title: <span className="truncate">{schedule.name}</span>,
            name: schedule.name,
            isWide: true,
            body: <ScheduleLog key={schedule.scheduleId} schedule={schedule} actions={actions} />,
          }),
        }}
        paging={{
          page: view.page,
          pageSize: view.pageSize,
          onPage: (page) => setView({ page }),
          onPageSize: (pageSize) => setView({ pageSize, page: 1 }),
          totalPages: list.data?.totalPages,
          total: list.data?.totalSchedules,
        }}
        empty={<FirstSchedule onCreate={create} />}
      />
      {secret === undefined ? null : <SecretDialog shown={secretOf(secret)} onClose={() => setSecret(undefined)} />}
    </>
  )
}

function isRunning({ lastRun }: ReportSchedule): boolean {
  return lastRun?.status === 'preparing' || lastRun?.status === 'delivering'
}

function FirstSchedule({ onCreate }: { onCreate: () => void }) {
  return (
    <Empty
      icon={CalendarClock}
      title="Get reports without asking"
      actions={<Button onClick={onCreate}>New schedule</Button>}
    >
      A schedule prepares a report every day, week or month, and delivers it by email, to a bucket or to a webhook.
    </Empty>
  )
}

/** The open schedule, if it is not on the page. */
function useElsewhere(id: string | undefined, rows: readonly ReportSchedule[] | undefined): ReportSchedule | undefined {
  const ids = rows?.map(({ scheduleId }) => scheduleId)
  const enabled = isElsewhere(id, ids)
  const read = useApi('reportSchedules.get', { path: { id: id ?? '' } }, { enabled })
  return enabled ? read.data : undefined
}
