import { Channel } from '@carillon/contract/channels'
import { asSystem, type Database, type Db } from '../../db/pool.ts'
import {
  addJob,
  addJobs,
  defineJob,
  defineProviderJob,
  handleJob,
  noPayload,
  type CronJob,
  type JobHandler,
} from '../../jobs/jobs.ts'
import type { Logger } from '../../lib/logger.ts'
import { Problem } from '../../lib/problem.ts'
import { listFailedKeys, recheckConnection } from './connection-failures.ts'
import { reportLineRecovery, reportLineTrouble, type LineKey, type LineTrouble } from './line-trouble.ts'
import { openAccount, withProviderErrors, type ProviderQueryDeps } from './open-account.ts'
import { AccountKey, findAccount, listManagedAccounts, writeSteps, type ProviderAccount } from './provider-accounts.ts'
import { syncLines } from './sync-lines.ts'
import { settleTest, type FindOutcome } from './first-message.ts'

const syncAllLines = defineJob('lines.sync-all', noPayload)
const syncAccountLines = defineProviderJob('lines.sync', AccountKey)
export const recheckConnections = defineJob('connections.recheck', noPayload)
const recheckOneConnection = defineProviderJob('connections.recheck-one', AccountKey)

export type AccountJobDeps = ProviderQueryDeps & {
  database: Database
  logger: Logger
  findOutcome: FindOutcome
  /** Resumes campaigns paused because of this account. */
  onConnectionRestored(db: Db, account: AccountKey): Promise<void>
  onLineTrouble(db: Db, trouble: LineTrouble): Promise<void>
  onLineRecovery(db: Db, line: LineKey): Promise<void>
}

export const accountCron: readonly CronJob[] = [
  { job: syncAllLines, schedule: '23 * * * *' },
  { job: recheckConnections, schedule: '* * * * *' },
]

export function accountJobs(deps: AccountJobDeps): JobHandler[] {
  const syncAll = handleJob(syncAllLines, () =>
    asSystem(deps.database, async (db) => {
      await addJobs(db, syncAccountLines, (await listManagedAccounts(db)).map(lineSyncOf))
    }),
  )
  const syncOne = handleJob(syncAccountLines, (key, { signal }) => syncAccount({ ...deps, signal }, key))
  const report = handleJob(reportLineTrouble, (trouble) =>
    asSystem(deps.database, (db) => deps.onLineTrouble(db, trouble)),
  )
  return [
    handleJob(recheckConnections, () =>
      asSystem(deps.database, async (db) => {
        const keys = await listFailedKeys(db)
        const requests = keys.map((key) => ({ payload: key, jobKey: `recheck:${key.accountId}` }))
        await addJobs(db, recheckOneConnection, requests)
      }),
    ),
    handleJob(recheckOneConnection, (key, { signal }) => recheckConnection({ ...deps, signal }, key)),
    syncAll,
    syncOne,
    report,
    handleJob(reportLineRecovery, (line) => asSystem(deps.database, (db) => deps.onLineRecovery(db, line))),
    // An earlier release named these jobs after the channel, and some may be queued when this one starts.
    ...Channel.options.flatMap((channel) => [
      { ...syncAll, name: `${channel}.sync-all-lines` },
      { ...syncOne, name: `${channel}.sync-lines` },
      { ...report, name: `${channel}.line-trouble` },
    ]),
  ]
}

/** Requests before it begins are merged, so the account is read once. */
export async function enqueueLineSync(db: Db, key: AccountKey): Promise<void> {
  await addJob(db, syncAccountLines, lineSyncOf(key))
}

const lineSyncOf = (key: AccountKey) => ({ payload: key, jobKey: `lines:${key.accountId}` })

async function syncAccount(deps: AccountJobDeps, key: AccountKey): Promise<void> {
  const { database, logger } = deps
  const transaction = <Result>(work: (db: Db) => Promise<Result>) => asSystem(database, work)
  const account = await transaction((db) => findAccount(db, key))
  if (!account) return
  await transaction((db) => saveTestOutcome(db, account, deps))
  try {
    await withProviderErrors(async () => {
      const { lines } = openAccount(account, deps).manage
      if (lines) await syncLines(transaction, { account, manage: { lines } })
    })
  } catch (error) {
    // Its connection shows the reason, because the token step fails as well; the job runs again in an hour.
    if (!(error instanceof Problem) || error.code === 'unavailable') throw error
    logger.warn({ providerAccount: key.accountId, reason: error.message }, 'the lines of an account could not be read')
  }
}

async function saveTestOutcome(db: Db, account: ProviderAccount, deps: AccountJobDeps): Promise<void> {
  if (account.setup.steps['test']?.state !== 'waiting') return
  const result = await settleTest(db, account, deps.findOutcome)
  if (result && result.state !== 'waiting')
    await writeSteps(db, account, { test: { ...result, at: deps.io.clock.now().toISOString() } })
}
