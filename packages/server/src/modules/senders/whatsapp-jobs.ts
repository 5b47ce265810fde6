import { asSystem, type Database, type Db } from '../../db/pool.ts'
import { enqueue, type CronJob, type JobHandlers } from '../../jobs/jobs.ts'
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
import { syncLines } from './sync-lines.ts'
import { settleTest, type TestDeps } from './first-message.ts'

declare module '../../jobs/jobs.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface JobPayloads {
    'whatsapp.sync-all-lines': Record<string, never>
    'whatsapp.sync-lines': AccountKey
    'connections.recheck': Record<string, never>
  }
}

export type AccountKey = { organizationId: string; accountId: string }

export type AccountJobDeps = AskDeps &
  Pick<TestDeps, 'findOutcome' | 'onConnectionRestored'> & {
    database: Database
    logger: Logger
    onLineTrouble(db: Db, trouble: LineTrouble): Promise<void>
  }

export const whatsappCron: readonly CronJob[] = [
  { name: 'whatsapp.sync-all-lines', schedule: '23 * * * *' },
  { name: 'connections.recheck', schedule: '* * * * *' },
]

export function whatsappJobs(deps: AccountJobDeps): JobHandlers {
  return {
    'whatsapp.sync-all-lines': () =>
      asSystem(deps.database, async (db) => {
        for (const key of await listAccountKeys(db)) await enqueueLineSync(db, key)
      }),
    'connections.recheck': () => recheckFailedConnections(deps),
    'whatsapp.sync-lines': (key) => syncAccount(deps, key),
    'whatsapp.line-trouble': (trouble) => asSystem(deps.database, (db) => deps.onLineTrouble(db, trouble)),
  }
}

/** However often it is asked for before it begins, the account is read once. */
export async function enqueueLineSync(db: Db, key: AccountKey): Promise<void> {
  await enqueue(db, { name: 'whatsapp.sync-lines', payload: key, jobKey: `whatsapp-lines:${key.accountId}` })
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
  await transaction((db) => keepTestOutcome(db, account, deps))
  try {
    await asking(async () => syncLines(transaction, { account, ...openAccount(account, deps) }))
  } catch (error) {
    // Told on its screen, whose step for the token fails in the same words; the next hour tries again.
    if (!(error instanceof Problem)) throw error
    logger.warn({ providerAccount: key.accountId, reason: error.message }, 'the lines of an account could not be read')
  }
}

async function keepTestOutcome(db: Db, account: ProviderAccount, deps: AccountJobDeps): Promise<void> {
  if (account.setup.steps.test?.state !== 'waiting') return
  const told = await settleTest(db, account, deps)
  if (told && told.state !== 'waiting')
    await writeSteps(db, account, { test: { ...told, at: deps.io.clock.now().toISOString() } })
}
