import { sql } from 'kysely'
import { asSystem, type Database } from '../../db/pool.ts'
import { defineJob, handleJob, noPayload, type CronJob, type JobHandler } from '../../jobs/jobs.ts'

const keptDays = 30
const atOnce = 5000

const sweep = defineJob('sandbox.sweep', noPayload)

export const sandboxCron: readonly CronJob[] = [{ job: sweep, schedule: '41 3 * * *' }]

export function sandboxJobs({ database }: { database: Database }): JobHandler[] {
  return [handleJob(sweep, () => forgetTestMessages(database))]
}

async function forgetTestMessages(database: Database): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await asSystem(database, (db) =>
      sql`delete from test_messages where (organization_id, id) in (
        select organization_id, id from test_messages
        where greatest(created_at, send_at) < now() - ${sql.lit(keptDays)} * interval '1 day'
          and created_at < now() - ${sql.lit(keptDays)} * interval '1 day'
        limit ${sql.lit(atOnce)})`.execute(db),
    )
    if (numAffectedRows < BigInt(atOnce)) return
  }
}
