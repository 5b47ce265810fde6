import { asSystem, type Database, type Db } from '../../db/pool.ts'
import { enqueue, type CronJob, type JobHandlers } from '../../jobs/jobs.ts'
import type { Logger } from '../../lib/logger.ts'
import { Problem } from '../../lib/problem.ts'
import { asking, findAccount, listAccountKeys, openAccount, type AccountKey, type AskDeps } from '../senders/index.ts'
import { syncTemplates, type OnTemplateStatus } from './sync-templates.ts'

declare module '../../jobs/jobs.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface JobPayloads {
    'whatsapp.sync-all-templates': Record<string, never>
    'whatsapp.sync-templates': AccountKey
  }
}

export type TemplateJobDeps = AskDeps & { database: Database; logger: Logger; onTemplateStatus: OnTemplateStatus }

export const templateCron: readonly CronJob[] = [{ name: 'whatsapp.sync-all-templates', schedule: '53 * * * *' }]

export function templateJobs(deps: TemplateJobDeps): JobHandlers {
  return {
    'whatsapp.sync-all-templates': () =>
      asSystem(deps.database, async (db) => {
        for (const key of await listAccountKeys(db)) await enqueueTemplateSync(db, key)
      }),
    'whatsapp.sync-templates': (key) => syncAccount(deps, key),
  }
}

/** However often it is asked for before it begins, the account is read once. */
export async function enqueueTemplateSync(db: Db, key: AccountKey): Promise<void> {
  await enqueue(db, { name: 'whatsapp.sync-templates', payload: key, jobKey: `whatsapp-templates:${key.accountId}` })
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
