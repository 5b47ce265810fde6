import { asSystem, type Database } from '../../db/pool.ts'
import { defineJob, handleJob, noPayload, type CronJob, type JobHandler } from '../../jobs/jobs.ts'
import { forgetFile, type FileStore } from '../files/index.ts'
import { prepareReport, type PrepareDeps } from './prepare-report.ts'
import { prepareReportJob } from './request-report.ts'

const expire = defineJob('reports.expire', noPayload)

export const reportFileCron: CronJob[] = [{ job: expire, schedule: '23 * * * *' }]

export function reportFileJobs(deps: PrepareDeps): JobHandler[] {
  return [
    handleJob(prepareReportJob, (key, { signal }) => prepareReport(deps, key, signal)),
    handleJob(expire, () => expireReports(deps, deps.clock.now())),
  ]
}

const batchSize = 100

/** Deletes the files of reports that expired. */
export async function expireReports(
  { database, store }: { database: Database; store: FileStore },
  now: Date,
): Promise<void> {
  for (let expired = batchSize; expired === batchSize;) {
    const keys = await asSystem(database, async (db) => {
      const reports = await db
        .selectFrom('reports')
        .select(['organization_id', 'id', 'file_id'])
        .where('status', '=', 'ready')
        .where('expires_at', '<=', now)
        .orderBy('expires_at')
        .limit(batchSize)
        .forUpdate()
        .skipLocked()
        .execute()
      const forgotten: string[] = []
      for (const { organization_id: organizationId, id, file_id: fileId } of reports) {
        await db
          .updateTable('reports')
          .set({ status: 'expired', file_id: null, preview: '[]' })
          .where('organization_id', '=', organizationId)
          .where('id', '=', id)
          .execute()
        const key = fileId === null ? undefined : await forgetFile(db, { organizationId, id: fileId })
        if (key) forgotten.push(key)
      }
      expired = reports.length
      return forgotten
    })
    await Promise.all(keys.map((key) => store.remove(key)))
  }
}
