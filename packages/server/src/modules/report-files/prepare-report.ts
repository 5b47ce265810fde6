import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { factsOfType, ReportChannel, ReportFormat, ReportType } from '@carillon/contract/report-file-records'
import { reportFileEndpoints } from '@carillon/contract/report-files'
import { sql } from 'kysely'
import { asSystem, type Database, type Db } from '../../db/pool.ts'
import { isUnavailable } from '../../db/unavailable.ts'
import type { Clock } from '../../lib/clock.ts'
import { every } from '../../lib/every.ts'
import type { Logger } from '../../lib/logger.ts'
import { getAccountStatus } from '../accounts/index.ts'
import { findLetterhead } from '../balance/index.ts'
import { recordFile, type FileStore } from '../files/index.ts'
import { notify } from '../notifications/index.ts'
import { findCovered } from './covered-organizations.ts'
import { detailsSince } from './estimate-report.ts'
import { reportFormats } from './file-formats.ts'
import { openSnapshot, type ReadingConnection } from './open-scope.ts'
import { findUploaded, readRows } from './read-report.ts'
import { readRequester, refusalOf } from './may-request.ts'
import { ReportFailure } from './report-failure.ts'
import type { CoveredOrganization, ReportSpan } from './report-span.ts'
import type { ReportColumn } from './report-columns.ts'
import { columnsOf } from './report-types.ts'
import { beginRun, updateRun, type ReportKey, type ReportRow, type ReportRun } from './reports.queries.ts'
import { createTally, type Tally } from './tally.ts'

export type PrepareDeps = {
  database: Database
  store: FileStore
  clock: Clock
  logger: Logger
  retentionDays: number
  /** Whether there is enough free disk space. */
  hasRoom(): Promise<boolean>
  /** In the transaction in which a report becomes ready or fails. */
  onFinished(db: Db, report: Pick<ReportKey, 'organizationId' | 'reportId'>): Promise<void>
}

const progressEveryMs = 1000
const keptDays = 30
/** Then a report fails whose process dies or whose statements fail each time. */
const mostRuns = 5

/** The report was deleted, or another run began. Its results are discarded. */
class Superseded extends Error {
  override name = 'Superseded'
}

/** Writes the file of a report from the start, whatever earlier runs did. */
export async function prepareReport(deps: PrepareDeps, key: ReportKey, signal: AbortSignal): Promise<void> {
  const report = await asSystem(deps.database, (db) => beginRun(db, key))
  if (!report) return
  const run = { ...key, run: report.run }
  try {
    if (report.run > mostRuns) throw new ReportFailure(couldNotBePrepared)
    await writeReport(deps, { report, run, stopping: signal })
  } catch (error) {
    if (error instanceof Superseded) return
    const words = explain(error, report.run)
    if (signal.aborted || words === undefined) throw error
    if (!(error instanceof ReportFailure)) deps.logger.error({ report: report.id, err: error }, 'a report failed')
    await fail(deps, { report, run, error: words })
  }
}

const couldNotBePrepared = 'The report could not be prepared. Request it again later.'
const noRoom = 'The server has too little disk space for the file. Request the report again later.'

/** Undefined: tried again. */
function explain(error: unknown, runs: number): string | undefined {
  if (error instanceof ReportFailure) return error.message
  if (error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')) return noRoom
  return isUnavailable(error) && runs < mostRuns ? undefined : couldNotBePrepared
}

type Task = { report: ReportRow; run: ReportRun; stopping: AbortSignal }

async function writeReport(deps: PrepareDeps, { report, run, stopping }: Task) {
  const { organizations, requester } = await asSystem(deps.database, (db) => checkRequester(db, report))
  await assertRoom(deps)
  const superseded = new AbortController()
  const signal = AbortSignal.any([stopping, superseded.signal])
  const connection = await openSnapshot(deps.database)
  const state = { share: 0, rows: () => 0 }
  const watch = every(progressEveryMs, async () => {
    try {
      await assertRoom(deps)
      await saveProgress(deps.database, run, state)
    } catch (error) {
      if (!(error instanceof Superseded) && !(error instanceof ReportFailure)) return
      superseded.abort(error)
      // A statement may be sorting, and no row comes before it ends.
      await connection.close()
    }
  })
  const close = () => {
    connection.close().catch(() => undefined)
  }
  stopping.addEventListener('abort', close)
  try {
    const content = await describe(connection, { report, organizations, requester })
    const { letterhead, notes } = await asSystem(deps.database, async (db) => ({
      letterhead: await findLetterhead(db, { openFile: (key) => deps.store.open(key) }, report.organization_id),
      notes: [...notesOf(deps, content.span), ...(await noteMismatches(db, content.span, organizations))],
    }))
    state.rows = content.tally.rows
    const onProgress = (share: number) => {
      state.share = share
    }
    const rows = readRows(connection, { ...content, organizations, signal, onProgress })
    const file = await store(
      deps.store,
      reportFormats[ReportFormat.parse(report.format)].write({ ...content, rows, notes, letterhead }),
    )
    await finish(deps, { report, run, content, file, notes })
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    stopping.removeEventListener('abort', close)
    watch.stop()
    await connection.close()
  }
}

async function assertRoom({ hasRoom }: PrepareDeps) {
  if (!(await hasRoom())) throw new ReportFailure(noRoom)
}

async function saveProgress(database: Database, run: ReportRun, { share, rows }: { share: number; rows(): number }) {
  const progress = Math.min(99, Math.floor(share * 100))
  const isOurs = await asSystem(database, (db) => updateRun(db, run, { progress, rows: rows() }))
  if (!isOurs) throw new Superseded()
}

/** The account that requested the report must still be what it was. Returns what it covers. */
async function checkRequester(
  db: Db,
  report: ReportRow,
): Promise<{ organizations: CoveredOrganization[]; requester: ReportSpan['requester'] }> {
  const account = await db.selectFrom('accounts').selectAll().where('id', '=', report.account_id).executeTakeFirst()
  const status = account && (await getAccountStatus(db, account.path))
  if (!account || status !== 'active') throw new ReportFailure('The account that requested the report is not active.')
  if (account.path !== report.scope_path)
    throw new ReportFailure('The account that requested the report was moved. Request it again.')
  if (!reportFileEndpoints['reportFiles.generate'].roles.some((role) => role === account.role))
    throw new ReportFailure('The account that requested the report may no longer request reports.')
  const refusal = refusalOf(await readRequester(db, account), ReportType.parse(report.type))
  if (refusal) throw new ReportFailure(`${refusal.message}.`)
  const scope = {
    organizationId: account.organization_id,
    path: account.path,
    descends: account.role === 'admin',
  }
  const campaignOrganizationId = await findCampaignOrganization(db, report)
  return {
    organizations: await findCovered(db, { scope, campaignOrganizationId }),
    requester: { accountId: account.id, role: account.role },
  }
}

async function findCampaignOrganization(db: Db, report: ReportRow): Promise<string | null> {
  if (report.campaign_id === null) return null
  const campaign = await db
    .selectFrom('campaigns')
    .select('organization_id')
    .where('id', '=', report.campaign_id)
    .where(sql<boolean>`path <@ ${report.scope_path}::ltree`)
    .executeTakeFirst()
  if (!campaign) throw new ReportFailure('The campaign is no longer in the scope of the account.')
  return campaign.organization_id
}

type Content = {
  name: string
  span: ReportSpan
  columns: readonly ReportColumn[]
  facts: readonly (readonly [string, string])[]
  tally: Tally
}

type Described = {
  report: ReportRow
  organizations: readonly CoveredOrganization[]
  requester: ReportSpan['requester']
}

async function describe(
  connection: ReadingConnection,
  { report, organizations, requester }: Described,
): Promise<Content> {
  const type = ReportType.parse(report.type)
  const channel = ReportChannel.parse(report.channel)
  const { first_day: from, last_day: to, timezone, campaign_id: campaignId, name } = report
  const span = { type, from, to, channel, timezone, campaignId, requester }
  const [organization] = organizations
  const uploaded =
    campaignId === null || !organization ? undefined : await findUploaded(connection, { organization, campaignId })
  const columns = columnsOf(span, { isOfSeveral: organizations.length > 1, uploaded })
  const [snapshot] = await connection.query<{ at: string }>(
    `select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at`,
  )
  const facts = [
    ['From', from],
    ['To', to],
    ['Time zone', timezone],
    ['Channel', channel],
    ['Campaign', report.campaign_name ?? 'all'],
    ['As of', snapshot?.at ?? ''],
  ] as const
  return { name, span, columns, facts, tally: createTally(columns) }
}

type StoredFile = { key: string; sizeBytes: number; checksum: Buffer }

async function store(files: FileStore, content: AsyncIterable<Uint8Array | string>): Promise<StoredFile> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  async function* counted() {
    for await (const piece of content) {
      const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
      hash.update(bytes)
      sizeBytes += bytes.length
      yield bytes
    }
  }
  const key = await files.put(Readable.from(counted(), { objectMode: false }))
  return { key, sizeBytes, checksum: hash.digest() }
}

type Finished = {
  report: ReportRow
  run: ReportRun
  content: Content
  file: StoredFile
  notes: readonly string[]
}

async function finish(deps: PrepareDeps, { report, run, content, file, notes }: Finished) {
  const { organization_id: organizationId, account_id: accountId, id, name } = report
  const format = ReportFormat.parse(report.format)
  const { tally, columns } = content
  await asSystem(deps.database, async (db) => {
    const { id: fileId } = await recordFile(db, deps.store, {
      organization_id: organizationId,
      purpose: 'report',
      name: `${name}.${format}`,
      mime_type: reportFormats[format].contentType,
      size_bytes: file.sizeBytes,
      sha256: file.checksum,
      storage_key: file.key,
      created_by: accountId,
    })
    const isOurs = await updateRun(db, run, {
      status: 'ready',
      progress: 100,
      rows: tally.rows(),
      file_id: fileId,
      size_bytes: file.sizeBytes,
      checksum: file.checksum,
      notes: JSON.stringify(notes),
      summary: JSON.stringify(tally.summary()),
      daily: JSON.stringify(tally.daily()),
      columns: JSON.stringify(columns.map(({ key, title, unit }) => ({ key, title, unit }))),
      preview: JSON.stringify(tally.preview()),
      ready_at: sql<Date>`now()`,
      expires_at: sql<Date>`now() + make_interval(days => ${keptDays})`,
    })
    if (!isOurs) throw new Superseded()
    await deps.onFinished(db, run)
    await notify(db, [
      {
        organizationId,
        accountId,
        kind: 'report_ready',
        title: 'A report is ready',
        description: name,
        link: { type: 'report', id },
        eventKey: `report_ready:${id}`,
      },
    ])
  })
}

function notesOf({ retentionDays, clock }: PrepareDeps, span: ReportSpan): string[] {
  const since = detailsSince(span, { retentionDays, now: clock.now(), timezone: span.timezone })
  return since === null
    ? []
    : [
        `${factsOfType(span.type).deleted ?? 'Records'} before ${since} were deleted, so this report does not contain them.`,
      ]
}

/** Figures of the span that differ from the messages or the ledger, and are being checked. */
async function noteMismatches(
  db: Db,
  { type, from, to, campaignId }: ReportSpan,
  organizations: readonly CoveredOrganization[],
): Promise<string[]> {
  if (!factsOfType(type).filters.includes('campaign')) return []
  const { count } = await db
    .selectFrom('report_mismatches')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('mended_at', 'is', null)
    .where(
      'organization_id',
      '=',
      sql<string>`any(${organizations.map(({ organizationId }) => organizationId)}::uuid[])`,
    )
    .where(sql<boolean>`coalesce(day between ${from}::date and ${to}::date, true)`)
    .where(sql<boolean>`coalesce(campaign_id = ${campaignId}::uuid, true)`)
    .executeTakeFirstOrThrow()
  if (count === 0) return []
  return [
    `${count === 1 ? '1 figure differs' : `${count} figures differ`} from the messages or the ledger, and will be checked.`,
  ]
}

async function fail(
  { database, onFinished }: PrepareDeps,
  { report, run, error }: { report: ReportRow; run: ReportRun; error: string },
) {
  const { organization_id: organizationId, account_id: accountId, id, name } = report
  await asSystem(database, async (db) => {
    if (!(await updateRun(db, run, { status: 'failed', error }))) return
    await onFinished(db, run)
    await notify(db, [
      {
        organizationId,
        accountId,
        kind: 'report_failed',
        title: 'A report could not be prepared',
        description: `${name}: ${error}`,
        link: { type: 'report', id },
        eventKey: `report_failed:${id}`,
      },
    ])
  })
}
