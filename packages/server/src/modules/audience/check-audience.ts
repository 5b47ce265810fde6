import { setTimeout as sleep } from 'node:timers/promises'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { maximumAudienceRows } from '@carillon/contract/audience'
import { asSystem, type Database, type Db } from '../../db/pool.ts'
import { defineJob, handleJob, noPayload, type CronJob, type JobHandler } from '../../jobs/jobs.ts'
import { forgetFile, getFile, saveUpload } from '../files/index.ts'
import { openSource, type AudienceSource } from './audience-source.ts'
import {
  correctionsOf,
  getAudience,
  listUnfinished,
  updateReading,
  type AudienceRow,
  type ReadingKey,
  type ReadingUpdate,
} from './audiences.queries.ts'
import { closeBlocks } from './country-blocks.ts'
import { createBatchChecker, type BatchChecker } from './check-rows.ts'
import { checkReading, enqueueReading, type AudienceDeps } from './create-audience.ts'
import { createRejectsFile, type RejectsFile } from './rejects-file.ts'
import { UnreadableFile } from './reading/unreadable-file.ts'

export type CheckDeps = AudienceDeps & {
  database: Database
  /** Called in the transaction that ends the validation, ready or failed. */
  onSettled: (db: Db, audience: AudienceRow) => Promise<void>
}

const progressEveryMs = 250
const lockTries = 100
const lockPauseMs = 200

const resumeReadings = defineJob('audience.resume', noPayload)

export const audienceCron: CronJob[] = [{ job: resumeReadings, schedule: '* * * * *' }]

export function audienceJobs(deps: CheckDeps): JobHandler[] {
  return [
    handleJob(checkReading, (key, { signal }) => checkAudience(deps, key, signal)),
    handleJob(resumeReadings, () => resumeAudiences(deps)),
  ]
}

/** Adds jobs for all unfinished validations, since the job of a dead process is lost. A running one keeps its lock. */
export async function resumeAudiences({ database }: Pick<CheckDeps, 'database'>): Promise<void> {
  await asSystem(database, async (db) => {
    for (const key of await listUnfinished(db)) await enqueueReading(db, key)
  })
}

/** The run was replaced by a newer one or is finished; its results are discarded. */
class StaleReading extends Error {
  override name = 'StaleReading'
}

/** Reads the whole file from the start on each run, so a crash costs only time. */
export async function checkAudience(deps: CheckDeps, key: ReadingKey, signal: AbortSignal): Promise<void> {
  // A dedicated connection: held for the whole file, while progress and opt-outs use the pools.
  const client = await deps.database.connectAsOwner()
  try {
    if (await lockAudience(client, key, signal)) await readWhileLocked(deps, client, { key, signal })
  } finally {
    // Also releases the lock.
    await client.end().catch(() => undefined)
  }
}

/** One run per audience across all processes. An outdated run notices and stops. */
async function lockAudience(client: pg.Client, { audienceId }: ReadingKey, signal: AbortSignal): Promise<boolean> {
  for (let tries = 0; tries < lockTries && !signal.aborted; tries += 1) {
    const { rows } = await client.query<{ locked: boolean }>(
      'select pg_try_advisory_lock(hashtextextended($1, 1)) as locked',
      [audienceId],
    )
    if (rows[0]?.locked) return true
    await sleep(lockPauseMs)
  }
  return false
}

type Task = { key: ReadingKey; signal: AbortSignal }

async function readWhileLocked(deps: CheckDeps, client: pg.Client, { key, signal }: Task) {
  const audience = await asSystem(deps.database, (db) =>
    getAudience(db, { organizationId: key.organizationId, id: key.audienceId }),
  )
  if (audience.reading !== key.reading || !['reading', 'checking'].includes(audience.status)) return
  try {
    await readAudience(deps, client, { key, signal, audience })
  } catch (error) {
    if (error instanceof StaleReading) return
    const words = explain(error)
    if (words === undefined) throw error
    await settle(deps, key, { status: 'failed', error: words })
  }
}

function explain(error: unknown): string | undefined {
  if (error instanceof UnreadableFile) return error.message
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
    return 'The file is no longer stored: upload it again'
  return undefined
}

async function readAudience(
  deps: CheckDeps,
  client: pg.Client,
  { key, signal, audience }: Task & { audience: AudienceRow },
) {
  const file = await asSystem(deps.database, (db) =>
    getFile(db, { organizationId: key.organizationId, id: audience.file_id }),
  )
  const source = await openSource(deps.store.localPath(file.storage_key), audience)
  const { format, names, phoneColumn, sample, sheets, sheet } = source
  const update: ReadingUpdate = {
    status: 'checking',
    format,
    columns: names,
    phone_column: phoneColumn ?? null,
    sheets,
    sheet: sheet ?? null,
    sample,
  }
  const begun = await asSystem(deps.database, (db) => updateReading(db, key, update))
  if (!begun) return
  if (phoneColumn === undefined) throw new UnreadableFile('no_phone_column')

  const checker = createBatchChecker({
    organizationId: key.organizationId,
    audienceId: key.audienceId,
    phoneColumn,
    defaultCountry: audience.default_country,
    channel: audience.channel,
    width: names.length,
    corrections: correctionsOf(audience),
  })
  const rejects = await createRejectsFile(deps.temporaryDirectory)
  try {
    const report = createReporter(deps, key)
    const lines = linesOf({ source, checker, rejects, signal, report })
    await copyRecipients(client, key, { lines, checker })
    if (checker.counts.total === 0) throw new UnreadableFile('empty')
    await finish(deps, key, { audience, checker, rejects })
  } finally {
    await rejects.discard()
  }
}

/** Replaces recipients of an earlier run in the same transaction; they are not read before the audience is ready. */
async function copyRecipients(
  client: pg.Client,
  { organizationId, audienceId }: ReadingKey,
  { lines, checker }: { lines: AsyncIterable<string>; checker: BatchChecker },
) {
  await client.query('begin')
  try {
    await client.query('delete from recipients where organization_id = $1 and audience_id = $2', [
      organizationId,
      audienceId,
    ])
    await pipeline(
      lines,
      client.query(copyFrom('copy recipients (organization_id, audience_id, seq, phone, variables) from stdin')),
    )
    await closeBlocks(client, { organizationId, audienceId }, checker.blocks())
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

type Lines = {
  source: AudienceSource
  checker: BatchChecker
  rejects: RejectsFile
  signal: AbortSignal
  report: (checker: BatchChecker) => Promise<void>
}

async function* linesOf({ source, checker, rejects, signal, report }: Lines): AsyncGenerator<string> {
  for await (const batch of source.rows()) {
    signal.throwIfAborted()
    const checked = checker.check(batch)
    if (checker.counts.total > maximumAudienceRows) throw new UnreadableFile('too_many_rows')
    await rejects.add(checked.rejects)
    await report(checker)
    if (checked.lines !== '') yield checked.lines
  }
}

/** Writes progress at most four times per second, and detects newer runs. */
function createReporter({ database }: CheckDeps, key: ReadingKey): (checker: BatchChecker) => Promise<void> {
  let next = Date.now() + progressEveryMs
  return async ({ counts, sampleErrors }) => {
    if (Date.now() < next) return
    next = Date.now() + progressEveryMs
    const row = await asSystem(database, (db) => updateReading(db, key, { ...counts, sample_errors: sampleErrors() }))
    if (!row) throw new StaleReading()
  }
}

async function finish(
  deps: CheckDeps,
  key: ReadingKey,
  { audience, checker, rejects }: { audience: AudienceRow; checker: BatchChecker; rejects: RejectsFile },
) {
  const upload = await rejects.close(`${audience.file_name.replace(/\.\w+$/, '')} not accepted.csv`)
  const before = audience.rejects_file_id
  await asSystem(deps.database, async (db) => {
    const file =
      upload &&
      (await saveUpload(db, deps.store, {
        organizationId: key.organizationId,
        createdBy: audience.created_by,
        purpose: 'audience_rejects',
        mimeType: 'text/csv',
        upload,
      }))
    const row = await updateReading(db, key, {
      ...checker.counts,
      percent: 100,
      status: 'ready',
      error: null,
      sample_errors: checker.sampleErrors(),
      corrected_rows: checker.correctedRows,
      hidden_rows: checker.hiddenRows(),
      countries: checker.blocks().map(({ country, lo, hi }) => ({ country, lo, hi })),
      rejects_file_id: file?.id ?? null,
      empty_cells: checker.emptyCells,
    })
    if (!row) throw new StaleReading()
    // The nightly sweep deletes its bytes.
    if (before) await forgetFile(db, { organizationId: key.organizationId, id: before })
    await deps.onSettled(db, row)
  })
}

async function settle(deps: CheckDeps, key: ReadingKey, update: ReadingUpdate) {
  await asSystem(deps.database, async (db) => {
    const settled = await updateReading(db, key, update)
    if (settled) await deps.onSettled(db, settled)
  })
}
