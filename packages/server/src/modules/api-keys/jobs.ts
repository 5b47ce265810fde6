import { sql } from 'kysely'
import { asSystem, type Database } from '../../db/pool.ts'
import { defineJob, handleJob, noPayload, type CronJob, type JobHandler } from '../../jobs/jobs.ts'

/** Uses by day are kept for a year of months. */
const keptFor = '400 days'

const sweep = defineJob('api-keys.sweep', noPayload)

export const apiKeyCron: readonly CronJob[] = [{ job: sweep, schedule: '17 3 * * *' }]

export function apiKeyJobs({ database }: { database: Database }): JobHandler[] {
  return [handleJob(sweep, () => sweepUses(database))]
}

async function sweepUses(database: Database): Promise<void> {
  await asSystem(database, (db) =>
    db
      .deleteFrom('api_key_days')
      .where('day', '<', sql<string>`(now() - ${sql.lit(keptFor)}::interval)::date`)
      .execute(),
  )
}
