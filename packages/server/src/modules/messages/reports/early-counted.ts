import type pg from 'pg'
import type { FailureClass } from '@carillon/contract/campaign-records'
import type { DeliveryReport, ReportMatch } from '../../../channels/provider.ts'
import { applyCounted } from './apply-counted.ts'
import { againOnCollision } from '../../../db/collisions.ts'
import { reportedOf } from './report-evidence.ts'
import { countReports, type ReportCounts } from './report-metrics.ts'
import type { SenderKey } from './reports.queries.ts'
import { settleChanges } from './settle-changes.ts'
import { inTransaction, run, textArray, type Queryable, type Statement } from '../statements.ts'

/** How long a report waits for a newer message than those with its id. */
const patienceMs = 90_000
/** After this time, a report whose id matches only messages to other numbers is given up and counted. */
const giveUpMs = 15 * 60_000
/** Reports per run, the newest first: reports that match none of our messages must not delay the others. */
const most = 5_000

const findSenders: Statement = {
  name: 'find-senders-of-counted-reports',
  text: `select distinct organization_id as "organizationId", sender_id as "senderId" from early_reports
    where match is not null and received_at > now() - $1::interval`,
}

const lock: Statement = {
  name: 'lock-counted-reports',
  text: `
  select provider_message_id as id, match_key as "matchKey", match, status, reason, code, detail, at, received_at as "receivedAt"
  from early_reports
  where organization_id = $1 and sender_id = $2 and match is not null and received_at > now() - $3::interval
  order by received_at desc limit ${most}
  for update skip locked`,
}

type Row = {
  id: string
  matchKey: string
  match: Omit<ReportMatch, 'submittedAt'> & { candidates: string[]; submittedAt?: string }
  status: DeliveryReport['status']
  reason: FailureClass | null
  code: string | null
  detail: string | null
  at: Date
  receivedAt: Date
}

/** Matches waiting reports with messages that were stored meanwhile. */
export async function joinCountedReports(
  pool: pg.Pool,
  { since }: { since: string },
): Promise<{ organizationId: string; campaignIds: string[] }[]> {
  const joined: { organizationId: string; campaignIds: string[] }[] = []
  for (const key of await run<SenderKey>(pool, findSenders, [since])) {
    const { campaignIds, counts } = await againOnCollision(() =>
      inTransaction(pool, (db) => joinOfSender(db, key, since)),
    )
    countReports(counts)
    if (campaignIds.length > 0) joined.push({ organizationId: key.organizationId, campaignIds })
  }
  return joined
}

type Joined = { campaignIds: string[]; counts: Partial<ReportCounts> }

async function joinOfSender(db: Queryable, key: SenderKey, since: string): Promise<Joined> {
  const rows = (await run<Row>(db, lock, [key.organizationId, key.senderId, since])).reverse()
  if (rows.length === 0) return { campaignIds: [], counts: {} }
  const ageOf = (index: number) => Date.now() - (rows[index]?.receivedAt.getTime() ?? 0)
  const { changes, waiting, conflicting, unmatched } = await applyCounted(db, key, {
    reports: rows.map((row) => reportedOf(present(row))),
    isNew: false,
    mayWait: (index) => ageOf(index) < patienceMs,
    isOver: (index) => ageOf(index) > giveUpMs,
  })
  const stays = new Set(waiting)
  await forget(
    db,
    key,
    rows.filter((_, index) => !stays.has(index)),
  )
  const matched = rows.length - waiting.length - unmatched
  return {
    campaignIds: await settleChanges(db, key.organizationId, changes),
    counts: { matched, conflicting, unmatched },
  }
}

function present({ id, match, status, reason, code, detail, at }: Row): DeliveryReport {
  const { candidates, submittedAt, ...more } = match
  return {
    kind: 'delivery-report',
    providerMessageIds: candidates.length > 0 ? candidates : [id],
    match: submittedAt ? { ...more, submittedAt: new Date(submittedAt) } : more,
    status,
    at,
    ...(reason ? { reason } : {}),
    ...(code ? { code } : {}),
    ...(detail ? { detail } : {}),
  }
}

const remove: Statement = {
  name: 'forget-counted-reports',
  text: `
  delete from early_reports early using unnest($3::text[], $4::text[], $5::message_status[]) as done (id, match_key, status)
  where early.organization_id = $1 and early.sender_id = $2 and early.provider_message_id = done.id
    and early.match_key = done.match_key and early.status = done.status`,
}

async function forget(db: Queryable, { organizationId, senderId }: SenderKey, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return
  await run(db, remove, [
    organizationId,
    senderId,
    textArray(rows.map(({ id }) => id)),
    textArray(rows.map(({ matchKey }) => matchKey)),
    textArray(rows.map(({ status }) => status)),
  ])
}
