import { asSystem, type Database, type Db } from '../../db/pool.ts'
import { addJob, defineJob, handleJob, noPayload, type CronJob, type JobHandler } from '../../jobs/jobs.ts'
import type { Logger } from '../../lib/logger.ts'
import { Problem } from '../../lib/problem.ts'
import {
  asking,
  openAccount,
  readAccount,
  writeSteps,
  type AskDeps,
  type ProviderAccount,
} from './provider-accounts.ts'
import { recheckFailedConnections } from './connection-failures.ts'
import type { LineTrouble } from './line-trouble.ts'
import { reportLineTrouble, syncLines } from './sync-lines.ts'
import { z } from 'zod'
import { settleTest, type TestDeps } from './test-message.ts'

export const AccountKey = z.object({ organizationId: z.string(), accountId: z.string() })
export type AccountKey = z.infer<typeof AccountKey>

const syncAllLines = defineJob('whatsapp.sync-all-lines', noPayload)
const syncAccountLines = defineJob('whatsapp.sync-lines', AccountKey)
export const recheckConnections = defineJob('connections.recheck', noPayload)

export type AccountJobDeps = AskDeps &
  Pick<TestDeps, 'findOutcome' | 'onConnectionRestored'> & {
    database: Database
    logger: Logger
    onLineTrouble(db: Db, trouble: LineTrouble): Promise<void>
  }

export const whatsappCron: readonly CronJob[] = [
  { job: syncAllLines, schedule: '23 * * * *' },
  { job: recheckConnections, schedule: '* * * * *' },
]

export function whatsappJobs(deps: AccountJobDeps): JobHandler[] {
  return [
    handleJob(syncAllLines, () =>
      asSystem(deps.database, async (db) => {
        for (const key of await listAccountKeys(db)) await enqueueLineSync(db, key)
      }),
    ),
    handleJob(recheckConnections, () => recheckFailedConnections(deps)),
    handleJob(syncAccountLines, (key) => syncAccount(deps, key)),
    handleJob(reportLineTrouble, (trouble) => asSystem(deps.database, (db) => deps.onLineTrouble(db, trouble))),
  ]
}

/** However often it is asked for before it begins, the account is read once. */
export async function enqueueLineSync(db: Db, key: AccountKey): Promise<void> {
  await addJob(db, syncAccountLines, { payload: key, jobKey: `whatsapp-lines:${key.accountId}` })
}

/** Every account that is connected, of all organisations. */
export async function listAccountKeys(db: Db): Promise<AccountKey[]> {
  const rows = await db
    .selectFrom('provider_accounts')
    .select(['organization_id', 'id'])
    .where('channel', '=', 'whatsapp')
    .where('secrets', 'is not', null)
    .execute()
  return rows.map(({ organization_id, id }) => ({ organizationId: organization_id, accountId: id }))
}

/** An account for jobs and callbacks, which have no scope; undefined once it was disconnected. */
export async function findAccount(
  db: Db,
  { organizationId, accountId }: AccountKey,
): Promise<ProviderAccount | undefined> {
  const row = await db
    .selectFrom('provider_accounts')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', accountId)
    .where('secrets', 'is not', null)
    .executeTakeFirst()
  return row && readAccount(row)
}

async function syncAccount(deps: AccountJobDeps, key: AccountKey): Promise<void> {
  const { database, logger } = deps
  const transaction = <Result>(work: (db: Db) => Promise<Result>) => asSystem(database, work)
  const account = await transaction((db) => findAccount(db, key))
  if (!account) return
  await transaction((db) => saveTestOutcome(db, account, deps))
  try {
    await asking(async () => syncLines(transaction, { account, ...openAccount(account, deps) }))
  } catch (error) {
    // Told on its screen, whose step for the token fails in the same words; the next hour tries again.
    if (!(error instanceof Problem)) throw error
    logger.warn({ providerAccount: key.accountId, reason: error.message }, 'the lines of an account could not be read')
  }
}

async function saveTestOutcome(db: Db, account: ProviderAccount, deps: AccountJobDeps): Promise<void> {
  if (account.setup.steps.test?.state !== 'waiting') return
  const told = await settleTest(db, account, deps)
  if (told && told.state !== 'waiting')
    await writeSteps(db, account, { test: { ...told, at: deps.io.clock.now().toISOString() } })
}
