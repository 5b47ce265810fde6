import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asSystem, openDatabase, type Database } from '@carillon/server/db/pool'
import { buildCast, hashDemoPassword } from '@carillon/server/demo/cast'
import { startReceiver } from '@carillon/server/testing/webhook-receiver'
import { pause } from './campaign.ts'
import { manage } from './processes.ts'
import { isUp, logIn, settings, startSimulator, waitUntilGone, type World } from './world.ts'

type Postmaster = { pid: number; port: number }

/**
 * The product as started by `npm start`: one process with the embedded database. Only the database is killed, and the
 * process restarts it.
 */
export async function createSingleProcess(): Promise<World> {
  const directory = mkdtempSync(join(tmpdir(), 'carillon-single-'))
  // Under root the database runs as another user, who needs access to the folder.
  chmodSync(directory, 0o755)
  const { simulator, simulatorPorts } = await startSimulator(directory)
  const receiver = await startReceiver()
  const environment = settings({ databaseUrl: undefined, directory, port: 0, simulatorPorts, receiver })
  delete environment['PUBLIC_URL']
  const product = await manage({
    name: 'product',
    script: 'packages/server/src/main.ts',
    environment: { ...environment, PORT: '0' },
    ready: isUp,
  })
  const dataDirectory = join(directory, 'data')
  let postmaster = readPostmaster(dataDirectory)
  if (!postmaster) throw new Error('The embedded database does not run')
  const openOwn = ({ port }: Postmaster) =>
    openDatabase(addressOf(dataDirectory, port), { app: 4, system: 4, owner: 2 })
  let database: Database = openOwn(postmaster)
  const passwordHash = await hashDemoPassword()
  const { manager } = await asSystem(database, (db) => buildCast(db, passwordHash))

  return {
    web: product,
    worker: product,
    senders: [product],
    simulator,
    simulatorPorts,
    postgres: {
      async kill() {
        const { pid = 0 } = readPostmaster(dataDirectory) ?? {}
        process.kill(pid, 'SIGKILL')
        await waitUntilGone(pid)
      },
      async restart() {
        await database.close().catch(() => undefined)
        const before = postmaster?.pid
        const hasRestarted = () => {
          postmaster = readPostmaster(dataDirectory)
          return postmaster !== undefined && postmaster.pid !== before
        }
        while (!hasRestarted() && product.unexpectedEnds().length === 0) await pause(50)
        if (postmaster) database = openOwn(postmaster)
      },
    },
    receiver,
    api: await logIn(product.address(), 'manager'),
    admin: await logIn(product.address(), 'admin'),
    database: () => database,
    organizationId: manager.organizationId,
    freeLanes: async () => undefined,
    async close() {
      await product.stop()
      await simulator.stop()
      await receiver.close()
      await database.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

function readPostmaster(dataDirectory: string): Postmaster | undefined {
  const file = join(dataDirectory, 'postgres', 'postmaster.pid')
  if (!existsSync(file)) return undefined
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines[7]?.trim() === 'ready' ? { pid: Number(lines[0]), port: Number(lines[3]) } : undefined
}

function addressOf(dataDirectory: string, port: number): string {
  const password = readFileSync(join(dataDirectory, 'postgres.password'), 'utf8').trim()
  return `postgres://carillon:${password}@127.0.0.1:${port}/carillon`
}
