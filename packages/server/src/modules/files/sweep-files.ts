import { asSystem, type Database } from '../../db/pool.ts'
import type { JobHandlers } from '../../jobs/jobs.ts'
import type { FileStore } from './file-store.ts'

declare module '../../jobs/jobs.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface JobPayloads {
    'files.sweep': Record<string, never>
  }
}

const hour = 3_600_000
const batchSize = 500

/** Removes bytes that no record names: what is left when a call failed between storing and committing. */
export function fileJobs(deps: { database: Database; store: FileStore }): JobHandlers {
  return {
    async 'files.sweep'() {
      await sweepFiles(deps, new Date(Date.now() - hour))
    },
  }
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
