import { sql } from 'kysely'
import { asSystem, type Database } from '../../db/pool.ts'
import { defineJob, handleJob, noPayload, type CronJob, type JobHandler } from '../../jobs/jobs.ts'
import type { Clock } from '../../lib/clock.ts'

const forget = defineJob('links.forget', noPayload)

export const linkCron: CronJob[] = [{ job: forget, schedule: '41 3 * * *' }]

export type LinkJobDeps = { database: Database; clock: Clock; retentionDays: number }

export function linkJobs(deps: LinkJobDeps): JobHandler[] {
  return [handleJob(forget, () => forgetClicks(deps))]
}

const atOnce = 5000
const dayMs = 86_400_000

/** Deletes who clicked before the retention. The links lead on, and their counts stay. */
export async function forgetClicks({ database, clock, retentionDays }: LinkJobDeps): Promise<void> {
  const before = new Date(clock.now().getTime() - retentionDays * dayMs)
  for (const table of ['link_clicks', 'campaign_clickers'] as const)
    for (let deleted = atOnce; deleted === atOnce;) {
      const { numAffectedRows } = await asSystem(database, (db) =>
        sql`delete from ${sql.table(table)} where ctid = any(array(
          select ctid from ${sql.table(table)} where first_at < ${before} limit ${sql.lit(atOnce)}))`.execute(db),
      )
      deleted = Number(numAffectedRows ?? 0n)
    }
}
