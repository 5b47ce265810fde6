import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { runEvery, type Repeated } from '../../lib/background.ts'
import type { Logger } from '../../lib/logger.ts'

const hourMs = 3_600_000

export type TemporarySweepOptions = {
  directory: string
  logger: Logger
  /** Other processes may use the folder: files younger than an hour are kept, also at start. */
  isShared: boolean
}

/** Removes temporary files left by a crash, at start and hourly. */
export function startTemporarySweep({ directory, logger, isShared }: TemporarySweepOptions): Repeated {
  const firstOwn = isShared ? 0 : Date.now()
  return runEvery(hourMs, () => sweepTemporary(directory, new Date(Math.max(firstOwn, Date.now() - hourMs))), {
    name: 'temporary files',
    logger,
  })
}

/** Removes files last written before the given time. */
export async function sweepTemporary(directory: string, olderThan: Date): Promise<void> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(ignoreMissing)
  for (const entry of entries ?? []) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const file = await stat(path).catch(ignoreMissing)
    if (file && file.mtime < olderThan) await rm(path, { force: true })
  }
}

function ignoreMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
  throw error
}
