import type { Reach } from '../../../channels/management.ts'
import { asSystem, type Database, type Db } from '../../../db/pool.ts'
import { addJob, defineProviderJob } from '../../../jobs/jobs.ts'
import { Problem } from '../../../lib/problem.ts'
import { countriesOf, getAudience } from '../../audience/index.ts'
import { findAccountOfSender, openAccount, withProviderErrors, type ProviderQueryDeps } from '../../senders/index.ts'
import {
  beginCheck,
  countFailure,
  endCheck,
  findCheck,
  keepFreshBatches,
  ReachKey,
  readNumbers,
  saveBatch,
  type ReachCheck,
  type ReachRange,
} from './reach.queries.ts'
import { splitRanges } from './split-ranges.ts'

export const checkReachJob = defineProviderJob('campaign.check-reach', ReachKey, 'reach')

/** Batches that are checked at the same time. */
const concurrency = 4
/** After this many attempts in a row the campaign is planned without the missing answers. */
const mostFailures = 5

export type ReachDeps = ProviderQueryDeps & {
  database: Database
  /** Numbers per request to the provider. */
  batchSize: number
  /** Continues campaigns that wait for the check. */
  onFinished(db: Db, key: ReachKey): Promise<void>
  /** Sends started campaigns that wait for it, after the end is written. */
  afterFinished(key: ReachKey): Promise<void>
}

/** Checks the numbers of an audience that have no fresh answer, unless such a check is under way. */
export async function requestReachCheck(db: Db, key: ReachKey, reading: number): Promise<void> {
  if (!(await beginCheck(db, key, reading))) return
  await addJob(db, checkReachJob, { payload: key, jobKey: `reach:${key.audienceId}:${key.senderId}` })
}

/**
 * Every batch is stored when it is answered, so that a check that is interrupted continues where it was. Numbers without an
 * answer count as reachable: the provider's response to the message decides.
 */
export async function checkReach(deps: ReachDeps, key: ReachKey): Promise<void> {
  const { database } = deps
  const check = await asSystem(database, (db) => loadCheck(db, key))
  if (!check) return
  const { reading, account, ranges } = check
  const finish = (status: ReachCheck['status'], error?: string) =>
    asSystem(database, async (db) => {
      await endCheck(db, key, { reading, status, ...(error === undefined ? {} : { error }) })
      await deps.onFinished(db, key)
    }).then(() => deps.afterFinished(key))
  if (!account) return finish('unsupported')
  try {
    await withProviderErrors(async () => {
      const { reach } = openAccount(account, deps).manage
      if (!reach) return finish('unsupported')
      const missing = splitRanges(ranges, check.answered, deps.batchSize)
      await runAll(missing, (range) => checkBatch(database, reach, { ...key, ...range, reading }))
      await finish('done')
    })
  } catch (error) {
    const message = error instanceof Problem ? error.message : String(error)
    const failures = await asSystem(database, (db) => countFailure(db, key, message))
    if (failures < mostFailures) throw error
    await finish('failed', message)
  }
}

async function loadCheck(db: Db, key: ReachKey) {
  const check = await findCheck(db, key)
  if (check?.status !== 'checking') return undefined
  const audience = await getAudience(db, { organizationId: key.organizationId, id: key.audienceId })
  if (audience.reading !== check.reading || audience.status !== 'ready') return undefined
  return {
    reading: check.reading,
    account: await findAccountOfSender(db, key),
    ranges: countriesOf(audience),
    answered: await keepFreshBatches(db, key, check.reading),
  }
}

async function checkBatch(
  database: Database,
  reach: Reach,
  batch: ReachKey & ReachRange & { reading: number },
): Promise<void> {
  const numbers = await asSystem(database, (db) => readNumbers(db, batch))
  const answer = await reach.checkMany(numbers)
  await asSystem(database, (db) => saveBatch(db, { ...batch, numbers, answer }))
}

/** A few at a time. The first failure ends it, once those under way have ended. */
async function runAll<Task>(tasks: readonly Task[], run: (task: Task) => Promise<void>): Promise<void> {
  const rest = tasks.values()
  let failure: { error: unknown } | undefined
  async function work() {
    for (const task of rest) {
      if (failure) return
      await run(task).catch((error: unknown) => (failure ??= { error }))
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  if (failure) throw failure.error
}
