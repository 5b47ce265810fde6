import type { MessageStatus } from '@carillon/contract/campaign-records'
import type { ReportedMessage } from './report-evidence.ts'
import { numberArray, run, sparseText, textArray, type Queryable, type Statement } from './statements.ts'

export type SenderKey = { organizationId: string; senderId: string }

/** A message that reports moved, with exactly what it was before. */
export type ChangedMessage = {
  /** Which of the reports it was. */
  number: number
  campaignId: string
  leg: number
  previous: MessageStatus
  status: MessageStatus
  parts: number
  price: number
  billableOn: 'sent' | 'delivered'
}

/** Nearly every report is about yesterday's or today's messages; only the rest is looked for in all days kept. */
export type Tier = 'recent' | 'older'

const days: Record<Tier, string> = {
  recent: 'created_on between current_date - 1 and current_date',
  older: 'created_on < current_date - 1',
}

/** One row for each form of each id: a join between two unnests is planned as a loop over their product. */
const reportColumns = (more: string) =>
  `report (number, status, sent_at, delivered_at, read_at, failed_at, reason, code, detail, ${more})`

/** A report only ever moves a message forward: the enum's order is the rank. What a report adds to no column is not written. */
const moveForward = `
  previous_status = message.status,
  status = greatest(message.status, report.status),
  sent_at = coalesce(message.sent_at, report.sent_at),
  delivered_at = least(message.delivered_at, report.delivered_at),
  read_at = least(message.read_at, report.read_at),
  failed_at = least(message.failed_at, report.failed_at),
  reason = case when (report.failed_at, coalesce(report.code, '')) < (coalesce(message.failed_at, 'infinity'), coalesce(message.code, '')) then report.reason else message.reason end,
  code = case when (report.failed_at, coalesce(report.code, '')) < (coalesce(message.failed_at, 'infinity'), coalesce(message.code, '')) then report.code else message.code end,
  detail = case when (report.failed_at, coalesce(report.code, '')) < (coalesce(message.failed_at, 'infinity'), coalesce(message.code, '')) then report.detail else message.detail end`

const saysMore = `(report.status > message.status
  or report.delivered_at < coalesce(message.delivered_at, 'infinity') or report.read_at < coalesce(message.read_at, 'infinity')
  or (report.failed_at, coalesce(report.code, '')) < (coalesce(message.failed_at, 'infinity'), coalesce(message.code, ''))
  or (report.sent_at is not null and message.sent_at is null))`

const returning = `report.number, message.campaign_id as "campaignId", message.leg, message.previous_status as previous,
  message.status, message.parts, message.price, message.billable_on as "billableOn"`

/** By the provider's id, in one pass over its index; previous_status makes the counts exact without a lock ahead. */
function updateByProviderId(tier: Tier): Statement {
  return {
    name: `apply-reports-${tier}`,
    text: `
    update messages as message set ${moveForward}
    from unnest($3::int[], $4::message_status[], $5::timestamptz[], $6::timestamptz[], $7::timestamptz[], $8::timestamptz[],
      $9::text[], $10::text[], $11::text[], $12::text[]) as ${reportColumns('id')}
    where message.organization_id = $1 and message.sender_id = $2 and message.provider_message_id = report.id
      and message.${days[tier]} and ${saysMore}
    returning ${returning}`,
  }
}

const updates: Record<Tier, Statement> = { recent: updateByProviderId('recent'), older: updateByProviderId('older') }

export async function updateMessages(
  db: Queryable,
  key: SenderKey,
  question: { tier: Tier; reports: Map<number, ReportedMessage> },
): Promise<ChangedMessage[]> {
  const { tier, reports } = question
  const rows = eachCandidate(reports)
  return run<ChangedMessage>(db, updates[tier], [
    key.organizationId,
    key.senderId,
    ...reportArrays(rows),
    candidateArray(rows),
  ])
}

const updateByKey: Statement = {
  name: 'apply-reports-by-key',
  text: `
  update messages as message set ${moveForward}
  from unnest($2::int[], $3::message_status[], $4::timestamptz[], $5::timestamptz[], $6::timestamptz[], $7::timestamptz[],
    $8::text[], $9::text[], $10::text[], $11::uuid[], $12::smallint[], $13::int[]) as ${reportColumns('campaign_id, leg, seq')}
  where message.organization_id = $1 and message.campaign_id = report.campaign_id and message.leg = report.leg and message.seq = report.seq
    and ${saysMore}
  returning ${returning}`,
}

export type Target = { campaignId: string; leg: number; seq: number }

/** By our own key: where the provider echoes our reference, and for messages of several parts. */
export async function updateMessagesByKey(
  db: Queryable,
  organizationId: string,
  targets: Map<number, { target: Target; report: ReportedMessage }>,
): Promise<ChangedMessage[]> {
  const rows = [...targets].map(([number, { target, report }]) => ({ number, report, ...target }))
  return run<ChangedMessage>(db, updateByKey, [
    organizationId,
    ...reportArrays(rows),
    textArray(rows.map(({ campaignId }) => campaignId)),
    numberArray(rows.map(({ leg }) => leg)),
    numberArray(rows.map(({ seq }) => seq)),
  ])
}

function findById(tier: Tier): Statement {
  return {
    name: `find-reported-${tier}`,
    text: `
    select distinct candidate.number from unnest($3::int[], $4::text[]) as candidate (number, id)
    join messages message on message.organization_id = $1 and message.sender_id = $2 and message.provider_message_id = candidate.id
      and message.${days[tier]}`,
  }
}

const finds: Record<Tier, Statement> = { recent: findById('recent'), older: findById('older') }

/** Which of the reports are about messages we have, though they say nothing new of them. */
export async function findKnownReports(
  db: Queryable,
  key: SenderKey,
  question: { tier: Tier; reports: Map<number, ReportedMessage> },
): Promise<number[]> {
  const candidates = eachCandidate(question.reports)
  const rows = await run<{ number: number }>(db, finds[question.tier], [
    key.organizationId,
    key.senderId,
    numberArray(candidates.map(({ number }) => number)),
    candidateArray(candidates),
  ])
  return rows.map(({ number }) => number)
}

function updatePartsOf(tier: Tier): Statement {
  return {
    name: `apply-part-reports-${tier}`,
    text: `
    with found as (
      select report.number, part.created_on, part.provider_message_id, report.status,
        part.campaign_id, part.seq, part.leg
      from unnest($3::int[], $4::message_status[], $5::text[]) as report (number, status, id)
      join message_parts part on part.organization_id = $1 and part.sender_id = $2 and part.provider_message_id = report.id
        and part.${days[tier]}
    ), moved as (
      update message_parts as part set status = greatest(part.status, found.status)
      from found
      where part.organization_id = $1 and part.sender_id = $2 and part.provider_message_id = found.provider_message_id
        and part.created_on = found.created_on and found.status > part.status
    )
    select number, campaign_id as "campaignId", seq, leg from found`,
  }
}

const partUpdates: Record<Tier, Statement> = { recent: updatePartsOf('recent'), older: updatePartsOf('older') }

/** Moves the parts forward and says which messages they belong to. */
export async function updateParts(
  db: Queryable,
  key: SenderKey,
  question: { tier: Tier; reports: Map<number, ReportedMessage> },
): Promise<(Target & { number: number })[]> {
  const { tier, reports } = question
  const rows = eachCandidate(reports)
  return run(db, partUpdates[tier], [
    key.organizationId,
    key.senderId,
    numberArray(rows.map(({ number }) => number)),
    textArray(rows.map(({ report }) => report.status)),
    candidateArray(rows),
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
  const values = [
    organizationId,
    textArray(targets.map(({ campaignId }) => campaignId)),
    numberArray(targets.map(({ leg }) => leg)),
    numberArray(targets.map(({ seq }) => seq)),
  ]
  // Whoever moved another part of the same message has committed before we read: no part's word is overlooked.
  await run(db, lockMessages, values)
  return run(db, readParts, values)
}

const park: Statement = {
  name: 'park-early-reports',
  text: `
  insert into early_reports (organization_id, sender_id, provider_message_id, status, reason, code, detail, at)
  select $1, $2, report.id, said.status, case when said.status = 'failed' then report.reason end,
    case when said.status = 'failed' then report.code end, case when said.status = 'failed' then report.detail end, said.at
  from unnest($3::int[], $4::message_status[], $5::timestamptz[], $6::timestamptz[], $7::timestamptz[], $8::timestamptz[],
    $9::text[], $10::text[], $11::text[], $12::text[]) as ${reportColumns('id')}
  cross join lateral (values ('sent'::message_status, report.sent_at), ('delivered', report.delivered_at), ('read', report.read_at),
    ('failed', report.failed_at)) as said (status, at)
  where said.at is not null
  on conflict (organization_id, sender_id, provider_message_id, status) do nothing`,
}

/** Reports about messages we do not have, or not yet: they wait for the result they belong to. */
export async function parkEarlyReports(
  db: Queryable,
  key: SenderKey,
  reports: Map<number, ReportedMessage>,
): Promise<void> {
  const rows = eachCandidate(reports)
  await run(db, park, [key.organizationId, key.senderId, ...reportArrays(rows), candidateArray(rows)])
}

type CandidateRow = { number: number; id: string; report: ReportedMessage }

function eachCandidate(byNumber: Map<number, ReportedMessage>): CandidateRow[] {
  const rows: CandidateRow[] = []
  for (const [number, report] of byNumber) {
    for (const id of report.candidates) rows.push({ number, id, report })
  }
  return rows
}

function reportArrays(rows: readonly { number: number; report: ReportedMessage }[]): unknown[] {
  return [
    numberArray(rows.map(({ number }) => number)),
    textArray(rows.map(({ report }) => report.status)),
    instants(rows.map(({ report }) => report.sentAt)),
    instants(rows.map(({ report }) => report.deliveredAt)),
    instants(rows.map(({ report }) => report.readAt)),
    instants(rows.map(({ report }) => report.failedAt)),
    sparseText(rows.map(({ report }) => report.reason)),
    sparseText(rows.map(({ report }) => report.code)),
    sparseText(rows.map(({ report }) => report.detail)),
  ]
}

function candidateArray(rows: readonly CandidateRow[]): string {
  return textArray(rows.map(({ id }) => id))
}

function instants(values: (Date | undefined)[]): string {
  return sparseText(values.map((value) => value?.toISOString()))
}
