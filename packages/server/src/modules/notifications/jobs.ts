import { sql } from 'kysely'
import { asSystem, type Database } from '../../db/pool.ts'
import { defineJob, handleJob, noPayload, type CronJob, type JobHandler } from '../../jobs/jobs.ts'

const keptFor = '90 days'

const sweep = defineJob('notifications.sweep', noPayload)

export const notificationCron: readonly CronJob[] = [{ job: sweep, schedule: '41 2 * * *' }]

export function notificationJobs({ database }: { database: Database }): JobHandler[] {
  return [handleJob(sweep, () => sweepNotifications(database))]
}

export async function sweepNotifications(database: Database): Promise<void> {
  await asSystem(database, (db) =>
    db
      .deleteFrom('notifications')
      .where('created_at', '<', sql<Date>`now() - ${sql.lit(keptFor)}::interval`)
      .execute(),
  )
}
