import { createRequire } from 'node:module'
import { existsSync, mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createApp, type App } from './app.ts'
import { ConfigError, readConfig, type Config } from './config.ts'
import { EmbeddedPostgresError, startEmbeddedPostgres, type EmbeddedPostgres } from './db/embedded.ts'
import { createDatabaseIfMissing, migrate, MigrationError } from './db/migrate.ts'
import { demoLogins, pointDemoAtSimulator, seedDemo } from './demo/seed-demo.ts'
import { tellStory } from './demo/story.ts'
import { createLogger } from './lib/logger.ts'
import { offerFirstAdmin } from './modules/auth/index.ts'

// Our own package.json, which has a version.
const version = (createRequire(import.meta.url)('../package.json') as { version: string }).version

/** A reason not to start that a person can mend: one line, no stack. */
class StartError extends Error {
  override name = 'StartError'
}

type Running = { app: App; postgres: EmbeddedPostgres | undefined; simulator: { close(): Promise<void> } | undefined }

await main()

async function main() {
  try {
    const config = readConfig(process.env, process.argv.slice(2))
    const running = await start(config)
    stopOnSignals(running)
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`)
    process.exit(1)
  }
}

async function start(config: Config): Promise<Running> {
  mkdirSync(config.dataDirectory, { recursive: true })
  const postgres = config.DATABASE_URL
    ? undefined
    : await startEmbeddedPostgres({ dataDirectory: config.dataDirectory, onNotice: say })
  const databaseUrl = config.DATABASE_URL ?? postgres?.url ?? ''
  try {
    if (postgres) await createDatabaseIfMissing(databaseUrl)
    await migrate(databaseUrl)
    const simulator = config.simulator ? await startSimulator(config) : undefined
    const app = await createApp({
      config: simulator ? withSimulator(config, simulator) : config,
      databaseUrl,
      logger: createLogger(config.LOG_LEVEL),
      version,
      ...webDirectory(),
    })
    const address = config.roles.has('web') ? await listen(app, config) : undefined
    if (address) await welcome({ app, config, address, simulator })
    else say(`Carillon ${version} runs ${[...config.roles].join(' and ')}`)
    return { app, postgres, simulator }
  } catch (error) {
    await postgres?.stop()
    throw error
  }
}

async function listen(app: App, { PORT, HOST }: Config): Promise<string> {
  try {
    return await app.http.listen({ port: PORT, host: HOST })
  } catch (error) {
    await app.close()
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
      throw new StartError(`Port ${PORT} is taken: set PORT to a free one`)
    if (error instanceof Error && 'code' in error && error.code === 'EACCES')
      throw new StartError(`Port ${PORT} may not be opened by this user: set PORT to one above 1023`)
    throw error
  }
}

type Arrival = { app: App; config: Config; address: string; simulator: Simulator | undefined }

/** Fills an empty demo, or offers the first admin of an empty installation; says where everything is. */
async function welcome({ app, config, address, simulator }: Arrival) {
  const isNew = config.demo && (await seedDemo(app.database))
  if (config.demo && simulator) await pointDemoAtSimulator(app.database, simulator)
  say(`Carillon ${version} is at ${address}`)
  if (simulator) say(`The simulated phones are at http://127.0.0.1:${simulator.httpPort}`)
  if (config.demo) say(demoLogins)
  const token = config.demo ? undefined : await offerFirstAdmin(app.database, new Date())
  if (token)
    say(`Create the first admin at ${config.PUBLIC_URL ?? address}/register?t=${token} (valid for a day, works once)`)
  if (isNew && simulator)
    void tellStory({ url: address, simulator }).catch((error: unknown) =>
      say(`The demo could not be filled: ${explain(error)}`),
    )
}

type Simulator = { smscPort: number; httpPort: number; close(): Promise<void> }

/** Only a process that asks for it loads the simulator. */
async function startSimulator(config: Config): Promise<Simulator> {
  const { startSimulator: run } = await import('@carillon/simulator/index')
  try {
    return await run({ smscPort: config.SIMULATOR_SMSC_PORT, httpPort: config.SIMULATOR_HTTP_PORT })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
      throw new StartError(
        'A port of the simulator is taken: set SIMULATOR_HTTP_PORT or SIMULATOR_SMSC_PORT to a free one, or SIMULATOR=off',
      )
    throw error
  }
}

/** The simulator stands on this machine, where providers may otherwise not be called. */
function withSimulator(config: Config, { httpPort }: Simulator): Config {
  return { ...config, EGRESS_ALLOW: [...config.EGRESS_ALLOW, `127.0.0.1:${httpPort}`] }
}

function webDirectory(): { webDirectory?: string } {
  const directory = fileURLToPath(new URL('../../web/dist', import.meta.url))
  return existsSync(directory) ? { webDirectory: directory } : {}
}

/** The first signal stops in order: no new work, what is in the air finishes, the database last. The second one does not wait. */
function stopOnSignals({ app, postgres, simulator }: Running) {
  let stopping = false
  const stop = () => {
    if (stopping) process.exit(1)
    stopping = true
    void shutDown()
  }
  const shutDown = async () => {
    await app.close()
    await simulator?.close()
    await postgres?.stop()
    process.exit(0)
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
}

function explain(error: unknown): string {
  const known = [ConfigError, EmbeddedPostgresError, MigrationError, StartError].some((kind) => error instanceof kind)
  if (known && error instanceof Error) return error.message
  if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return 'The disk is full'
  if (error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED')
    return 'The database does not answer: check DATABASE_URL'
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

function say(line: string) {
  process.stdout.write(`${line}\n`)
}
