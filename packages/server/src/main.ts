import { createRequire } from 'node:module'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createApp, type App } from './app.ts'
import { ConfigError, readConfig, type Config } from './config.ts'
import { DataInUseError, lockData } from './db/data-lock.ts'
import {
  EmbeddedPostgresError,
  restartEmbeddedPostgres,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from './db/embedded.ts'
import { supervisePostgres, type KeepOptions } from './db/keep-postgres.ts'
import { createDatabaseIfMissing, migrate, MigrationError } from './db/migrate.ts'
import { DatabaseRoleError, rolesOf } from './db/roles.ts'
import { requireSessionPooling } from './db/session-pooling.ts'
import { DatabaseSetupError } from './db/setup-error.ts'
import { isUnavailable } from './db/unavailable.ts'
import { runStory } from './demo/run-story.ts'
import { demoLogins, pointDemoAtSimulator, seedDemo } from './demo/seed-demo.ts'
import { isStoryIncomplete } from './demo/story-progress.ts'
import { awaitEnding, type Ending } from './ending.ts'
import { catchTheRest } from './lib/last-resort.ts'
import { createLogger, type Logger } from './lib/logger.ts'
import { createSecretBox } from './lib/secrets.ts'
import { offerFirstAdmin } from './modules/auth/index.ts'
import { loadSecretKey } from './secret-key.ts'
import { allowSimulator, followSimulator, openSimulator, SimulatorError, type UsedSimulator } from './simulator.ts'

// Our own package.json, which has a version.
const version = (createRequire(import.meta.url)('../package.json') as { version: string }).version

/** A startup error the operator can fix: one line, no stack. */
class StartError extends Error {
  override name = 'StartError'
}

/** Common error codes of the system and PostgreSQL. */
const wordsByCode: Record<string, string> = {
  ENOSPC: 'The disk is full',
  ECONNREFUSED: 'The database does not respond: check DATABASE_URL',
  ENOTFOUND: 'The host of the database is unknown: check DATABASE_URL',
  '28P01': 'The database rejects the user or the password: check DATABASE_URL',
  '28000': 'The database rejects the user or the password: check DATABASE_URL',
  '3D000': 'The server has no database of that name: check DATABASE_URL',
}

type Running = {
  app: App
  config: Config
  postgres: { stop(): Promise<void> } | undefined
  simulator: { close(): Promise<void> } | undefined
  /** Follows the simulator of another process. */
  following: { stop(): Promise<void> } | undefined
  story: { stop(): Promise<void> } | undefined
}

/** Longer than all timeouts of a stop. */
const stopWithinMs = 40_000

await main()

async function main() {
  try {
    const endings = awaitEnding()
    const config = readConfig(process.env, process.argv.slice(2))
    const logger = createLogger(config.LOG_LEVEL)
    const { unhandledRejections } = catchTheRest(logger, endings.fail)
    const running = await Promise.race([
      start({ config, logger, unhandledRejections, onFailure: endings.fail }),
      rejectOnFailure(endings.first),
    ])
    await end(running, await endings.first)
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`)
    process.exit(1)
  }
}

/** A failure aborts a start; a signal waits for it. */
async function rejectOnFailure(first: Promise<Ending>): Promise<never> {
  const ending = await first
  if (ending.kind === 'failed') throw ending.error
  return new Promise(() => undefined)
}

async function end(running: Running, ending: Ending): Promise<never> {
  if (ending.kind === 'failed') {
    running.app.fail(ending.error.message)
    process.stderr.write(`${explain(ending.error)}\n`)
  } else if (ending.mayDrain) await drain(running)
  setTimeout(() => {
    process.stderr.write('Shutdown timed out\n')
    process.exit(1)
  }, stopWithinMs)
  await stop(running)
  process.exit(ending.kind === 'failed' ? 1 : 0)
}

/** Only a process that serves calls has load balancers in front. */
async function drain({ app, config }: Running) {
  if (!config.roles.has('web')) return
  app.drain()
  await new Promise((over) => setTimeout(over, config.drainSeconds * 1000))
}

/** Stops in order: no new work, in-flight work finishes, the database last. */
async function stop({ app, postgres, simulator, following, story }: Running) {
  try {
    await story?.stop()
    await following?.stop()
    await app.close()
    await simulator?.close()
  } finally {
    await postgres?.stop()
  }
}

type Start = {
  config: Config
  logger: Logger
  unhandledRejections: () => number
  onFailure(error: Error): void
}

async function start(options: Start): Promise<Running> {
  const { config, logger, unhandledRejections } = options
  makeDataDirectory(config.dataDirectory)
  const { databaseUrl, postgres } = await findDatabase(options)
  try {
    if (postgres) await createDatabaseIfMissing(databaseUrl)
    else await requireSessionPooling(databaseUrl)
    await migrate(databaseUrl, rolesOf(config.DATABASE_ROLE_PREFIX))
    const simulator = config.simulator ? await openSimulator(config, databaseUrl) : undefined
    const egress = allowSimulator(config, simulator)
    const app = await createApp({
      config: { ...config, EGRESS_ALLOW: egress.allowed },
      databaseUrl,
      logger,
      version,
      unhandledRejections,
      demoAccount: simulator?.demoAccount,
      ...webDirectory(),
    })
    const isElsewhere = config.simulator && !simulator?.own
    const following = isElsewhere
      ? followSimulator({ pool: app.database.systemPool, logger, onPlace: egress.allow })
      : undefined
    await serveSmpp(app, config)
    const story = config.roles.has('web') ? await serve({ app, config, simulator }) : undefined
    if (!config.roles.has('web')) say(`Carillon ${version} runs ${[...config.roles].join(' and ')}`)
    await serveMonitoring(app, config)
    printIfAny(app.sendingNotice())
    return { app, config, postgres, simulator: simulator?.own, following, story }
  } catch (error) {
    await postgres?.stop()
    throw error
  }
}

/** Node's recursive mkdir hangs if the system reports a missing parent, as in /proc. */
function makeFolder(directory: string) {
  if (existsSync(directory)) return
  if (dirname(directory) !== directory) makeFolder(dirname(directory))
  try {
    mkdirSync(directory)
  } catch (error) {
    // Another process created it meanwhile.
    if (!existsSync(directory)) throw error
  }
}

function makeDataDirectory(directory: string) {
  try {
    makeFolder(directory)
    const probe = join(directory, `.writable-${process.pid}`)
    writeFileSync(probe, '')
    rmSync(probe)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartError(`DATA_DIR is ${directory}, which cannot be written: ${reason}`)
  }
}

async function findDatabase({ config, logger, onFailure }: Start): Promise<{
  databaseUrl: string
  postgres?: { stop(): Promise<void> }
}> {
  if (config.DATABASE_URL) return { databaseUrl: config.DATABASE_URL }
  const own = await startOwnDatabase(config.dataDirectory)
  const databaseUrl = own.running.url
  return { databaseUrl, postgres: superviseDatabase(own, { config, logger, onGivenUp: onFailure }) }
}

/** The current embedded database, which may have been restarted. */
type OwnDatabase = { running: EmbeddedPostgres }

/** With an external database several processes may share a folder; the embedded one belongs to a single process. */
async function startOwnDatabase(dataDirectory: string): Promise<OwnDatabase> {
  process.once('exit', lockData(dataDirectory))
  const own = { running: await startEmbeddedPostgres({ dataDirectory, onNotice: say }) }
  // On any exit of this process; only `kill -9` leaves the database running, and the next start takes it over.
  process.once('exit', () => own.running.requestStop())
  return own
}

function superviseDatabase(
  own: OwnDatabase,
  { config: { dataDirectory }, ...options }: Pick<Start, 'config' | 'logger'> & Pick<KeepOptions, 'onGivenUp'>,
): { stop(): Promise<void> } {
  return supervisePostgres(own.running, {
    ...options,
    async start(port) {
      own.running = await restartEmbeddedPostgres({ dataDirectory, port })
      return own.running
    },
  })
}

/** A demo is seeded before the first response, so that sign-in works once the server is ready. */
async function serve({ app, config, simulator }: Omit<Arrival, 'address'>): Promise<Running['story']> {
  if (config.demo) await prepareDemo({ app, config, simulator })
  const address = await listen(app, config)
  await welcome({ app, config, address, simulator })
  return config.demo ? continueStory({ app, address, simulator }) : undefined
}

async function listen(app: App, { PORT, HOST }: Config): Promise<string> {
  try {
    return await app.http.listen({ port: PORT, host: HOST })
  } catch (error) {
    await app.close()
    throw explainPort(error, { name: 'PORT', port: PORT })
  }
}

async function serveSmpp(app: App, { SMPP_PORT, HOST }: Config): Promise<void> {
  if (SMPP_PORT === undefined || !app.smpp) return
  try {
    say(`SMPP is at port ${await app.smpp.listen({ port: SMPP_PORT, host: HOST })}`)
  } catch (error) {
    await app.close()
    throw explainPort(error, { name: 'SMPP_PORT', port: SMPP_PORT })
  }
}

/** Serves health and metrics for processes without the web role. */
async function serveMonitoring(app: App, { METRICS_PORT, HOST }: Config): Promise<void> {
  if (METRICS_PORT === undefined || !app.monitoring) return
  try {
    say(`Metrics are at ${await app.monitoring.listen({ port: METRICS_PORT, host: HOST })}/metrics`)
  } catch (error) {
    await app.close()
    throw explainPort(error, { name: 'METRICS_PORT', port: METRICS_PORT })
  }
}

function explainPort(error: unknown, { name, port }: { name: string; port: number }): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') return new StartError(`Port ${port} is taken: set ${name} to a free one`)
  if (code === 'EACCES')
    return new StartError(`Port ${port} may not be opened by this user: set ${name} to one above 1023`)
  return error
}

type Arrival = {
  app: App
  config: Config
  address: string
  simulator: UsedSimulator | undefined
}

/** Offers the first admin of an empty installation; prints all addresses. */
async function welcome(arrival: Arrival) {
  const { app, config, address, simulator } = arrival
  if (simulator?.own) moveCallbacks(simulator.own, address)
  const token = config.demo ? undefined : await offerFirstAdmin(app.database, new Date())
  say(`Carillon ${version} is at ${address}`)
  if (simulator) say(`Simulated phones: http://127.0.0.1:${simulator.place.httpPort}`)
  if (config.demo) printDemoAccounts(config, address)
  if (token)
    say(`Create the first admin at ${config.PUBLIC_URL ?? address}/register?t=${token} (valid for a day, works once)`)
}

/** Fills a demo that is new or was stopped before it was complete. The process that runs the simulator does so. */
async function continueStory({
  app: { database },
  address,
  simulator,
}: Omit<Arrival, 'config'>): Promise<Running['story']> {
  if (!simulator?.own || !(await isStoryIncomplete(database))) return undefined
  return runStory({
    database,
    url: address,
    simulator: simulator.own,
    onFailure: (error) => say(`The demo is incomplete; the next start continues it. ${explain(error)}`),
  })
}

/** The simulated Meta and Google call back to where this process listens now. */
function moveCallbacks({ graph, rbm }: NonNullable<UsedSimulator['own']>, address: string) {
  graph.control.moveCallbacks(address)
  rbm.control.moveCallbacks(address)
}

function printDemoAccounts({ SMTP_URL }: Config, address: string) {
  say(demoLogins)
  if (SMTP_URL === undefined) say(`Mails of the demo: ${address}/dev/mail`)
}

/** Fills an empty database, unless another process runs the simulator and does so. */
async function prepareDemo({ app, config, simulator }: Omit<Arrival, 'address'>): Promise<void> {
  if (simulator && !simulator.own) return
  await seedDemo(app.database)
  // The simulator's ports may have changed since the last start.
  if (simulator?.own)
    await pointDemoAtSimulator(
      app.database,
      {
        smscPort: simulator.own.smscPort,
        graphUrl: simulator.own.graph.baseUrl,
        rbmUrl: simulator.own.rbm.baseUrl,
      },
      createSecretBox(loadSecretKey(config), config.SECRET_KEY_PREVIOUS),
    )
}

function webDirectory(): { webDirectory?: string } {
  const directory = fileURLToPath(new URL('../../web/dist', import.meta.url))
  return existsSync(directory) ? { webDirectory: directory } : {}
}

function explain(error: unknown): string {
  const known = [
    ConfigError,
    DataInUseError,
    DatabaseRoleError,
    DatabaseSetupError,
    EmbeddedPostgresError,
    MigrationError,
    SimulatorError,
    StartError,
  ]
  if (error instanceof Error && known.some((kind) => error instanceof kind)) return error.message
  const words = error instanceof Error && 'code' in error ? wordsByCode[String(error.code)] : undefined
  if (words) return words
  if (isRefusedConnection(error)) return `The database refuses the connection: ${error.message}`
  if (isUnavailable(error)) return `The database does not respond: check DATABASE_URL (${String(error)})`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** The server or a pooler ended the connection with a reason. */
function isRefusedConnection(error: unknown): error is Error {
  return error instanceof Error && 'severity' in error && error.severity === 'FATAL'
}

function printIfAny(line: string | undefined) {
  if (line) say(line)
}

function say(line: string) {
  process.stdout.write(`${line}\n`)
}
