/**
 * The detailed report of a campaign of 1,000,000 messages, prepared as its job does, as CSV and as XLSX. The limit is `COPY` of the same
 * join with the same columns, unformatted, read and thrown away. MESSAGES=n for another number of messages.
 */
import { once } from 'node:events'
import { createReadStream, mkdtempSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createInflateRaw } from 'node:zlib'
import { to as copyTo } from 'pg-copy-streams'
import type { UserActor } from '../packages/server/src/actor.ts'
import { inScope, type Database } from '../packages/server/src/db/pool.ts'
import { systemClock } from '../packages/server/src/lib/clock.ts'
import { createLogger } from '../packages/server/src/lib/logger.ts'
import { createFileStore, type FileStore } from '../packages/server/src/modules/files/index.ts'
import { buildCampaign, buildSender, phoneOf } from '../packages/server/src/modules/messages/test-lane.ts'
import { rowsOfCampaign } from '../packages/server/src/modules/report-files/message-rows.ts'
import { prepareReport } from '../packages/server/src/modules/report-files/prepare-report.ts'
import { requestReport } from '../packages/server/src/modules/report-files/request-report.ts'
import { buildManager, type Account } from '../packages/server/src/testing/builders.ts'
import { assertEqual, benchDatabase, contest, measure } from './harness.ts'

const messages = Number(process.env['MESSAGES'] ?? 1_000_000)
const warmUpMessages = 20_000
const wanted = { seconds: 20, firstByteSeconds: 1, megabytes: 200 }
const targets = { csv: 0.5, xlsx: 0.25 } as const
type Format = keyof typeof targets

export async function benchExport(): Promise<void> {
  const bench = await benchDatabase()
  const directory = mkdtempSync(join(tmpdir(), 'carillon-bench-'))
  try {
    const { database } = bench
    const store = createFileStore(directory)
    const manager = await buildManager(database)
    const senderId = await buildSender(database, manager)
    const [warmUp, campaign] = [
      await build(database, { manager, senderId, total: warmUpMessages }),
      await build(database, { manager, senderId, total: messages }),
    ]
    await database.ownerPool.query('vacuum analyze')
    for (const format of ['csv', 'xlsx'] as const) await prepareOnce({ database, store, campaign: warmUp, format })
    console.log(
      `export: wanted in at most ${wanted.seconds} s, the first byte after ${wanted.firstByteSeconds} s, with ${wanted.megabytes} MB above idle`,
    )
    for (const format of ['csv', 'xlsx'] as const)
      await contest({
        name: `export, ${format.toUpperCase()}`,
        unit: 'rows',
        count: messages,
        target: targets[format],
        database,
        ours: async () => {
          const run = await prepareOnce({ database, store, campaign, format })
          console.log(
            `  ${run.seconds.toFixed(1)} s, first byte after ${run.firstByteSeconds.toFixed(2)} s, ${run.megabytes.toFixed(0)} MB above idle, a file of ${(run.fileBytes / 1e6).toFixed(0)} MB`,
          )
          return run.seconds
        },
        limit: () => copyOnce(database, campaign),
      })
  } finally {
    await bench.drop()
    rmSync(directory, { recursive: true, force: true })
  }
}

type Campaign = { id: string; manager: Account; createdOn: string; audienceId: string; total: number }

/** All left on one day: 93 % delivered, 2 % in flight, 5 % failed and refunded. */
async function build(
  database: Database,
  { manager, senderId, total }: { manager: Account; senderId: string; total: number },
): Promise<Campaign> {
  const id = await buildCampaign(database, { owner: manager, senderId, total, status: 'paused' })
  const { ownerPool } = database
  const { rows } = await ownerPool.query<{ createdOn: string; audienceId: string }>(
    `update campaigns set created_on = coalesce(created_on, current_date), started_at = now() where id = $1
    returning created_on as "createdOn", audience_id as "audienceId"`,
    [id],
  )
  const [found] = rows
  if (!found) throw new Error('The campaign was not built')
  await ownerPool.query(`update audiences set columns = '{Name,City}' where id = $1`, [found.audienceId])
  await ownerPool.query(
    `insert into messages (organization_id, campaign_id, created_on, left_on, seq, leg, sender_id, phone, parts, price, billable_on,
      status, previous_status, provider_message_id, reason, code, sent_at, delivered_at, failed_at)
    select $1, $2, $3::date, $3::date, seq, 1, $4, ${phoneOf(0)} + seq, 1, 1000, 'delivered', status::message_status,
      case when status <> 'sent' then 'sent'::message_status end, 'p-' || seq, case when status = 'failed' then 'number_unreachable' end,
      case when status = 'failed' then '21' end, now(), case when status = 'delivered' then now() + interval '3 seconds' end,
      case when status = 'failed' then now() + interval '9 seconds' end
    from (select seq, case when seq % 20 = 0 then 'failed' when seq % 50 = 1 then 'sent' else 'delivered' end as status
      from generate_series(0, $5::int - 1) seq) message`,
    [manager.organizationId, id, found.createdOn, senderId, total],
  )
  return { id, manager, total, ...found }
}

type Setting = { database: Database; store: FileStore; campaign: Campaign; format: Format }
type Run = { seconds: number; firstByteSeconds: number; megabytes: number; fileBytes: number }

async function prepareOnce({ database, store, campaign, format }: Setting): Promise<Run> {
  const key = await request(database, campaign, format)
  globalThis.gc?.()
  const idle = process.memoryUsage().rss
  let peak = idle
  const sampler = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 50)
  const begin = performance.now()
  const first = { at: 0 }
  const deps = {
    database,
    store: { ...store, put: (content: string | Readable) => store.put(Readable.from(noteFirst(content, first))) },
    clock: systemClock,
    logger: createLogger('error'),
    retentionDays: 180,
    hasRoom: () => Promise.resolve(true),
    onFinished: () => Promise.resolve(),
  }
  const seconds = await measure(() => prepareReport(deps, key, new AbortController().signal))
  clearInterval(sampler)
  const fileBytes = await assertExact({ database, store, campaign, format }, key.reportId)
  return {
    seconds,
    firstByteSeconds: (first.at - begin) / 1000,
    megabytes: (peak - idle) / 1024 / 1024,
    fileBytes,
  }
}

async function* noteFirst(content: string | Readable, first: { at: number }): AsyncGenerator<Uint8Array> {
  for await (const piece of content) {
    if (first.at === 0) first.at = performance.now()
    yield piece as Uint8Array
  }
}

let requests = 0

/** The row and the job that a call makes; no worker takes the job here. */
async function request(database: Database, { id, manager, createdOn }: Campaign, format: Format) {
  const { organizationId } = manager
  const scope = { organizationId, path: manager.path, descends: false }
  const actor = { kind: 'user', accountId: manager.id, organizationId, role: 'manager', scope } as UserActor
  requests += 1
  const name = `Report ${requests}`
  const { reportId } = await inScope(database, scope, (db) =>
    requestReport(db, {
      actor,
      request: {
        type: 'campaign_detailed',
        detailedCampaignReport: true,
        from: createdOn,
        to: createdOn,
        channel: 'all',
        campaignId: id,
        format,
        name,
      },
    }),
  )
  return { organizationId, reportId, place: 0 }
}

const rowEnds = { csv: '\r\n', xlsx: '</row>' } as const

/** Compares the file and its sum with the messages, then deletes it. Returns its size. */
async function assertExact({ database, store, campaign, format }: Setting, reportId: string): Promise<number> {
  type Finished = { status: string; rows: number; cost: number; sizeBytes: number; key: string }
  const { rows } = await database.ownerPool.query<Finished>(
    `select report.status, report.rows, report.size_bytes as "sizeBytes", file.storage_key as key,
      (jsonb_path_query_first(report.summary, '$[*] ? (@.label starts with "Cost")') ->> 'value')::numeric as cost
    from reports report left join files file on file.id = report.file_id where report.id = $1`,
    [reportId],
  )
  const { rows: sums } = await database.ownerPool.query<{ rows: number; cost: number }>(
    `select count(*) as rows, sum(charge_of(status, price, billable_on)) / 10000.0 as cost from messages where campaign_id = $1`,
    [campaign.id],
  )
  const [report] = rows
  assertEqual([report?.status, report?.rows, report?.cost], ['ready', sums[0]?.rows, sums[0]?.cost], 'report')
  if (!report) return 0
  const path = store.localPath(report.key)
  const content = format === 'csv' ? createReadStream(path) : await openFirstSheet(path)
  assertEqual(await countEnds(content, rowEnds[format]), campaign.total + 1, 'lines of the file')
  await store.remove(report.key)
  return report.sizeBytes
}

/** The rows are the first file of the archive. */
async function openFirstSheet(path: string): Promise<Readable> {
  const file = await open(path)
  const header = Buffer.alloc(30)
  await file.read(header, 0, header.length, 0)
  await file.close()
  const start = header.length + header.readUInt16LE(26) + header.readUInt16LE(28)
  return createReadStream(path, { start }).pipe(createInflateRaw())
}

async function countEnds(content: Readable, end: string): Promise<number> {
  content.setEncoding('utf8')
  let count = 0
  let rest = ''
  for await (const piece of content) {
    const parts = (rest + String(piece)).split(end)
    rest = parts.pop() ?? ''
    count += parts.length
  }
  return count
}

/** What the cells are made of, without words, time zones and sorting. */
const columns = `day, accepted, campaign, account, phone, channel, sender, template, leg, status, reason, code, parts, charged, cost,
  sent_at, delivered_at, read_at, failed_at, variables[1], variables[2]`

async function copyOnce(database: Database, { id, manager, createdOn, audienceId, total }: Campaign): Promise<number> {
  const { organizationId, path } = manager
  const rows = rowsOfCampaign(
    { organizationId, path, name: '', timezone: 'UTC', descends: false },
    {
      type: 'campaign_detailed',
      from: createdOn,
      to: createdOn,
      channel: 'all',
      timezone: 'UTC',
      campaignId: id,
      requester: { accountId: manager.id, role: 'manager' },
    },
    { campaignId: id, createdOn, audienceId, hasLinks: false, lo: 0, hi: total },
  )
  const client = await database.connectAsOwner()
  try {
    let lines = 0
    const seconds = await measure(async () => {
      const copy = client.query(copyTo(`copy (select ${columns} from (${rows}) source) to stdout`))
      copy.resume()
      await once(copy, 'end')
      lines = 'rowCount' in copy ? Number(copy.rowCount) : 0
    })
    assertEqual(lines, total, 'rows of the limit')
    return seconds
  } finally {
    await client.end()
  }
}
