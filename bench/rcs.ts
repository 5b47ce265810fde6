/**
 * 100,000 RCS messages over the real RBM provider to the simulated Google in another process, each with its own signed event,
 * until the last is stored as delivered. The bound is the sum of three parts, each run alone: the HTTP requests with an event for
 * each, leasing and appending, and applying reports in thousands. Then 1,500 messages from a bot with a quota of 50 a second,
 * which must be reached and never exceeded.
 */
import { once } from 'node:events'
import { rbm } from '../packages/server/src/channels/rcs/rbm/rbm.ts'
import type { RbmConfig } from '../packages/server/src/channels/rcs/rbm/config.ts'
import { RcsPartner } from '../packages/server/src/channels/rcs/partner.ts'
import { messageIdOf } from '../packages/server/src/channels/rcs/message-id.ts'
import { demoPartner } from '../packages/simulator/src/rbm/demo-agent.ts'
import { leaseAndAppend } from './dispatch.ts'
import { assertEqual, benchDatabase, contest } from './harness.ts'
import { concurrency, control, people, sendBare, sendOver, type Route } from './http-campaign.ts'
import { applyBareReports, startSimulatorProcess } from './smpp.ts'

const quota = { messagesPerSecond: 50, people: 1500 }
const { agentId, clientToken } = demoPartner
const text = 'Your order has left our store and arrives tomorrow.'

export async function benchRcs(): Promise<void> {
  const bench = await benchDatabase()
  const simulator = await startSimulatorProcess()
  const set = (settings: object) => control(simulator.http, '/api/rbm/settings', settings)
  try {
    const route = await routeTo(simulator.http)
    // Each event is a request of its own, which is answered after the commit.
    await set({ readShare: 0, webhookInFlight: 512 })
    await contest({
      name: 'rcs',
      unit: 'messages',
      count: people,
      target: 0.7,
      database: bench.database,
      ours: async () => (await sendOver(bench, route, { ratePerSecond: Number.POSITIVE_INFINITY })).seconds,
      limit: async () =>
        (await sendBare(route)) +
        (await leaseAndAppend(bench.database, people, 45)) +
        (await applyBareReports(bench.database)),
    })
    await set({ messagesPerSecond: quota.messagesPerSecond })
    const limited = { ratePerSecond: quota.messagesPerSecond, total: quota.people }
    const { sendingSeconds, throttled } = await sendOver(bench, route, limited)
    const rate = quota.people / sendingSeconds
    console.log(
      `from a bot of ${quota.messagesPerSecond} messages/s: ${rate.toFixed(1)}/s, ${((1 - rate / quota.messagesPerSecond) * 100).toFixed(2)} % under it, ${throttled} throttled`,
    )
    assertEqual(throttled, 0, 'throttled')
  } finally {
    simulator.process.kill('SIGTERM')
    await once(simulator.process, 'exit')
    await bench.drop()
  }
}

export async function routeTo(port: number): Promise<Route<RbmConfig>> {
  const address = `http://127.0.0.1:${port}`
  const serviceAccount = await control(port, '/api/rbm/service-account')
  // The control API returns the account's key file, and tokens in this form.
  const { token } = (await control(port, '/api/rbm/tokens', {})) as { token: string }
  let sent = 0
  return {
    channel: 'rcs',
    provider: rbm,
    config: rbm.config.parse({ agentId, clientToken, concurrency }),
    isIdempotent: true,
    content: {
      template: {
        name: 'on_its_way',
        category: 'TRANSACTION',
        content: { type: 'text_message', textMessageContent: text },
      },
      values: {},
    },
    port,
    settings: RcsPartner.parse({
      serviceAccount,
      apiUrl: `${address}/rbm`,
      managementUrl: `${address}/rbm/management`,
    }),
    async setWebhook(url, { isBare }) {
      await control(port, '/api/rbm/webhook', isBare ? { url, clientToken, handshake: false } : { url, clientToken })
    },
    bareRequest(to) {
      sent += 1
      return {
        path: `/rbm/asia/v1/phones/${encodeURIComponent(to)}/agentMessages?messageId=${messageIdOf(`bare-${sent}`)}&agentId=${encodeURIComponent(agentId)}`,
        headers: { authorization: `Bearer ${token}` },
        body: { contentMessage: { text }, messageTrafficType: 'TRANSACTION', ttl: '86400s' },
      }
    },
  }
}
