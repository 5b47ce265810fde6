import { asSystem, type Database, type Db } from '../../db/pool.ts'
import { addJob, defineJob, handleJob, noPayload, type CronJob, type JobHandler } from '../../jobs/jobs.ts'
import type { Logger } from '../../lib/logger.ts'
import { Problem } from '../../lib/problem.ts'
import { asking, findAccount, listAccountKeys, openAccount, AccountKey, type AskDeps } from '../senders/index.ts'
import { syncTemplates, type OnTemplateStatus } from './sync-templates.ts'

const syncAllTemplates = defineJob('whatsapp.sync-all-templates', noPayload)
const syncAccountTemplates = defineJob('whatsapp.sync-templates', AccountKey)

export type TemplateJobDeps = AskDeps & { database: Database; logger: Logger; onTemplateStatus: OnTemplateStatus }

export const templateCron: readonly CronJob[] = [{ job: syncAllTemplates, schedule: '53 * * * *' }]

export function templateJobs(deps: TemplateJobDeps): JobHandler[] {
  return [
    handleJob(syncAllTemplates, () =>
      asSystem(deps.database, async (db) => {
        for (const key of await listAccountKeys(db)) await enqueueTemplateSync(db, key)
      }),
    ),
    handleJob(syncAccountTemplates, (key) => syncAccount(deps, key)),
  ]
}

/** However often it is asked for before it begins, the account is read once. */
export async function enqueueTemplateSync(db: Db, key: AccountKey): Promise<void> {
  await addJob(db, syncAccountTemplates, { payload: key, jobKey: `whatsapp-templates:${key.accountId}` })
}

async function syncAccount(deps: TemplateJobDeps, key: AccountKey): Promise<void> {
  const { database, logger, onTemplateStatus } = deps
  const transaction = <Result>(work: (db: Db) => Promise<Result>) => asSystem(database, work)
  const account = await transaction((db) => findAccount(db, key))
  if (!account) return
  try {
    const now = deps.io.clock.now()
    await asking(async () =>
      syncTemplates(transaction, { account, ...openAccount(account, deps), now }, onTemplateStatus),
    )
  } catch (error) {
    // The next hour tries again; whoever looks at the connection sees the reason there.
    if (!(error instanceof Problem)) throw error
    logger.warn(
      { providerAccount: key.accountId, reason: error.message },
      'the templates of an account could not be read',
    )
  }
}
