import { asSystem, type Database } from '../../db/pool.ts'
import { sweepFailedEvents } from '../../events/event-queue.ts'
import { defineJob, handleJob, noPayload, type CronJob, type JobHandler } from '../../jobs/jobs.ts'
import type { Clock } from '../../lib/clock.ts'
import { deleteDeliveries, deleteOrphans, forgetDeliveries } from './forget-deliveries.ts'
import { deleteExpiredListeners } from './listeners.ts'
import { keepDays } from './keep-days.ts'
import { continueReplay, replayMore } from './replay.ts'

const sweep = defineJob('webhooks.sweep', noPayload)
const expireListeners = defineJob('webhooks.listeners', noPayload)

export const webhookCron: readonly CronJob[] = [
  { job: sweep, schedule: '17 3 * * *' },
  { job: expireListeners, schedule: '*/10 * * * *' },
]

export type WebhookJobDeps = { database: Database; clock: Clock; retentionDays: number }

export function webhookJobs({ database, clock, retentionDays }: WebhookJobDeps): JobHandler[] {
  return [
    handleJob(forgetDeliveries, (key) => deleteDeliveries(database, key)),
    handleJob(continueReplay, (selection) => replayMore(database, selection, clock.now())),
    handleJob(expireListeners, () => deleteExpiredListeners(database)),
    handleJob(sweep, async () => {
      await keepDays(database, retentionDays)
      await deleteOrphans(database)
      await asSystem(database, sweepFailedEvents)
    }),
  ]
}
