import type { RcsTemplateInput } from '@carillon/contract/channels/rcs/rcs-templates'
import { startSimulator, type Simulator } from '@carillon/simulator/index'
import type { z } from 'zod'
import { asSystem } from '../db/pool.ts'
import { buildAdmin, buildManager, type Account } from './builders.ts'
import { testServer, type Calls, type TestServer } from './server.ts'
import { addSmsRate } from './whatsapp-campaigns.ts'
import { giveRatesAndMoney } from './whatsapp-server.ts'

/** The product and the simulated RCS platforms, with the partner account, rates, and a launched bot that is switched on. */
export type RcsMessages = {
  simulator: Simulator
  server: TestServer
  admin: Account
  manager: Account
  /** The bot's id at Google. */
  botId: string
  senderId: string
  ask: Calls['ask']
  close(): Promise<void>
}

export async function buildRcsMessages(): Promise<RcsMessages> {
  const simulator = await startSimulator({ rbm: { reviewMs: 30, launchMs: 30, testerMs: 20 } })
  const server = await testServer({ environment: { EGRESS_ALLOW: `127.0.0.1:${simulator.httpPort}` } })
  const admin = await buildAdmin(server.database)
  const manager = await buildManager(server.database, { parent: admin })
  await giveRatesAndMoney(server, { admin, payers: [manager] })
  await addSmsRate({ server })
  await addRcsRates(server)
  const { baseUrl, agentId: botId, control } = simulator.rbm
  const keyFile = JSON.stringify(control.serviceAccount())
  const asAdmin = server.as(admin).ask
  await asAdmin('rcsPartner.set', { body: { keyFile, apiUrl: baseUrl, managementUrl: `${baseUrl}/management` } })
  const created = await asAdmin('bots.create', {
    body: { organizationId: manager.id, provider: 'rbm', botId, ratePerSecond: 500 },
  })
  await asAdmin('bots.registerWebhook', { path: { id: created._id } })
  const ask: Calls['ask'] = (name, ...options) => server.as(manager).ask(name, ...options)
  await ask('bots.setStatus', { body: { botId, botStatus: 'active' } })
  return {
    simulator,
    server,
    admin,
    manager,
    botId,
    senderId: created._id,
    ask,
    async close() {
      await server.close()
      await simulator.close()
    },
  }
}

async function addRcsRates({ database }: TestServer): Promise<void> {
  await asSystem(database, async (db) => {
    const { id, organization_id } = await db.selectFrom('rate_cards').selectAll().executeTakeFirstOrThrow()
    const rate = (category: string, price: number) => ({
      organization_id,
      rate_card_id: id,
      channel: 'rcs',
      category,
      price,
      billable_on: 'delivered',
    })
    await db
      .insertInto('rates')
      .values([rate('basic', 1500), rate('single', 3000)])
      .execute()
  })
}

/** A text with a variable and a reply. */
export const orderReady: z.input<typeof RcsTemplateInput> = {
  name: 'order_ready',
  type: 'text_message',
  category: 'TRANSACTION',
  textMessageContent: 'Hello {{name}}, your order is ready.',
  suggestions: [{ type: 'reply', text: 'Thanks', postbackData: 'thanks' }],
}
