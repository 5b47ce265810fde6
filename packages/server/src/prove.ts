/**
 * `npm run prove`: compares all figures of reports with the messages and the ledger, and prints what differs. With `--mend` the figures are
 * counted again. Runs beside the product, or starts the embedded database itself.
 */
import { ConfigError, readConfig } from './config.ts'
import { DataInUseError, lockData } from './db/data-lock.ts'
import { startEmbeddedPostgres } from './db/embedded.ts'
import { migrate } from './db/migrate.ts'
import { openDatabase } from './db/pool.ts'
import { rolesOf } from './db/roles.ts'
import { createLogger } from './lib/logger.ts'
import { listMismatches, mendFigures, proveFigures, type Mismatch } from './modules/messages/index.ts'

const logger = createLogger('silent')

const [flag, ...others] = process.argv.slice(2)
if (others.length > 0 || (flag !== undefined && flag !== '--mend')) fail('Usage: npm run prove [-- --mend]')
try {
  process.exitCode = await prove({ mends: flag === '--mend' })
} catch (error) {
  fail(error instanceof ConfigError ? error.message : String(error))
}

/** Returns the exit code: 1 if figures differ. */
async function prove({ mends }: { mends: boolean }): Promise<number> {
  const { databaseUrl, roles, close } = await findDatabase()
  const database = openDatabase(databaseUrl, { app: 1, system: 2, owner: 1 }, roles)
  try {
    const { days } = await proveFigures(database.systemPool, { logger, all: true })
    if (mends) await mendFigures(database.systemPool, { logger })
    const mismatches = await listMismatches(database.systemPool)
    for (const mismatch of mismatches) process.stdout.write(`${describe(mismatch)}\n`)
    process.stdout.write(`${days} days of messages compared, ${mismatches.length} figures differ\n`)
    return mismatches.length > 0 ? 1 : 0
  } finally {
    await database.close()
    await close()
  }
}

async function findDatabase() {
  const config = readConfig(process.env, [])
  const roles = rolesOf(config.DATABASE_ROLE_PREFIX)
  if (config.DATABASE_URL) return { databaseUrl: config.DATABASE_URL, roles, close: async () => undefined }
  const release = lockIfFree(config.dataDirectory)
  const postgres = await startEmbeddedPostgres({ dataDirectory: config.dataDirectory })
  // A running product has migrated its database, and keeps it running.
  if (release) await migrate(postgres.url, roles)
  return {
    databaseUrl: postgres.url,
    roles,
    async close() {
      if (!release) return
      await postgres.stop()
      release()
    },
  }
}

/** Undefined if the product runs with this folder. */
function lockIfFree(dataDirectory: string): (() => void) | undefined {
  try {
    return lockData(dataDirectory)
  } catch (error) {
    if (error instanceof DataInUseError) return undefined
    throw error
  }
}

function describe({ organizationId, source, createdOn, campaignId, day, differences }: Mismatch): string {
  const place = [
    `organization ${organizationId}`,
    campaignId && `campaign ${campaignId}`,
    day && `day ${day}`,
    createdOn && `messages of ${createdOn}`,
  ]
  return `${source}: ${place.filter(Boolean).join(', ')}: ${JSON.stringify(differences)}`
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}
