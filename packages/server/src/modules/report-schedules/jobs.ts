import { defineJob, handleJob, noPayload, type CronJob, type JobHandler } from '../../jobs/jobs.ts'
import { deliverReport } from './delivery-job.ts'
import { makeDelivery } from './deliver-report.ts'
import type { DeliveryDeps } from './delivered.ts'
import { runDueSchedules, type RunDeps } from './run-schedules.ts'

const runSchedules = defineJob('reports.run_schedules', noPayload)

export const reportScheduleCron: CronJob[] = [{ job: runSchedules, schedule: '* * * * *' }]

export function reportScheduleJobs(deps: DeliveryDeps & RunDeps): JobHandler[] {
  return [
    handleJob(runSchedules, () => runDueSchedules(deps)),
    handleJob(deliverReport, (key, { signal }) => makeDelivery(deps, key, signal)),
  ]
}
