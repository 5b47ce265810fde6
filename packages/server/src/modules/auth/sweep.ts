import { sql } from 'kysely'
import { asSystem, type Database } from '../../db/pool.ts'
import { sweepIdempotencyKeys } from '../../http/idempotency.ts'
import { defineJob, handleJob, noPayload, type CronJob, type JobHandler } from '../../jobs/jobs.ts'

const sweep = defineJob('auth.sweep', noPayload)

export const authCron: CronJob[] = [{ job: sweep, schedule: '11 * * * *' }]

export function authJobs({ database }: { database: Database }): JobHandler[] {
  return [handleJob(sweep, () => sweepCredentials(database))]
}

/** How long rows are kept after they stopped being of use; sessions for the list of recent sign-ins. */
const kept = { login_attempts: '2 days', sessions: '30 days', password_resets: '7 days' }

/** Deletes expired rows, each table in a transaction of its own. */
async function sweepCredentials(database: Database): Promise<void> {
  const statements = [
    sql`delete from login_attempts where last_at < now() - ${kept.login_attempts}::interval`,
    sql`delete from sessions where expires_at < now() - ${kept.sessions}::interval`,
    sql`delete from password_resets where expires_at < now() - ${kept.password_resets}::interval`,
    sql`delete from socket_tickets where expires_at < now()`,
  ]
  while (await asSystem(database, (db) => sweepIdempotencyKeys(db)));
  for (const statement of statements) await asSystem(database, (db) => statement.execute(db))
}
