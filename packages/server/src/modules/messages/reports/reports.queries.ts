import type { MessageStatus } from '@carillon/contract/campaign-records'
import {
  before,
  joinByIds,
  moveForward,
  moveOfDay,
  returning,
  runMove,
  changesMessage,
  type ChangedMessages,
} from './moved-by-place.ts'
import { mayRepeatIds, RepeatedIds } from './repeated-ids.ts'
import { parseReference } from '../reference.ts'
import { matchKey, type ReportedMessage } from './report-evidence.ts'
import { numberArray, run, sparseText, textArray, type Queryable, type Statement } from '../statements.ts'

export type SenderKey = { organizationId: string; senderId: string }

const columnsOfRows = {
  number: 'int',
  status: 'message_status',
  sent_at: 'int8',
  delivered_at: 'int8',
  read_at: 'int8',
  failed_at: 'int8',
  failure: 'int',
}
const columnsOfFailures = ['reason', 'code', 'detail']

/**
 * The batch as rows, one for each form of each id: a join of two unnests is planned as a loop over their product. Instants are
 * milliseconds, which are faster to write and parse than text. Each array costs time, so numbers and statuses that follow from
 * the others are omitted, and each distinct failure is listed once, with its index in the rows.
 */
export function reportRows(first: number, keys: Record<string, string>): string {
  const columns = [...Object.keys(columnsOfRows), ...Object.keys(keys)]
  const firstFailure = first + Object.keys(columnsOfRows).length
  const firstKey = firstFailure + columnsOfFailures.length
  const arrays = [
    ...Object.values(columnsOfRows).map((type, index) => `$${first + index}::${type}[]`),
    ...Object.values(keys).map((type, index) => `$${firstKey + index}::${type}[]`),
  ]
  const instant = (column: string) => `to_timestamp(${column} / 1000::float8) as ${column}`
  const failure = (column: string, index: number) => `($${firstFailure + index}::text[])[failure] as ${column}`
  return `(
    select coalesce(number, row::int - 1) as number,
      coalesce(status, case when read_at is not null then 'read'::message_status when delivered_at is not null then 'delivered'
        when failed_at is not null then 'failed' else 'sent' end) as status,
      ${['sent_at', 'delivered_at', 'read_at', 'failed_at'].map(instant).join(', ')},
      ${columnsOfFailures.map(failure).join(', ')}, ${Object.keys(keys).join(', ')}
    from unnest(${arrays.join(', ')}) with ordinality as input (${columns.join(', ')}, row)
  ) as report`
}

const byId = { rows: reportRows(4, { id: 'text' }), join: joinByIds('$14') }
const update = moveOfDay('apply-reports', byId)
const updateNewest = moveOfDay('apply-reports-to-newest', { ...byId, repeatableIds: '$14' })

/** The changes, and which of the reports match no message of the day by any form of their id. */
export async function updateMessages(
  db: Queryable,
  key: SenderKey,
  question: { day: string; reports: Map<number, ReportedMessage> },
): Promise<{ changes: ChangedMessages[]; unknown: number[] }> {
  const { day, reports } = question
  const rows = eachCandidate(reports)
  const values = [...reportArrays(rows), candidateArray(rows)]
  const move = mayRepeatIds(key) ? updateNewest : update
  const { changes, missing, overtaken, found } = await runMove(db, move, { day, key, values })
  if (found > rows.length && move === update) throw new RepeatedIds(key)
  const unknown = findUnknown(reports, missing)
  if (overtaken.size === 0) return { changes, unknown }
  // The next statement sees what the other batch wrote.
  const again = new Map([...reports].filter(([number]) => overtaken.has(number)))
  return { changes: [...changes, ...(await updateMessages(db, key, { day, reports: again })).changes], unknown }
}

/** Reports that match no message by any candidate. `missing` has a report once for each candidate without a message. */
function findUnknown(reports: Map<number, ReportedMessage>, missing: readonly number[]): number[] {
  const counts = new Map<number, number>()
  for (const number of missing) counts.set(number, (counts.get(number) ?? 0) + 1)
  return [...counts].flatMap(([number, count]) => (count === reports.get(number)?.candidates.length ? [number] : []))
}

const updateByKey: Statement = {
  name: 'apply-reports-by-key',
  text: `
  with locked as materialized (
    select report.*, ${before}
    from ${reportRows(2, { campaign_id: 'uuid', leg: 'smallint', seq: 'int' })}
    join messages message on message.organization_id = $1 and message.campaign_id = report.campaign_id and message.leg = report.leg
      and message.seq = report.seq
    order by report.campaign_id, report.leg, report.seq
    for no key update of message
  ), moved as (
  update messages as message set ${moveForward}
  from locked as report
  where message.organization_id = $1 and message.campaign_id = report.campaign_id and message.leg = report.leg and message.seq = report.seq
    and ${changesMessage}
  returning ${returning}
  )
  select *, 1 as count, array[seq] as seqs, case when status = 'failed' and previous <> 'failed'
    then json_build_object('seqs', array[seq], 'reasons', array[reason]) end as ended
  from moved`,
}

export type Target = { campaignId: string; leg: number; seq: number }

/** By our own key: if the provider returns our reference, and for messages of several parts. */
export async function updateMessagesByKey(
  db: Queryable,
  organizationId: string,
  targets: Map<number, { target: Target; report: ReportedMessage }>,
): Promise<(ChangedMessages & { number: number })[]> {
  const rows = [...targets].map(([number, { target, report }]) => ({ number, report, ...target }))
  return run(db, updateByKey, [organizationId, ...reportArrays(rows), ...keyArrays(rows)])
}

/** Campaigns, legs, positions in the audience. */
export function keyArrays(targets: readonly Target[]): [string, string, string] {
  return [
    textArray(targets.map(({ campaignId }) => campaignId)),
    numberArray(targets.map(({ leg }) => leg)),
    numberArray(targets.map(({ seq }) => seq)),
  ]
}

const readToday: Statement = { name: 'read-today', text: 'select current_date as today' }

/** The day of the messages that are written now, by the database's clock. */
export async function today(db: Queryable): Promise<string> {
  const [row] = await run<{ today: string }>(db, readToday, [])
  if (!row) throw new Error('The database has no date')
  return row.today
}

const findDays: Statement = {
  name: 'find-days-reported',
  text: `
  select candidate.number, found.created_on as day
  from unnest($3::int[], $4::text[]) as candidate (number, id)
  cross join lateral (
    select created_on from messages
    where organization_id = $1 and sender_id = $2 and provider_message_id = candidate.id and created_on <= current_date + 1
    union all
    select created_on from message_parts
    where organization_id = $1 and sender_id = $2 and provider_message_id = candidate.id and created_on <= current_date + 1
  ) found`,
}

/** Searches all retained days, but not the days ahead, whose partitions are empty. */
export async function findDaysReported(
  db: Queryable,
  key: SenderKey,
  reports: Map<number, ReportedMessage>,
): Promise<{ number: number; day: string }[]> {
  const candidates = eachCandidate(reports)
  return run(db, findDays, [
    key.organizationId,
    key.senderId,
    numberArray(candidates.map(({ number }) => number)),
    candidateArray(candidates),
  ])
}

const updatePartsOf: Statement = {
  name: 'apply-part-reports',
  text: `
  with found as (
    select report.number, part.created_on, part.provider_message_id, report.status,
      part.campaign_id, part.seq, part.leg
    from unnest($3::int[], $4::message_status[], $5::text[]) as report (number, status, id)
    join message_parts part on part.organization_id = $1 and part.sender_id = $2 and part.provider_message_id = report.id
      and part.created_on = $6::date
  ), moved as (
    update message_parts as part set status = greatest(part.status, found.status)
    from found
    where part.organization_id = $1 and part.sender_id = $2 and part.provider_message_id = found.provider_message_id
      and part.created_on = $6::date and found.status > part.status
  )
  select number, campaign_id as "campaignId", seq, leg from found`,
}

/** Updates the parts and returns the messages they belong to. */
export async function updateParts(
  db: Queryable,
  key: SenderKey,
  question: { day: string; reports: Map<number, ReportedMessage> },
): Promise<(Target & { number: number })[]> {
  const { day, reports } = question
  const rows = eachCandidate(reports)
  return run(db, updatePartsOf, [
    key.organizationId,
    key.senderId,
    numberArray(rows.map(({ number }) => number)),
    textArray(rows.map(({ report }) => report.status)),
    candidateArray(rows),
    day,
  ])
}

const lockMessages: Statement = {
  name: 'lock-messages-of-parts',
  text: `
  select from unnest($2::uuid[], $3::smallint[], $4::int[]) as target (campaign_id, leg, seq)
  join messages message on message.organization_id = $1 and message.campaign_id = target.campaign_id
    and message.leg = target.leg and message.seq = target.seq
  order by message.campaign_id, message.seq, message.leg
  for update of message`,
}

const readParts: Statement = {
  name: 'read-part-statuses',
  text: `
  select target.campaign_id as "campaignId", target.leg, target.seq, array_agg(part.status::text) as statuses
  from (select distinct * from unnest($2::uuid[], $3::smallint[], $4::int[]) as target (campaign_id, leg, seq)) target
  join message_parts part on part.organization_id = $1 and part.campaign_id = target.campaign_id
    and part.seq = target.seq and part.leg = target.leg
  group by target.campaign_id, target.leg, target.seq`,
}

export async function readPartStatuses(
  db: Queryable,
  organizationId: string,
  targets: readonly Target[],
): Promise<(Target & { statuses: MessageStatus[] })[]> {
  const values = [organizationId, ...keyArrays(targets)]
  // Concurrent updates of other parts of the same message have committed before this read.
  await run(db, lockMessages, values)
  return run(db, readParts, values)
}

const park: Statement = {
  name: 'park-early-reports',
  text: `
  insert into early_reports (organization_id, sender_id, provider_message_id, match_key, match, status, reason, code, detail, at)
  select distinct on (report.id, report.match_key, said.status) $1, $2, report.id, coalesce(report.match_key, ''), report.match, said.status,
    case when said.status = 'failed' then report.reason end, case when said.status = 'failed' then report.code end,
    case when said.status = 'failed' then report.detail end, said.at
  from ${reportRows(3, { id: 'text', match_key: 'text', match: 'jsonb' })}
  cross join lateral (values ('sent'::message_status, report.sent_at), ('delivered', report.delivered_at), ('read', report.read_at),
    ('failed', report.failed_at)) as said (status, at)
  where said.at is not null
  order by report.id, report.match_key, said.status, said.at, report.code
  on conflict (organization_id, sender_id, provider_message_id, match_key, status) do update set
    at = excluded.at, reason = excluded.reason, code = excluded.code, detail = excluded.detail
  where (excluded.at, coalesce(excluded.code, '')) < (early_reports.at, coalesce(early_reports.code, ''))`,
}

/** A report is also stored under the reference it echoes: a message whose response was lost has no other id. */
export const parkedReference = 'reference '

/** Reports on unknown messages, or messages not stored yet: they wait for the result. */
export async function parkEarlyReports(
  db: Queryable,
  key: SenderKey,
  reports: Map<number, ReportedMessage>,
): Promise<void> {
  const unique = new Map([...reports].filter(([, { match }]) => !match))
  const counted = [...reports].flatMap(([number, report]) => ({ number, id: report.candidates[0] ?? '', report }))
  const rows = [...eachCandidate(unique), ...eachReference(reports), ...counted.filter(({ report }) => report.match)]
  await run(db, park, [
    key.organizationId,
    key.senderId,
    ...reportArrays(rows),
    candidateArray(rows),
    sparseText(rows.map(({ id, report }) => (isParkedReference(id) ? undefined : matchKey(report.match)))),
    sparseText(rows.map(({ id, report }) => (isParkedReference(id) ? undefined : matchJson(report)))),
  ])
}

/** Under its most specific form; the others are stored beside it. */
function matchJson({ candidates, match }: ReportedMessage): string | undefined {
  return match && JSON.stringify({ ...match, candidates })
}

function isParkedReference(id: string): boolean {
  return id.startsWith(parkedReference)
}

type CandidateRow = { number: number; id: string; report: ReportedMessage }

function eachCandidate(byNumber: Map<number, ReportedMessage>): CandidateRow[] {
  const rows: CandidateRow[] = []
  for (const [number, report] of byNumber) {
    for (const id of report.candidates) rows.push({ number, id, report })
  }
  return rows
}

function eachReference(byNumber: Map<number, ReportedMessage>): CandidateRow[] {
  return [...byNumber].flatMap(([number, report]) => {
    const { reference } = report
    if (reference === undefined || !parseReference(reference)) return []
    return [{ number, id: parkedReference + reference, report }]
  })
}

/** The arrays of `reportRows`. */
export function reportArrays(rows: readonly { number: number; report: ReportedMessage }[]): string[] {
  return [
    rows.every(({ number }, index) => number === index) ? '{}' : numberArray(rows.map(({ number }) => number)),
    rows.every(({ report }) => report.status === impliedStatus(report))
      ? '{}'
      : textArray(rows.map(({ report }) => report.status)),
    instants(rows.map(({ report }) => report.sentAt)),
    instants(rows.map(({ report }) => report.deliveredAt)),
    instants(rows.map(({ report }) => report.readAt)),
    instants(rows.map(({ report }) => report.failedAt)),
    ...failureArrays(rows),
  ]
}

/** The index of each row's failure among the distinct failures, and these. */
function failureArrays(rows: readonly { report: ReportedMessage }[]): string[] {
  const places = new Map<string, number>()
  const failures: ReportedMessage[] = []
  const ofRows = rows.map(({ report }) => {
    if (!report.failedAt) return undefined
    const key = `${report.reason}\n${report.code}\n${report.detail}`
    const place = places.get(key) ?? failures.push(report)
    places.set(key, place)
    return place
  })
  if (failures.length === 0) return ['{}', '{}', '{}', '{}']
  return [
    numberArray(ofRows),
    textArray(failures.map(({ reason }) => reason)),
    textArray(failures.map(({ code }) => code)),
    textArray(failures.map(({ detail }) => detail)),
  ]
}

/** As `reportRows` derives it. */
function impliedStatus({ readAt, deliveredAt, failedAt }: ReportedMessage): ReportedMessage['status'] {
  if (readAt) return 'read'
  if (deliveredAt) return 'delivered'
  return failedAt ? 'failed' : 'sent'
}

function candidateArray(rows: readonly CandidateRow[]): string {
  return textArray(rows.map(({ id }) => id))
}

export function instants(values: readonly (Date | undefined)[]): string {
  let text = ''
  let isEmpty = true
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index]
    if (value) isEmpty = false
    text += `${index > 0 ? ',' : ''}${value ? value.getTime() : 'null'}`
  }
  return isEmpty ? '{}' : `{${text}}`
}
