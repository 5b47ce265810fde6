import { sql } from 'kysely'
import { asSystem, type Database } from '../../db/pool.ts'
import { defineJob, handleJob, noPayload, type CronJob, type JobHandler } from '../../jobs/jobs.ts'

const sweep = defineJob('smpp.sweep', noPayload)

export const smppCron: readonly CronJob[] = [{ job: sweep, schedule: '23 * * * *' }]

export function smppJobs({ database }: { database: Database }): JobHandler[] {
  return [handleJob(sweep, () => forgetOld(database))]
}

/** Longer than a message can be scheduled and valid: no status will be reported any more. */
const messageDays = 40

async function forgetOld(database: Database): Promise<void> {
  await asSystem(database, async (db) => {
    await sql`delete from smpp_receipts where expires_at <= now()`.execute(db)
    await sql`delete from smpp_messages where submitted_at < now() - ${sql.lit(messageDays)} * interval '1 day'`.execute(
      db,
    )
    await sql`delete from smpp_long_messages where changed_at < now() - interval '3 days'`.execute(db)
    await sql`delete from smpp_sessions where seen_at < now() - interval '1 hour'`.execute(db)
  })
}
