import { sql } from 'kysely'
import { asSystem, type Database } from '../../db/pool.ts'
import { defineJob, handleJob, noPayload, type CronJob, type JobHandler } from '../../jobs/jobs.ts'

const keptDays = 30
const atOnce = 5000

const sweep = defineJob('otp.sweep', noPayload)

export const publicApiCron: readonly CronJob[] = [{ job: sweep, schedule: '47 3 * * *' }]

export function publicApiJobs({ database }: { database: Database }): JobHandler[] {
  return [handleJob(sweep, () => forgetPasswords(database))]
}

async function forgetPasswords(database: Database): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await asSystem(database, async (db) => {
      await sql`delete from otp_stops where until < now()`.execute(db)
      return sql`delete from one_time_passwords where (organization_id, id) in (
        select organization_id, id from one_time_passwords where created_at < now() - ${sql.lit(keptDays)} * interval '1 day'
        limit ${sql.lit(atOnce)})`.execute(db)
    })
    if (numAffectedRows < BigInt(atOnce)) return
  }
}
