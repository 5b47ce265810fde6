import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createApp, type App } from '@carillon/server/app'
import { readConfig } from '@carillon/server/config'
import { buildCast, demoPassword, hashDemoPassword, type Cast } from '@carillon/server/demo/cast'
import { seedDemo } from '@carillon/server/demo/seed-demo'
import { asSystem } from '@carillon/server/db/pool'
import type { CreatedAccount } from '@carillon/server/modules/accounts/index'
import { createLogger } from '@carillon/server/lib/logger'
import { describeAccount } from '@carillon/server/simulator'
import { testDatabase, type TestDatabase } from '@carillon/server/testing/database'
import { startSimulator, type Simulator, type SimulatorOptions } from '@carillon/simulator/index'
import { startReceiver, type Receiver } from './receiver.ts'

/** The whole product in this process, in all roles, with the simulator and the demo's accounts. */
export type Stack = TestDatabase & {
  app: App
  url: string
  simulator: Simulator
  /** A customer's server, which webhooks may be sent to. */
  receiver: Receiver
  cast: Cast
  password: string
  close(): Promise<void>
}

type StackOptions = {
  /** The demo with its history, instead of the accounts alone. */
  hasPast?: true
}

export async function startStack(
  world: SimulatorOptions = {},
  settings: NodeJS.ProcessEnv = {},
  { hasPast }: StackOptions = {},
): Promise<Stack> {
  const test = await testDatabase({ app: 10, system: 20, owner: 12 })
  const cast = hasPast ? await seedPast(test) : await seedCast(test)
  const simulator = await startSimulator({ ...world, smscPort: 0, httpPort: 0 })
  const receiver = await startReceiver()
  const dataDirectory = mkdtempSync(join(tmpdir(), 'carillon-stack-'))
  const environment = {
    DATA_DIR: dataDirectory,
    META_SOLUTIONS: '501:Sandhi Partners:sandhi,502:Deccan Cloud:deccan',
    DATABASE_URL: test.url,
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'error',
    REQUESTS_PER_SECOND: '100000',
    EGRESS_ALLOW: [simulator.httpPort, simulator.smscPort, receiver.port].map((port) => `127.0.0.1:${port}`).join(),
    SECRET_KEY: 'cd'.repeat(32),
    ...settings,
  }
  const config = readConfig(environment, [])
  const webDirectory = fileURLToPath(new URL('../../packages/web/dist', import.meta.url))
  const app = await createApp({
    config,
    databaseUrl: test.url,
    logger: createLogger(config.LOG_LEVEL),
    version: 'test',
    // Journeys follow the links in mails.
    storesMailLinks: true,
    webDirectory,
    demoAccount: await describeAccount(simulator),
  })
  const url = await app.http.listen({ port: 0, host: '127.0.0.1' })
  if (config.SMPP_PORT !== undefined) await app.smpp?.listen({ port: config.SMPP_PORT, host: '127.0.0.1' })
  return {
    ...test,
    app,
    url,
    simulator,
    receiver,
    cast,
    password: demoPassword,
    async close() {
      await app.close()
      await simulator.close()
      await receiver.close()
      await test.drop()
      rmSync(dataDirectory, { recursive: true, force: true })
    },
  }
}

async function seedCast({ database }: TestDatabase): Promise<Cast> {
  const passwordHash = await hashDemoPassword()
  return asSystem(database, (db) => buildCast(db, passwordHash))
}

async function seedPast({ database }: TestDatabase): Promise<Cast> {
  await seedDemo(database)
  const { rows } = await database.ownerPool.query<CreatedAccount & { username: string }>(
    'select id, organization_id as "organizationId", path::text as path, role, username::text as username from accounts',
  )
  const find = (username: string) => {
    const account = rows.find((row) => row.username === username)
    if (!account) throw new Error(`The demo has no ${username}`)
    return account
  }
  return {
    admin: find('admin'),
    reseller: find('reseller'),
    manager: find('manager'),
    user: find('user'),
    departmentHead: find('department-head'),
    manager2: find('manager2'),
  }
}
