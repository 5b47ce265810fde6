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
import {
  AccountKey,
  findAccount,
  listManagedAccounts,
  openAccount,
  withProviderErrors,
  type ProviderQueryDeps,
} from '../senders/index.ts'
import { syncTemplates, type OnTemplateStatus } from './sync-templates.ts'

const syncAllTemplates = defineJob('templates.sync-all', noPayload)
const syncAccountTemplates = defineProviderJob('templates.sync', AccountKey)

export type TemplateJobDeps = ProviderQueryDeps & {
  database: Database
  logger: Logger
  onTemplateStatus: OnTemplateStatus
}

export const templateCron: readonly CronJob[] = [{ job: syncAllTemplates, schedule: '53 * * * *' }]

export function templateJobs(deps: TemplateJobDeps): JobHandler[] {
  const syncAll = handleJob(syncAllTemplates, () =>
    asSystem(deps.database, async (db) => {
      await addJobs(db, syncAccountTemplates, (await listManagedAccounts(db)).map(templateSyncOf))
    }),
  )
  const syncOne = handleJob(syncAccountTemplates, (key, { signal }) => syncAccount({ ...deps, signal }, key))
  return [
    syncAll,
    syncOne,
    // An earlier release named these jobs after the channel, and some may be queued when this one starts.
    ...Channel.options.flatMap((channel) => [
      { ...syncAll, name: `${channel}.sync-all-templates` },
      { ...syncOne, name: `${channel}.sync-templates` },
    ]),
  ]
}

/** Requests before it begins are merged, so the account is read once. */
export async function enqueueTemplateSync(db: Db, key: AccountKey): Promise<void> {
  await addJob(db, syncAccountTemplates, templateSyncOf(key))
}

const templateSyncOf = (key: AccountKey) => ({ payload: key, jobKey: `templates:${key.accountId}` })

async function syncAccount(deps: TemplateJobDeps, key: AccountKey): Promise<void> {
  const { database, logger, onTemplateStatus } = deps
  const transaction = <Result>(work: (db: Db) => Promise<Result>) => asSystem(database, work)
  const account = await transaction((db) => findAccount(db, key))
  if (!account) return
  try {
    const now = deps.io.clock.now()
    await withProviderErrors(async () => {
      const { templateReview } = openAccount(account, deps).manage
      if (templateReview)
        await syncTemplates(transaction, { account, manage: { templateReview }, now }, onTemplateStatus)
    })
  } catch (error) {
    // The job runs again in an hour; the connection shows the reason.
    if (!(error instanceof Problem) || error.code === 'unavailable') throw error
    logger.warn(
      { providerAccount: key.accountId, reason: error.message },
      'the templates of an account could not be read',
    )
  }
}
