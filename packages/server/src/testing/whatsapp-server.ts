import type {
  WhatsappConnection,
  WhatsappConnectionInput,
} from '@carillon/contract/channels/whatsapp/whatsapp-accounts'
import type { z } from 'zod'
import { startSimulator, type Simulator } from '@carillon/simulator/index'
import { asSystem } from '../db/pool.ts'
import { newId } from '../lib/ids.ts'
import { issue } from '../modules/balance/index.ts'
import { buildAdmin, buildManager, buildUser, type Account } from './builders.ts'
import { testServer, type Calls, type TestServer, type TestServerOptions } from './server.ts'

/** The product and the simulated Meta, connected over real HTTP; two organisations that may send. */
export type WhatsappServer = {
  simulator: Simulator
  server: TestServer
  admin: Account
  manager: Account
  user: Account
  foreign: Account
  /** Input of a manual connection to the simulated account. */
  entry: z.input<typeof WhatsappConnectionInput>
  /** A call that must succeed; returns its data. */
  ask: Calls['ask']
  close(): Promise<void>
}

export async function buildWhatsappServer(
  environment: NodeJS.ProcessEnv = {},
  options: Pick<TestServerOptions, 'readFreeShare'> = {},
): Promise<WhatsappServer> {
  const simulator = await startSimulator({ graph: { reviewMs: 50, pairLimit: false } })
  const server = await testServer({
    ...options,
    environment: {
      EGRESS_ALLOW: `127.0.0.1:${simulator.httpPort}`,
      GRAPH_URL: simulator.graph.baseUrl,
      ...environment,
    },
  })
  const admin = await buildAdmin(server.database)
  const manager = await buildManager(server.database, { parent: admin })
  const user = await buildUser(server.database, { parent: manager })
  const foreign = await buildManager(server.database, { parent: admin })
  await giveRatesAndMoney(server, { admin, payers: [manager, user, foreign] })
  const { baseUrl, wabaId, token, appId, appSecret } = simulator.graph
  return {
    simulator,
    server,
    admin,
    manager,
    user,
    foreign,
    entry: { waba_id: wabaId, accessToken: token, appId, appSecret, graphUrl: baseUrl },
    ask: (name, ...options) => server.as(manager).ask(name, ...options),
    async close() {
      await server.close()
      await simulator.close()
    },
  }
}

/** Connects the simulated account and switches its sending number on. */
export async function connectWhatsapp(
  { ask, entry }: WhatsappServer,
  as?: Account,
): Promise<WhatsappConnection & { senderId: string; lineId: string }> {
  const options = as ? { as } : {}
  const connection = await ask('wabas.connect', { ...options, body: entry })
  const [number] = connection.numbers
  if (!number) throw new Error(`No number was found: ${JSON.stringify(connection.steps)}`)
  await ask('wabas.activate', { ...options, body: { id: number._id, isActive: true } })
  return { ...connection, senderId: number._id, lineId: number.phone_number_id }
}

/** Sets WhatsApp rates, and balance for each payer. */
export async function giveRatesAndMoney(
  { database }: TestServer,
  { admin, payers }: { admin: Account; payers: Account[] },
): Promise<void> {
  await asSystem(database, async (db) => {
    const card = { organization_id: admin.organizationId, id: newId(), name: 'Rates' }
    await db.insertInto('rate_cards').values(card).execute()
    const rate = (category: string, price: number) => ({
      organization_id: admin.organizationId,
      rate_card_id: card.id,
      channel: 'whatsapp',
      category,
      price,
      billable_on: 'delivered',
    })
    await db
      .insertInto('rates')
      .values([rate('marketing', 7800), rate('utility', 1150)])
      .execute()
    for (const { organizationId, id } of payers)
      await issue(db, {
        issuer: { organizationId: admin.organizationId, accountId: admin.id },
        organizationId,
        accountId: id,
        amount: 1_000_000,
        opKey: `fund ${id}`,
        reference: '',
      })
  })
}
