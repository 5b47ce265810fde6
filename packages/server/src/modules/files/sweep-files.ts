import { asSystem, type Database } from '../../db/pool.ts'
import { defineJob, handleJob, noPayload, type CronJob, type JobHandler } from '../../jobs/jobs.ts'
import type { FileStore } from './file-store.ts'

const sweep = defineJob('files.sweep', noPayload)

export const fileCron: CronJob[] = [{ job: sweep, schedule: '17 2 * * *' }]

const hour = 3_600_000
const batchSize = 500

/** Removes bytes without a record, left by calls that failed between storing and committing. */
export function fileJobs(deps: { database: Database; store: FileStore }): JobHandler[] {
  return [
    handleJob(sweep, async () => {
      await sweepFiles(deps, new Date(Date.now() - hour))
    }),
  ]
}

export async function sweepFiles(
  { database, store }: { database: Database; store: FileStore },
  olderThan: Date,
): Promise<number> {
  let removed = 0
  let batch: string[] = []
  const finish = async () => {
    const orphans = await findOrphans(database, batch)
    await Promise.all(orphans.map((key) => store.remove(key)))
    removed += orphans.length
    batch = []
  }
  for await (const key of store.listOlderThan(olderThan)) {
    batch.push(key)
    if (batch.length >= batchSize) await finish()
  }
  await finish()
  return removed
}

async function findOrphans(database: Database, keys: string[]): Promise<string[]> {
  if (keys.length === 0) return []
  const known = await asSystem(database, (db) =>
    db.selectFrom('files').select('storage_key').where('storage_key', 'in', keys).execute(),
  )
  const named = new Set(known.map(({ storage_key }) => storage_key))
  return keys.filter((key) => !named.has(key))
}
