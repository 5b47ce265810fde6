/**
 * A campaign through an HTTP gateway that takes ten seconds for every fiftieth response, at several configured rates. The
 * limit is the configured rate: the ratio shows how much of it is reached while slow responses are pending.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { httpGateway } from '../packages/server/src/channels/sms/http-gateway/http-gateway.ts'
import { asSystem, type Database } from '../packages/server/src/db/pool.ts'
import { createEgress } from '../packages/server/src/egress/egress.ts'
import { systemClock } from '../packages/server/src/lib/clock.ts'
import { createLogger } from '../packages/server/src/lib/logger.ts'
import { checkInvariants } from '../packages/server/src/modules/balance/index.ts'
import { completeFinished } from '../packages/server/src/modules/messages/housekeeping/complete-finished.ts'
import { foldCounters } from '../packages/server/src/modules/messages/housekeeping/fold-counters.ts'
import { startSender, type Sender } from '../packages/server/src/modules/messages/index.ts'
import { buildCampaign, buildSender } from '../packages/server/src/modules/messages/test-lane.ts'
import { createOwner } from './dispatch.ts'
import { assertEqual, benchDatabase, machine, type BenchDatabase } from './harness.ts'

const rates = [50, 200, 500]
/** Long enough for several rounds of slow responses at every rate. */
const seconds = 60
const wanted = 0.9

type Counts = { numbers: number; repeats: number }

export async function benchSlowGateway(): Promise<void> {
  console.log(`slow-gateway: 2 % of answers after 10 s; ${machine()}`)
  const bench = await benchDatabase()
  try {
    const ratios: number[] = []
    for (const rate of rates) ratios.push(await measureRate(bench, rate))
    console.log(`wanted at least ${wanted}`)
    console.log(`ratio ${Math.min(...ratios).toFixed(2)}`)
  } finally {
    await bench.drop()
  }
}

async function measureRate(bench: BenchDatabase, rate: number): Promise<number> {
  const people = rate * seconds
  const gateway = await startGateway()
  const { database } = bench
  try {
    const owner = await createOwner(database)
    const senderId = await buildSender(database, owner, { ratePerSecond: rate })
    const campaignId = await buildCampaign(database, { owner, senderId, total: people, status: 'paused' })
    await database.ownerPool.query('analyze')
    const sender = await startGatewaySender(bench, gateway.port, rate)
    await new Promise((resolve) => setTimeout(resolve, 1000))

    const begin = performance.now()
    await database.ownerPool.query(`update campaigns set status = 'queued', run_epoch = run_epoch + 1 where id = $1`, [
      campaignId,
    ])
    sender.wake()
    let handedOverMs = 0
    while ((await gateway.counts()).numbers < people) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      handedOverMs = performance.now() - begin
    }
    while ((await completeFinished(database.systemPool)).length === 0)
      await new Promise((resolve) => setTimeout(resolve, 100))
    await sender.stop()
    await verify(database, { campaignId, people, counts: await gateway.counts() })
    const achieved = people / (handedOverMs / 1000)
    console.log(
      `  allowed ${String(rate).padStart(4)}/s   achieved ${achieved.toFixed(1).padStart(6)}/s   ratio ${(achieved / rate).toFixed(2)}`,
    )
    return achieved / rate
  } finally {
    gateway.process.kill('SIGTERM')
    await once(gateway.process, 'exit')
  }
}

async function verify(
  database: Database,
  { campaignId, people, counts }: { campaignId: string; people: number; counts: Counts },
): Promise<void> {
  assertEqual(counts, { numbers: people, repeats: 0 }, 'delivered')
  const messages = await database.ownerPool.query(
    'select status, count(*) from messages where campaign_id = $1 group by status',
    [campaignId],
  )
  assertEqual(messages.rows, [{ status: 'sent', count: people }], 'messages')
  await foldCounters(database.systemPool)
  const counters = await database.ownerPool.query('select submitted, sent, cost from counters where campaign_id = $1', [
    campaignId,
  ])
  assertEqual(counters.rows, [{ submitted: people, sent: people, cost: people * 1000 }], 'counters')
  assertEqual(await asSystem(database, checkInvariants), [], 'ledger')
}

function startGatewaySender({ database, url }: BenchDatabase, port: number, ratePerSecond: number): Promise<Sender> {
  // The defaults of a new account, except its address.
  const config = httpGateway.config.parse({
    url: `http://127.0.0.1:${port}/send`,
    bodyTemplate: '{"to":"{{to}}","text":"{{text}}"}',
  })
  return startSender({
    database,
    databaseUrl: url,
    logger: createLogger('error'),
    io: {
      clock: systemClock,
      readInstallationSettings: async () => undefined,
      egress: createEgress({ allowedPrivate: [`127.0.0.1:${port}`], allowedPorts: [], connections: 2048 }),
    },
    loadConnection: async () => ({
      provider: httpGateway as never,
      config,
      ratePerSecond,
      callbackUrl: '',
      idempotent: false,
    }),
    applyEvents: async () => undefined,
  })
}

async function startGateway(): Promise<{ process: ChildProcess; port: number; counts(): Promise<Counts> }> {
  const script = fileURLToPath(new URL('slow-gateway-stub.ts', import.meta.url))
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface({ input: child.stdout })) {
    const { port } = JSON.parse(line) as { port: number }
    const counts = async () => (await (await fetch(`http://127.0.0.1:${port}/counts`)).json()) as Counts
    return { process: child, port, counts }
  }
  throw new Error('The gateway did not start')
}
