/**
 * 100,000 messages through the real SMPP provider to the simulator's SMSC in another process, each with its delivery report,
 * until the last is stored as delivered. The limit is the sum of three parts, each
 * run alone: a plain client of node-smpp, leasing and appending, and applying reports in thousands.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import smppLibrary from 'smpp'
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
      target: 0.5,
      database: bench.database,
      ours: () => sendCampaign(bench, simulator.smsc),
      limit: async () =>
        (await bareClient(simulator.smsc)) +
        (await leaseAndAppend(bench.database, people)) +
        (await applyBareReports(bench.database)),
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
  const config = smpp.config.parse({
    host: '127.0.0.1',
    port: smsc,
    systemId: 'carillon',
    password: 'simulator',
    window,
    sessions: 2,
  })
  const key = { organizationId: owner.organizationId, senderId }
  const apply = coalesce<ProviderEvent>(
    async (events) => void (await applyProviderEvents(database.systemPool, key, events)),
    { size: 1000, waitMs: 20 },
  )
  const sender = await startSender({
    database,
    databaseUrl: url,
    logger: createLogger('error'),
    io: {
      clock: systemClock,
      egress: createEgress({ allowedPrivate: [`127.0.0.1:${config.port}`], allowedPorts: [], connections: 1 }),
    },
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

type LibrarySession = {
  on(event: string, listener: (pdu: { response(): unknown }) => void): void
  send(pdu: unknown): void
  bind_transceiver(options: object, answered: (pdu: { command_status: number }) => void): void
  submit_sm(options: object, answered: () => void): void
  close(): void
}

/** A client of the library alone: the same window, submits and reports, with nothing stored. */
async function bareClient(smsc: number): Promise<number> {
  // The library's types lack its generated methods.
  const session = smppLibrary.connect({ url: `smpp://127.0.0.1:${smsc}` }) as unknown as LibrarySession
  await new Promise<void>((resolve, reject) => {
    session.on('error', reject)
    session.bind_transceiver({ system_id: 'carillon', password: 'simulator', interface_version: 0x34 }, (pdu) =>
      pdu.command_status === 0 ? resolve() : reject(new Error('refused')),
    )
  })
  const seconds = await measure(
    () =>
      new Promise<void>((resolve) => {
        let sent = 0
        let answered = 0
        let reported = 0
        const settle = () => answered === people && reported === people && resolve()
        session.on('deliver_sm', (pdu) => {
          reported += 1
          session.send(pdu.response())
          settle()
        })
        const next = () => {
          if (sent === people) return
          const phone = String(phoneOf(sent))
          sent += 1
          session.submit_sm(
            {
              source_addr: 'ACMEIN',
              destination_addr: phone,
              short_message: 'Your parcel is on its way and arrives tomorrow.',
              registered_delivery: 1,
            },
            () => {
              answered += 1
              next()
              settle()
            },
          )
        }
        for (let slot = 0; slot < window * 2; slot += 1) next()
      }),
  )
  session.close()
  return seconds
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
