import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '@carillon/server/db/embedded'
import { createDatabaseIfMissing, migrate } from '@carillon/server/db/migrate'
import { asSystem, openDatabase, type Database } from '@carillon/server/db/pool'
import { buildCast, demoPassword, hashDemoPassword } from '@carillon/server/demo/cast'
import { startReceiver, type Receiver } from '@carillon/server/testing/webhook-receiver'
import { createCaller, type Caller } from './api.ts'
import { manage, type Managed } from './processes.ts'

/** The whole product as separate processes, connected to the simulator. */
export type World = {
  web: Managed
  worker: Managed
  senders: Managed[]
  simulator: Managed
  simulatorPorts: { smsc: number; http: number }
  postgres: { kill(): Promise<void>; restart(): Promise<void> }
  /** A customer's server, which webhooks may be sent to. */
  receiver: Receiver
  /** As the manager. */
  api: Caller
  /** As the administrator. */
  admin: Caller
  /** A database connection of the test, independent of the killed processes. */
  database(): Database
  organizationId: string
  /** Expires the leases of a dead sender; does nothing where the wait for leases is measured. */
  freeLanes(): Promise<void>
  close(): Promise<void>
}

export async function createWorld(options: { senderCount: number; waitsForLeases: boolean }): Promise<World> {
  const directory = mkdtempSync(join(tmpdir(), 'carillon-chaos-'))
  chmodSync(directory, 0o755)
  let cluster: EmbeddedPostgres = await startEmbeddedPostgres({ dataDirectory: directory })
  await createDatabaseIfMissing(cluster.url)
  await migrate(cluster.url)
  let database = openDatabase(cluster.url, { app: 4, system: 4, owner: 2 })
  const passwordHash = await hashDemoPassword()
  const { manager } = await asSystem(database, (db) => buildCast(db, passwordHash))
  const { organizationId } = manager

  const { simulator, simulatorPorts } = await startSimulator(directory)
  // Every process restarts on the same port and database.
  const port = await portOf(cluster)
  const receiver = await startReceiver()
  const environment = settings({ databaseUrl: cluster.url, directory, port, simulatorPorts, receiver })
  const run = (name: string, role: string, extra: Record<string, string> = {}) =>
    manage({
      name,
      script: 'packages/server/src/main.ts',
      flags: [`--run=${role}`],
      environment: { ...environment, ...extra },
      ready: isUp,
    })
  const web = await run('web', 'web', { PORT: String(port) })
  const worker = await run('worker', 'worker')
  const senders = await Promise.all(
    Array.from({ length: options.senderCount }, (_, index) => run(`sender ${index + 1}`, 'sender')),
  )

  const address = `http://127.0.0.1:${port}`

  return {
    web,
    worker,
    senders,
    simulator,
    simulatorPorts,
    postgres: {
      async kill() {
        process.kill(cluster.pid, 'SIGKILL')
        await waitUntilGone(cluster.pid)
      },
      async restart() {
        await database.close().catch(() => undefined)
        cluster = await startEmbeddedPostgres({ dataDirectory: directory, port: cluster.port })
        database = openDatabase(cluster.url, { app: 4, system: 4, owner: 2 })
      },
    },
    receiver,
    api: await logIn(address, 'manager'),
    admin: await logIn(address, 'admin'),
    database: () => database,
    organizationId,
    freeLanes: async () => (options.waitsForLeases ? undefined : endLeases(database)),
    async close() {
      await Promise.all([...senders, worker, web].map((one) => one.stop()))
      await simulator.stop()
      await receiver.close()
      await database.close()
      await cluster.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** The simulator: a separate process that is never killed. */
export async function startSimulator(directory: string): Promise<Pick<World, 'simulator' | 'simulatorPorts'>> {
  const simulator = await manage({
    name: 'simulator',
    script: 'packages/simulator/src/main.ts',
    environment: { SMSC_PORT: '0', HTTP_PORT: '0', HANDSET_LOG: join(directory, 'handset.jsonl') },
    ready: (line) => (line.startsWith('{"smsc"') ? line : undefined),
  })
  // The simulator prints its ports in one line of JSON.
  const simulatorPorts = JSON.parse(simulator.address()) as { smsc: number; http: number }
  return { simulator, simulatorPorts }
}

/** API calls as an account of the demo. */
export async function logIn(url: string, username: 'manager' | 'admin'): Promise<Caller> {
  let token = ''
  const api = createCaller(
    () => url,
    () => token,
  )
  const body = { username, password: demoPassword }
  token = (await api.call<{ token: string }>('auth.login', { body })).token
  return api
}

type Places = {
  /** Undefined: the process starts the embedded database. */
  databaseUrl: string | undefined
  directory: string
  /** Of the web process. */
  port: number
  simulatorPorts: { smsc: number; http: number }
  receiver: Pick<Receiver, 'port'>
}

/** Environment of every process of the product. */
export function settings({
  databaseUrl,
  directory,
  port,
  simulatorPorts: { smsc, http },
  receiver,
}: Places): Record<string, string> {
  return {
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    DRAIN_SECONDS: '0',
    DATA_DIR: join(directory, 'data'),
    DEMO: 'off',
    SIMULATOR: 'off',
    LOG_LEVEL: 'warn',
    PORT: '0',
    SECRET_KEY: 'ab'.repeat(32),
    EGRESS_ALLOW: [http, smsc, receiver.port].map((allowed) => `127.0.0.1:${allowed}`).join(','),
    GRAPH_URL: `http://127.0.0.1:${http}/graph`,
    REQUESTS_PER_SECOND: '10000',
    PUBLIC_URL: `http://127.0.0.1:${port}`,
  }
}

async function endLeases(database: Database): Promise<void> {
  await database.systemPool.query(`update lanes set lease_until = now() where lease_until > now()`)
}

/** The line that a process of the product prints when it is ready, with its address. */
export function isUp(line: string): string | undefined {
  return (
    /^Carillon .* (?:is at (\S+)|runs .*)$/.exec(line)?.slice(0, 2).at(-1) ??
    (line.startsWith('Carillon ') ? line : undefined)
  )
}

/** A free port next to the database's port. */
async function portOf(cluster: EmbeddedPostgres): Promise<number> {
  return cluster.port > 60_000 ? cluster.port - 1000 : cluster.port + 1000
}

export async function waitUntilGone(pid: number) {
  for (;;) {
    try {
      process.kill(pid, 0)
    } catch {
      return
    }
    await new Promise((resume) => setTimeout(resume, 20))
  }
}
