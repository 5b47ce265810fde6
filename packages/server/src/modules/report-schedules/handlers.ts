import type { reportScheduleEndpoints } from '@carillon/contract/report-schedules'
import type { Handlers } from '../../http/handlers.ts'
import { assertReachable } from './destinations.ts'
import { findSchedule, getRun, listRuns, listSchedules } from './read-schedules.ts'
import { runNow } from './run-schedules.ts'
import { sendAgain } from './send-again.ts'
import { testDestination, type TestDeps } from './check-destination.ts'
import { createSchedule, deleteSchedule, pauseSchedule, renewSecret, updateSchedule } from './write-schedule.ts'

export function reportScheduleHandlers(deps: TestDeps): Handlers<typeof reportScheduleEndpoints> {
  const { clock, egress, secretBox } = deps
  return {
    'reportSchedules.list': ({ db, actor, input }) => listSchedules(db, { actor, query: input.query }),
    'reportSchedules.create': {
      async withoutTransaction({ actor, input: { body: wanted }, scoped }) {
        await assertReachable(egress, wanted.destination)
        return scoped(async (db) => {
          const id = await createSchedule(db, { actor, wanted, secretBox, now: clock.now() })
          return findSchedule(db, { actor, id })
        })
      },
    },
    'reportSchedules.get': ({ db, actor, input }) => findSchedule(db, { actor, id: input.path.id }),
    'reportSchedules.update': {
      async withoutTransaction({ actor, input: { body: wanted, path }, scoped }) {
        const schedule = { actor, id: path.id }
        await scoped((db) => findSchedule(db, schedule))
        await assertReachable(egress, wanted.destination)
        return scoped(async (db) => {
          await updateSchedule(db, { ...schedule, wanted, secretBox, now: clock.now() })
          return findSchedule(db, schedule)
        })
      },
    },
    'reportSchedules.pause': async ({ db, actor, input: { body, path } }) => {
      await pauseSchedule(db, { actor, id: path.id, isPaused: body.isPaused, now: clock.now() })
      return findSchedule(db, { actor, id: path.id })
    },
    'reportSchedules.delete': async ({ db, actor, input: { path } }) => {
      await deleteSchedule(db, { actor, id: path.id })
      return { scheduleId: path.id }
    },
    'reportSchedules.runNow': async ({ db, actor, input: { path } }) =>
      getRun(db, await runNow(db, { actor, id: path.id, now: clock.now() })),
    'reportSchedules.deliveries': ({ db, actor, input: { path, query } }) =>
      listRuns(db, { actor, id: path.id, query }),
    'reportSchedules.sendAgain': async ({ db, actor, input: { path } }) =>
      getRun(db, await sendAgain(db, { actor, id: path.id, runId: path.runId })),
    'reportSchedules.newSecret': ({ db, actor, input: { path } }) => renewSecret(db, { actor, id: path.id, secretBox }),
    'reportSchedules.testDestination': {
      withoutTransaction: ({ actor, input: { path }, scoped }) => testDestination(deps, { actor, id: path.id, scoped }),
    },
  }
}
