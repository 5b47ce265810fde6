import type { ReportSchedule } from '@carillon/contract/report-schedule-records'
import { CirclePause, CirclePlay, FlaskConical, KeyRound, List, Pencil, Play, Trash2 } from 'lucide-react'
import { call } from '../../lib/call.ts'
import { queries } from '../../lib/queries.ts'
import { refresh, useApiWrite } from '../../lib/use-api.ts'
import { holdRemoval } from '../../ui/held-removals.ts'
import type { MenuItem } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.tsx'

const reads = ['reportSchedules.list', 'reportSchedules.get', 'reportSchedules.deliveries'] as const

type Places = {
  open: (schedule: ReportSchedule) => void
  edit: (schedule: ReportSchedule) => void
  onSecret: (secret: string) => void
}

export type ScheduleActions = ReturnType<typeof useScheduleActions>

export function useScheduleActions({ open, edit, onSecret }: Places) {
  const onError = ({ message }: { message: string }) => toast.error(message)
  const run = useApiWrite('reportSchedules.runNow', {
    refreshes: [...reads, 'reportFiles.list'],
    onSuccess: () => toast.success('The report is being prepared'),
    onError,
  })
  const pause = useApiWrite('reportSchedules.pause', {
    refreshes: reads,
    onSuccess: ({ isPaused }) => toast.success(isPaused ? 'Schedule paused' : 'Schedule resumed'),
    onError,
  })
  const test = useApiWrite('reportSchedules.testDestination', {
    onSuccess: ({ succeeded, response }) => (succeeded ? toast.success(response) : toast.error(response)),
    onError,
  })
  const again = useApiWrite('reportSchedules.sendAgain', {
    refreshes: reads,
    onSuccess: () => toast.success('Sending again'),
    onError,
  })
  const renew = useApiWrite('reportSchedules.newSecret', { onSuccess: ({ secret }) => onSecret(secret), onError })
  const pathOf = ({ scheduleId: id }: ReportSchedule) => ({ path: { id } })
  return {
    open,
    edit,
    run: (schedule: ReportSchedule) => run.mutate({ ...pathOf(schedule), body: {} }),
    pause: (schedule: ReportSchedule) => pause.mutate({ ...pathOf(schedule), body: { isPaused: !schedule.isPaused } }),
    test: (schedule: ReportSchedule) => test.mutate({ ...pathOf(schedule), body: {} }),
    renewSecret: (schedule: ReportSchedule) => renew.mutate({ ...pathOf(schedule), body: {} }),
    sendAgain: ({ scheduleId: id }: ReportSchedule, runId: string) => again.mutate({ path: { id, runId }, body: {} }),
  }
}

export function scheduleMenu(schedule: ReportSchedule, actions: ScheduleActions): MenuItem[] {
  const secret: MenuItem[] =
    schedule.destination.type === 'webhook'
      ? [{ label: 'New signing secret', icon: KeyRound, onSelect: () => actions.renewSecret(schedule) }]
      : []
  return [
    { label: 'Delivery log', icon: List, onSelect: () => actions.open(schedule) },
    { label: 'Run now', icon: Play, onSelect: () => actions.run(schedule) },
    schedule.isPaused
      ? { label: 'Resume', icon: CirclePlay, onSelect: () => actions.pause(schedule) }
      : { label: 'Pause', icon: CirclePause, onSelect: () => actions.pause(schedule) },
    { label: 'Edit…', icon: Pencil, onSelect: () => actions.edit(schedule) },
    { label: 'Test destination', icon: FlaskConical, onSelect: () => actions.test(schedule) },
    ...secret,
    'separator',
    { label: 'Delete', icon: Trash2, destructive: true, onSelect: () => deleteSchedule(schedule) },
  ]
}

/** Deletes a schedule after a delay in which it can be undone. */
function deleteSchedule({ scheduleId: id, name }: ReportSchedule) {
  const key = crypto.randomUUID()
  holdRemoval({
    id,
    name,
    message: 'Schedule deleted',
    async commit(keepalive) {
      await call('reportSchedules.delete', { path: { id } }, { key, keepalive })
      await refresh(queries, ['reportSchedules.list'])
    },
  })
}
