import { defineJob, handleJob, noPayload, type CronJob, type JobHandler } from '../../../jobs/jobs.ts'
import { endAbsences } from './availability.ts'
import { checkQueue, recordOverdue, type QueueDeps } from './queue.ts'

const endAbsencesJob = defineJob('agents.end-absences', noPayload)
const checkQueueJob = defineJob('agents.check-queue', noPayload)
const recordOverdueJob = defineJob('agents.record-overdue', noPayload)

export const agentCron: readonly CronJob[] = [endAbsencesJob, checkQueueJob, recordOverdueJob].map((job) => ({
  job,
  schedule: '* * * * *',
}))

export function agentJobs(deps: QueueDeps): JobHandler[] {
  return [
    handleJob(endAbsencesJob, () => endAbsences(deps.database)),
    handleJob(checkQueueJob, () => checkQueue(deps)),
    handleJob(recordOverdueJob, () => recordOverdue(deps.database)),
  ]
}
