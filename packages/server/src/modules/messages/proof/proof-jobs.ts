import type pg from 'pg'
import { defineJob, handleJob, noPayload, type CronJob, type JobHandler } from '../../../jobs/jobs.ts'
import type { Logger } from '../../../lib/logger.ts'
import { proveFigures } from './prove-figures.ts'

const prove = defineJob('figures.prove', noPayload)

/** At night in India, where most messages are sent by day. */
export const proofCron: readonly CronJob[] = [{ job: prove, schedule: '27 20 * * *' }]

export function proofJobs({ pool, logger }: { pool: pg.Pool; logger: Logger }): JobHandler[] {
  return [
    handleJob(prove, async () => {
      await proveFigures(pool, { logger })
    }),
  ]
}
