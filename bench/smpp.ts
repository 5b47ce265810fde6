/**
 * 100,000 messages through the real SMPP provider to the simulator's SMSC in another process, each with its delivery report,
 * until the last is stored as delivered. Three stages run at once; the limit is the slowest of them, each run alone in the
 * same processes: the provider on the wire with nothing stored, leasing and appending, and applying reports in thousands.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { SmsMessage } from '../packages/server/src/channels/sms/message.ts'
import { smpp } from '../packages/server/src/channels/sms/smpp/smpp.ts'
import { asSystem, type Database } from '../packages/server/src/db/pool.ts'
import { createEgress } from '../packages/server/src/egress/egress.ts'
import { systemClock } from '../packages/server/src/lib/clock.ts'
import { createLogger } from '../packages/server/src/lib/logger.ts'
import { checkInvariants } from '../packages/server/src/modules/balance/index.ts'
import { foldCounters } from '../packages/server/src/modules/messages/housekeeping/fold-counters.ts'
import { applyProviderEvents, startHousekeeping, startSender } from '../packages/server/src/modules/messages/index.ts'
import { buildCampaign, buildSender, phoneOf } from '../packages/server/src/modules/messages/test-lane.ts'
import { coalesce } from '../packages/server/src/lib/coalesce.ts'
import type { ProviderEvent } from '../packages/server/src/channels/provider.ts'
import { createOwner, leaseAndAppend } from './dispatch.ts'
import { assertEqual, benchDatabase, contest, measure, type BenchDatabase } from './harness.ts'

export const people = 100_000
export const window = 100

export async function benchSmpp(): Promise<void> {
  const bench = await benchDatabase()
  const simulator = await startSimulatorProcess()
  try {
    await contest({
      name: 'smpp',
      unit: 'messages',
      count: people,
      target: 0.6,
      database: bench.database,
      ours: () => sendCampaign(bench, simulator.smsc),
      limit: async () => {
        const wire = await sendBare(simulator.smsc)
        const append = await leaseAndAppend(bench.database, people, 45)
        const reports = await applyBareReports(bench.database)
        console.log(
          `  alone: wire ${wire.toFixed(2)} s, lease and append ${append.toFixed(2)} s, reports ${reports.toFixed(2)} s`,
        )
        return Math.max(wire, append, reports)
      },
    })
  } finally {
    simulator.process.kill('SIGTERM')
    await once(simulator.process, 'exit')
    await bench.drop()
  }
}

export async function startSimulatorProcess(): Promise<{ process: ChildProcess; smsc: number; http: number }> {
  const script = fileURLToPath(new URL('../packages/simulator/src/main.ts', import.meta.url))
  const child = spawn(process.execPath, [script], {
    env: { ...process.env, SMSC_PORT: '0', HTTP_PORT: '0', MAGIC: 'off' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })
  for await (const line of lines) {
    if (line.startsWith('{"smsc"')) return { process: child, ...(JSON.parse(line) as { smsc: number; http: number }) }
  }
  throw new Error('The simulator did not start')
}

export async function sendCampaign({ database, url }: BenchDatabase, smsc: number): Promise<number> {
  const owner = await createOwner(database)
  const senderId = await buildSender(database, owner, { ratePerSecond: 10_000 })
  const body = 'Dear {#var#}, your parcel to {#var#} is on its way and arrives tomorrow.'
  const variables = [
    { column: 0, fallback: '' },
    { column: 1, fallback: '' },
  ]
  const campaignId = await buildCampaign(database, {
    owner,
    senderId,
    total: people,
    body,
    variables,
    status: 'paused',
  })
  await database.ownerPool.query('analyze')
  const config = configOf(smsc)
  const key = { organizationId: owner.organizationId, senderId }
  const apply = coalesce<ProviderEvent>(
    async (events) => void (await applyProviderEvents(database.systemPool, key, events)),
    { size: 1000, waitMs: 100, quietMs: 2 },
  )
  const sender = await startSender({
    database,
    databaseUrl: url,
    logger: createLogger('error'),
    io: { clock: systemClock, egress: egressTo(smsc), readInstallationSettings: async () => undefined },
    loadConnection: async () => ({
      provider: smpp as never,
      config,
      ratePerSecond: Number.POSITIVE_INFINITY,
      callbackUrl: '',
      idempotent: false,
    }),
    applyEvents: (_key, events) => apply(events),
  })
  const housekeeping = startHousekeeping({
    pool: database.systemPool,
    logger: createLogger('error'),
    onCampaignDrained: async () => undefined,
  })
  await new Promise((resolve) => setTimeout(resolve, 1500))
  const seconds = await measure(async () => {
    await database.ownerPool.query(`update campaigns set status = 'queued', run_epoch = run_epoch + 1 where id = $1`, [
      campaignId,
    ])
    sender.wake()
    while ((await delivered(database, campaignId)) < people) await new Promise((resolve) => setTimeout(resolve, 20))
  })
  await sender.stop()
  await housekeeping.stop()

  await foldCounters(database.systemPool)
  const { rows } = await database.ownerPool.query(
    'select submitted, sent, delivered from counters where campaign_id = $1',
    [campaignId],
  )
  assertEqual(rows, [{ submitted: people, sent: 0, delivered: people }], 'counters')
  const counted = await database.ownerPool.query(
    'select status, count(*) from messages where campaign_id = $1 group by status',
    [campaignId],
  )
  assertEqual(counted.rows, [{ status: 'delivered', count: people }], 'messages')
  assertEqual(await asSystem(database, checkInvariants), [], 'ledger')
  return seconds
}

async function delivered(database: Database, campaignId: string): Promise<number> {
  const { rows } = await database.ownerPool.query<{ count: number }>(
    `select coalesce((select sum(delivered) from counter_deltas where campaign_id = $1), 0) + coalesce((select sum(delivered) from counters where campaign_id = $1), 0) as count`,
    [campaignId],
  )
  return rows[0]?.count ?? 0
}

export function configOf(smsc: number) {
  return smpp.config.parse({
    host: '127.0.0.1',
    port: smsc,
    systemId: 'carillon',
    password: 'simulator',
    window,
    sessions: 2,
  })
}

export function egressTo(smsc: number) {
  return createEgress({ allowedPrivate: [`127.0.0.1:${smsc}`], allowedPorts: [], connections: 1 })
}

/** The provider alone: the same connections, window, submits and reports, with nothing stored. */
export async function sendBare(smsc: number, total = people): Promise<number> {
  const isDone = Promise.withResolvers<void>()
  let [sent, free, answered, reported] = [0, window * 2, 0, 0]
  const settle = () => answered === total && reported === total && isDone.resolve()
  const session = smpp.connect(configOf(smsc), {
    clock: systemClock,
    egress: egressTo(smsc),
    readInstallationSettings: async () => undefined,
    callbackUrl: '',
    onState: () => undefined,
    async onEvents(events) {
      reported += events.length
      settle()
    },
  })
  while (!session.state().ready) await new Promise((resolve) => setTimeout(resolve, 10))

  /** Fills the window with what answers freed in this turn. */
  const fill = () => {
    const batch = Array.from({ length: Math.min(free, total - sent) }, (_, index) => bareMessage(sent + index))
    free -= batch.length
    sent += batch.length
    if (batch.length === 0) return
    session.send(batch, (_, { kind }) => {
      if (kind !== 'accepted') isDone.reject(new Error(`The simulator answered ${kind}`))
      answered += 1
      free += 1
      if (free === 1) queueMicrotask(fill)
      settle()
    })
  }
  const seconds = await measure(async () => {
    fill()
    await isDone.promise
  })
  await session.close(1000)
  return seconds
}

function bareMessage(seq: number): SmsMessage {
  return {
    reference: `bare.1.${seq}`,
    to: `+${phoneOf(seq)}`,
    from: 'ACMEIN',
    text: `Dear Name ${seq}, your parcel to City ${seq} is on its way and arrives tomorrow.`,
    encoding: 'gsm7',
    parts: 1,
    expiresAt: new Date(Date.now() + 86_400_000),
    entityId: undefined,
    dltTemplateId: undefined,
  }
}

/** One update per thousand reports, on the table filled by `leaseAndAppend`. */
export async function applyBareReports(database: Database): Promise<number> {
  const { rows } = await database.ownerPool.query<{ id: string; organization_id: string; sender_id: string }>(
    'select organization_id, sender_id, provider_message_id as id from bare_messages',
  )
  const [first] = rows
  const batches = Array.from({ length: Math.ceil(rows.length / 1000) }, (_, index) =>
    rows.slice(index * 1000, (index + 1) * 1000),
  )
  return measure(async () => {
    const next = async (): Promise<void> => {
      const batch = batches.shift()
      if (!batch) return
      await database.systemPool.query({
        name: 'bare-reports',
        text: `update bare_messages message set status = 'delivered' from unnest($3::text[]) as report (id)
          where message.organization_id = $1 and message.sender_id = $2 and message.provider_message_id = report.id and message.status < 'delivered'`,
        values: [
          first?.organization_id,
          first?.sender_id,
          `{${batch
            .map(({ id }) => id)
            .sort()
            .join(',')}}`,
        ],
      })
      return next()
    }
    await Promise.all([next(), next()])
  })
}
