import { sql } from 'kysely'
import { asSystem, type Database } from '../../db/pool.ts'
import type { CronJob, JobHandlers } from '../../jobs/jobs.ts'

declare module '../../jobs/jobs.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface JobPayloads {
    'notifications.sweep': Record<string, never>
  }
}

const keptFor = '90 days'

export const notificationCron: readonly CronJob[] = [{ name: 'notifications.sweep', schedule: '41 2 * * *' }]

export function notificationJobs({ database }: { database: Database }): JobHandlers {
  return { 'notifications.sweep': () => sweepNotifications(database) }
}

export async function sweepNotifications(database: Database): Promise<void> {
  await asSystem(database, (db) =>
    db
      .deleteFrom('notifications')
      .where('created_at', '<', sql<Date>`now() - ${sql.lit(keptFor)}::interval`)
      .execute(),
  )
}
