/** The product's engine with independent SMSCs, one per sender. */
import { smpp } from '../../packages/server/src/channels/sms/smpp/smpp.ts'
import { asSystem } from '../../packages/server/src/db/pool.ts'
import { createEgress } from '../../packages/server/src/egress/egress.ts'
import { systemClock } from '../../packages/server/src/lib/clock.ts'
import { coalesce } from '../../packages/server/src/lib/coalesce.ts'
import { createLogger } from '../../packages/server/src/lib/logger.ts'
import { checkInvariants } from '../../packages/server/src/modules/balance/index.ts'
import { applyProviderEvents } from '../../packages/server/src/modules/messages/reports/apply-provider-events.ts'
import { joinEarlyReports } from '../../packages/server/src/modules/messages/reports/early-reports.ts'
import { startSender, type Sender } from '../../packages/server/src/modules/messages/engine/sender.ts'
import { buildCampaign, buildSender } from '../../packages/server/src/modules/messages/test-lane.ts'
import type { ProviderEvent } from '../../packages/server/src/channels/provider.ts'
import { buildManager, type Account } from '../../packages/server/src/testing/builders.ts'
import { testDatabase, type TestDatabase } from '../../packages/server/src/testing/database.ts'
import { until } from '../../packages/server/src/testing/until.ts'
import { startForeignSmsc, type ForeignSmsc, type ForeignSmscOptions, type HandsetMessage } from './smsc.ts'

export type Line = { senderId: string; smsc: ForeignSmsc }

export type ReceiptsWorld = {
  opened: TestDatabase
  manager: Account
  /** A sender with its own SMSC. */
  connect(options: ForeignSmscOptions, settings?: object): Promise<Line>
  /** Another account at the same SMSC with the same system id. */
  share(line: Line): Promise<Line>
  /** Sends to the same recipients each time; resolves when all results are written. */
  send(line: Line, total: number, body?: string): Promise<Sent>
  /** Applies waiting reports until only so many messages are open, or the time is over. */
  settle(sent: readonly Sent[], open?: number): Promise<void>
  /** Restarts the SMSC with ids from 1. Its receipts were acknowledged before, because repeated ones would refer to the new ids. */
  restart(line: Line): Promise<void>
  /** Moves a campaign and its messages to yesterday, in the product and the SMSC. */
  moveToYesterday(sent: Sent): Promise<void>
  close(): Promise<void>
}

/** Messages received by one campaign's handsets. */
export type Sent = { campaignId: string; senderId: string; messages: HandsetMessage[] }

export async function buildReceiptsWorld(): Promise<ReceiptsWorld> {
  const opened = await testDatabase()
  const { database } = opened
  const manager = await buildManager(database)
  const lines = new Map<string, { port: number; settings: object }>()
  const closers: (() => Promise<void>)[] = []
  let sender: Sender | undefined

  async function connect(options: ForeignSmscOptions, settings: object = {}): Promise<Line> {
    const smsc = await startForeignSmsc(options)
    closers.push(() => smsc.close())
    return connectTo(smsc, settings)
  }

  async function connectTo(smsc: ForeignSmsc, settings: object): Promise<Line> {
    const senderId = await buildSender(database, manager, { ratePerSecond: 10_000 })
    await database.systemPool.query(
      `update provider_accounts set provider = 'smpp', config = $2
      where id = (select provider_account_id from senders where id = $1)`,
      [senderId, JSON.stringify({ host: '127.0.0.1', port: smsc.port, systemId: 'a' })],
    )
    lines.set(senderId, { port: smsc.port, settings })
    sender ??= await startEngine(opened, lines)
    return { senderId, smsc }
  }

  return {
    opened,
    manager,
    connect,
    share: ({ senderId, smsc }) => connectTo(smsc, lines.get(senderId)?.settings ?? {}),
    async send({ senderId, smsc }, total, body = 'Hello {#var#}') {
      const before = smsc.messages.length
      const campaignId = await buildCampaign(database, {
        owner: manager,
        senderId,
        total,
        body,
        billableOn: 'delivered',
      })
      sender?.wake()
      await poll(async () => (await countOf(opened, campaignId)).all === total)
      return { campaignId, senderId, messages: smsc.messages.slice(before) }
    },
    async restart({ smsc }) {
      await until(() => smsc.receiptsOpen() === 0, 'the answers to all receipts')
      smsc.restart({ firstId: 1 })
    },
    async moveToYesterday({ campaignId, messages }) {
      const pool = database.ownerPool
      await pool.query(
        `update messages set created_on = created_on - 1, sent_at = sent_at - interval '1 day', delivered_at = delivered_at - interval '1 day',
          failed_at = failed_at - interval '1 day' where campaign_id = $1`,
        [campaignId],
      )
      await pool.query(`update message_parts set created_on = created_on - 1 where campaign_id = $1`, [campaignId])
      await pool.query('update campaigns set created_on = created_on - 1 where id = $1', [campaignId])
      for (const message of messages) message.at -= 86_400_000
    },
    async settle(sent, open = 0) {
      await poll(async () => {
        await joinEarlyReports(database.systemPool, { since: '6 hours' })
        const counts = await Promise.all(sent.map(({ campaignId }) => countOf(opened, campaignId)))
        return counts.reduce((sum, count) => sum + count.open, 0) === open
      })
    },
    async close() {
      await sender?.stop()
      for (const close of closers) await close()
      const breaches = await asSystem(database, checkInvariants)
      await opened.drop()
      if (breaches.length > 0) throw new Error(JSON.stringify(breaches))
    },
  }
}

function startEngine({ database, url }: TestDatabase, lines: Map<string, { port: number; settings: object }>) {
  const sinks = new Map<string, (events: readonly ProviderEvent[]) => Promise<void>>()
  return startSender({
    database,
    databaseUrl: url,
    logger: createLogger(process.env['TEST_LOG'] ?? 'silent'),
    io: {
      clock: systemClock,
      readInstallationSettings: async () => undefined,
      egress: createEgress({
        allowedPrivate: Array.from({ length: 65_535 }, (_, port) => `127.0.0.1:${port + 1}`),
        allowedPorts: [],
        connections: 1,
      }),
    },
    async loadConnection({ senderId }) {
      const { port, settings } = lines.get(senderId) ?? { port: 1, settings: {} }
      const config = smpp.config.parse({ host: '127.0.0.1', port, systemId: 'a', window: 100, dlt: false, ...settings })
      return {
        // The engine accepts any provider; these settings were parsed by the provider's schema.
        provider: smpp as never,
        config,
        ratePerSecond: 10_000,
        callbackUrl: '',
        idempotent: false,
      }
    },
    applyEvents(key, events) {
      const sink =
        sinks.get(key.senderId) ??
        coalesce<ProviderEvent>(
          async (gathered) => void (await applyProviderEvents(database.systemPool, key, gathered)),
          { size: 1000, waitMs: 20 },
        )
      sinks.set(key.senderId, sink)
      return sink(events)
    },
    // A long lease: a machine that stalls for seconds must not lose its lane and the pending responses.
    timing: { lease: 60_000 },
  })
}

async function countOf({ database }: TestDatabase, campaignId: string): Promise<{ all: number; open: number }> {
  const { rows } = await database.systemPool.query<{ all: number; open: number }>(
    `select count(*)::int as all, count(*) filter (where status not in ('delivered', 'failed'))::int as open from messages where campaign_id = $1`,
    [campaignId],
  )
  return rows[0] ?? { all: 0, open: 0 }
}

async function poll(isDone: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 40_000
  while (!(await isDone()) && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50))
}

export type Verdict = { right: number; wrong: number; open: number }

const endOf: Record<string, string> = { DELIVRD: 'delivered', UNDELIV: 'failed' }

/** Compares each message's status with its handset. */
export async function judge(
  { opened }: ReceiptsWorld,
  { campaignId, messages }: Sent,
  fate: (message: HandsetMessage) => string | undefined,
): Promise<Verdict> {
  const { rows } = await opened.database.systemPool.query<{ phone: number; status: string }>(
    'select phone, status from messages where campaign_id = $1',
    [campaignId],
  )
  const statuses = new Map(rows.map(({ phone, status }) => [phone, status]))
  const verdict: Verdict = { right: 0, wrong: 0, open: 0 }
  for (const message of wholes(messages)) {
    const status = statuses.get(Number(message.to)) ?? ''
    const expected = endOf[fate(message) ?? ''] ?? 'sent'
    if (status === expected) verdict.right += 1
    else if (status === 'sent') verdict.open += 1
    else verdict.wrong += 1
  }
  return verdict
}

/** A long text is delivered only if all its parts are. */
function wholes(messages: readonly HandsetMessage[]): HandsetMessage[] {
  return [...new Map(messages.map((message) => [message.to, message])).values()]
}
