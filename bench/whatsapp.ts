/**
 * 100,000 template messages over the real Cloud API provider to the simulated Meta in another process, each with its reports
 * through signed webhooks, until the last is stored as delivered. First without a rate limit: the bound is the sum of
 * three parts, each run alone: the HTTP requests, leasing and appending, and applying reports
 * in thousands. Then from a number with 1,000 messages a second, which must be reached and never exceeded.
 */
import { once } from 'node:events'
import { demoAccount } from '../packages/simulator/src/graph/demo-account.ts'
import { cloudApi } from '../packages/server/src/channels/whatsapp/cloud-api/cloud-api.ts'
import type { CloudApiConfig } from '../packages/server/src/channels/whatsapp/cloud-api/config.ts'
import { leaseAndAppend } from './dispatch.ts'
import { assertEqual, benchDatabase, contest } from './harness.ts'
import { concurrency, control, people, sendBare, sendOver, type Route } from './http-campaign.ts'
import { applyBareReports, startSimulatorProcess } from './smpp.ts'

const limit = 1000
const [lineId] = demoAccount.phoneNumberIds
const template = { name: 'hello_world', language: 'en_US', content: { body: 'Hello World' } }

export async function benchWhatsapp(): Promise<void> {
  const bench = await benchDatabase()
  const simulator = await startSimulatorProcess()
  const route = routeTo(simulator.http)
  const set = (settings: object) => control(simulator.http, '/api/graph/settings', settings)
  try {
    await set({ throughput: 0, pairLimit: false, tierLimit: false, readShare: 0, webhookGatherMs: 50 })
    await contest({
      name: 'whatsapp',
      unit: 'messages',
      count: people,
      target: 0.5,
      database: bench.database,
      ours: async () => (await sendOver(bench, route, { ratePerSecond: Number.POSITIVE_INFINITY })).seconds,
      limit: async () =>
        (await sendBare(route)) +
        (await leaseAndAppend(bench.database, people, 45)) +
        (await applyBareReports(bench.database)),
    })
    await set({ throughput: limit })
    const { sendingSeconds, throttled } = await sendOver(bench, route, { ratePerSecond: limit })
    const rate = people / sendingSeconds
    console.log(
      `from a number of ${limit} messages/s: ${rate.toFixed(1)}/s, ${((1 - rate / limit) * 100).toFixed(2)} % under it, ${throttled} throttled`,
    )
    assertEqual(throttled, 0, 'throttled')
  } finally {
    simulator.process.kill('SIGTERM')
    await once(simulator.process, 'exit')
    await bench.drop()
  }
}

function routeTo(port: number): Route<CloudApiConfig> {
  const { wabaId, appId, appSecret, token: accessToken, verifyToken } = demoAccount
  const graphUrl = `http://127.0.0.1:${port}/graph`
  return {
    channel: 'whatsapp',
    provider: cloudApi,
    config: cloudApi.config.parse({ wabaId, appId, accessToken, appSecret, verifyToken, graphUrl, concurrency }),
    isIdempotent: false,
    lineId,
    content: { template, values: {} },
    port,
    async setWebhook(url, { isBare }) {
      await control(port, '/api/graph/webhook', isBare ? { url, handshake: false } : { url, verifyToken })
    },
    bareRequest: (to) => ({
      path: `/graph/v25.0/${lineId}/messages`,
      headers: { authorization: `Bearer ${accessToken}` },
      body: {
        messaging_product: 'whatsapp',
        to,
        type: 'template',
        template: { name: template.name, language: { code: template.language } },
      },
    }),
  }
}
