/**
 * 100,000 messages of two senders get three reports each (sent, delivered, read), shuffled, one in twenty twice, one in
 * fifty before its message: statuses, counters and money must be exact. As in the product, a sender's batches are applied
 * in order and senders in parallel. The limit is a plain batched update over the same reports in the same lanes.
 */
import type { ProviderEvent } from '../packages/server/src/channels/provider.ts'
import { asSystem, type Database } from '../packages/server/src/db/pool.ts'
import { newId } from '../packages/server/src/lib/ids.ts'
import { checkInvariants } from '../packages/server/src/modules/balance/index.ts'
import { applyProviderEvents } from '../packages/server/src/modules/messages/reports/apply-provider-events.ts'
import { joinEarlyReports } from '../packages/server/src/modules/messages/reports/early-reports.ts'
import { foldCounters } from '../packages/server/src/modules/messages/housekeeping/fold-counters.ts'
import type { SenderKey } from '../packages/server/src/modules/messages/reports/reports.queries.ts'
import { buildCampaign, buildSender, phoneOf } from '../packages/server/src/modules/messages/test-lane.ts'
import type { Account } from '../packages/server/src/testing/builders.ts'
import { createOwner } from './dispatch.ts'
import { assertEqual, benchDatabase, contest, measure } from './harness.ts'

const lanes = [0, 1]
const messages = 50_000
const batchSize = 1000
const isFailed = (seq: number) => seq % 10 === 3

type Report = { seq: number; status: 'sent' | 'delivered' | 'read' | 'failed'; at: number }

export async function benchReports(): Promise<void> {
  const reports = shuffledReports()
  const bench = await benchDatabase()
  try {
    await contest({
      name: 'dlr',
      unit: 'reports',
      count: reports.length * lanes.length,
      target: 0.5,
      database: bench.database,
      ours: () => applyAll(bench.database, reports),
      limit: () => updateBare(bench.database, reports),
    })
  } finally {
    await bench.drop()
  }
}

/** Shuffles within a window, by a fixed linear congruence, so that every run has the same order. */
function shuffledReports(): Report[] {
  const begin = Date.now()
  const reports: Report[] = []
  for (let seq = 0; seq < messages; seq += 1) {
    const last = isFailed(seq) ? (['failed'] as const) : (['delivered', 'read'] as const)
    for (const [step, status] of (['sent', ...last] as const).entries()) {
      reports.push({ seq, status, at: begin + step * 1000 })
      if ((seq * 3 + step) % 20 === 0) reports.push({ seq, status, at: begin + step * 1000 })
    }
  }
  let state = 42
  const random = () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648
  for (let index = reports.length - 1; index > 0; index -= 1) {
    const other = Math.floor(random() * (index + 1))
    const [one, two] = [reports[index], reports[other]]
    if (one && two) [reports[index], reports[other]] = [two, one]
  }
  return reports
}

type Lane = { key: SenderKey; campaignId: string; events: ProviderEvent[] }

async function applyAll(database: Database, reports: readonly Report[]): Promise<number> {
  const owner = await createOwner(database)
  const built: Lane[] = []
  for (const _ of lanes) built.push(await buildSent(database, owner, reports))
  await database.ownerPool.query('analyze')
  const seconds = await measure(async () => {
    await Promise.all(
      built.map(async ({ key, events }) => {
        for (let next = 0; next < events.length; next += batchSize) {
          await applyProviderEvents(database.systemPool, key, events.slice(next, next + batchSize))
        }
      }),
    )
    for (const lane of built) await insertMessages(database, lane, { early: true })
    await joinEarlyReports(database.systemPool, { since: '6 hours' })
    await foldCounters(database.systemPool)
  })
  for (const { campaignId } of built) await assertExact(database, campaignId)
  return seconds
}

/** A sender whose messages were all handed over; some responses are not written yet. */
async function buildSent(database: Database, owner: Account, reports: readonly Report[]): Promise<Lane> {
  const { organizationId } = owner
  const senderId = await buildSender(database, owner)
  const campaignId = await buildCampaign(database, {
    owner,
    senderId,
    total: messages,
    billableOn: 'delivered',
    status: 'paused',
  })
  const key = { organizationId, senderId }
  await insertMessages(database, { key, campaignId }, { early: false })
  await database.ownerPool.query(
    `insert into counter_deltas (organization_id, campaign_id, leg, account_id, channel, submitted, sent, parts, cost) values ($1, $2, 1, $3, 'sms', $4, $4, $4, $4::int * 1000)`,
    [organizationId, campaignId, owner.id, messages],
  )
  await asSystem(database, async (db) => {
    await db
      .updateTable('chunks')
      .set({ watermark: (eb) => eb.ref('hi'), recorded: (eb) => eb.ref('hi') })
      .where('campaign_id', '=', campaignId)
      .execute()
  })
  await database.ownerPool.query(
    `select capture_hold($1, hold_id, $3, 'capture:bench:' || id, '') from campaigns where id = $2`,
    [organizationId, campaignId, messages * 1000],
  )
  return { key, campaignId, events: reports.map(toEvent) }
}

async function insertMessages(
  database: Database,
  { key, campaignId }: Pick<Lane, 'key' | 'campaignId'>,
  { early }: { early: boolean },
) {
  await database.ownerPool.query(
    `insert into messages (organization_id, created_on, campaign_id, seq, leg, sender_id, phone, status, parts, price, billable_on, provider_message_id, sent_at)
    select $1, current_date, $2, seq, 1, $3, ${phoneOf(0)} + seq, 'sent', 1, 1000, 'delivered', 'p' || seq, now()
    from generate_series(0, ${messages - 1}) seq where (seq % 50 = 7) = $4`,
    [key.organizationId, campaignId, key.senderId, early],
  )
}

/** As a provider's connection delivers it. */
function toEvent({ seq, status, at }: Report): ProviderEvent {
  const read = (text: string) => Buffer.from(text).toString('latin1')
  return {
    kind: 'delivery-report',
    providerMessageIds: [read(`p${seq}`)],
    status,
    at: new Date(at),
    ...(status === 'failed' ? { reason: 'undelivered', code: '5', detail: 'UNDELIV' } : {}),
    raw: read(`id:p${seq} sub:001 dlvrd:001 stat:${status} err:000`),
  }
}

async function assertExact(database: Database, campaignId: string) {
  const { rows } = await database.ownerPool.query(
    'select sent, delivered, read, failed, cost, refunded from counters where campaign_id = $1',
    [campaignId],
  )
  const failed = Array.from({ length: messages }, (_, seq) => seq).filter(isFailed).length
  assertEqual(
    rows,
    [{ sent: 0, delivered: 0, read: messages - failed, failed, cost: messages * 1000, refunded: failed * 1000 }],
    'counters',
  )
  const counted = await database.ownerPool.query(
    'select status, count(*) from messages where campaign_id = $1 group by status order by status',
    [campaignId],
  )
  assertEqual(
    counted.rows,
    [
      { status: 'failed', count: failed },
      { status: 'read', count: messages - failed },
    ],
    'messages',
  )
  const early = await database.ownerPool.query('select count(*) from early_reports')
  assertEqual(early.rows, [{ count: 0 }], 'early reports left')
  assertEqual(await asSystem(database, checkInvariants), [], 'ledger')
}

async function updateBare(database: Database, reports: readonly Report[]): Promise<number> {
  const pool = database.ownerPool
  await pool.query(`
    drop table if exists bare_messages;
    create table bare_messages (organization_id uuid, created_on date, campaign_id uuid, seq int, leg smallint, sender_id uuid, phone bigint,
      status message_status, provider_message_id text, at timestamptz, primary key (organization_id, campaign_id, seq, leg, created_on)) with (fillfactor = 70);
    create index on bare_messages (organization_id, sender_id, provider_message_id)`)
  const organization = newId()
  const senders = lanes.map(() => newId())
  for (const sender of senders) {
    await pool.query(
      `insert into bare_messages select $1, current_date, $2, seq, 1, $3, ${phoneOf(0)} + seq, 'sent', 'p' || seq from generate_series(0, ${messages - 1}) seq`,
      [organization, newId(), sender],
    )
  }
  await pool.query('analyze')
  const seconds = await measure(async () => {
    await Promise.all(
      senders.map(async (sender) => {
        for (let next = 0; next < reports.length; next += batchSize) {
          await applyBare(pool, { organization, sender }, reports.slice(next, next + batchSize))
        }
      }),
    )
  })
  const { rows } = await pool.query(`select count(*) from bare_messages where status in ('read', 'failed')`)
  assertEqual(rows, [{ count: messages * lanes.length }], 'bare statuses')
  return seconds
}

async function applyBare(
  pool: Database['ownerPool'],
  { organization, sender }: { organization: string; sender: string },
  batch: readonly Report[],
) {
  await pool.query({
    name: 'bare-apply',
    text: `update bare_messages message set status = latest.status, at = latest.at
      from (select distinct on (id) * from unnest($3::text[], $4::message_status[], $5::timestamptz[]) as report (id, status, at) order by id, status desc) latest
      where message.organization_id = $1 and message.sender_id = $2 and message.provider_message_id = latest.id and message.status < latest.status`,
    values: [
      organization,
      sender,
      `{${batch.map(({ seq }) => `p${seq}`).join(',')}}`,
      `{${batch.map(({ status }) => status).join(',')}}`,
      `{${batch.map(({ at }) => new Date(at).toISOString()).join(',')}}`,
    ],
  })
}
