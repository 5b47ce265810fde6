import type { Channel } from '@carillon/contract/channels'
import type { Recorded } from './results.ts'
import { numberArray, sparseText, textArray } from '../statements.ts'

/** The terms with which results of a campaign's leg are written. */
export type LegKey = {
  organizationId: string
  senderId: string
  campaignId: string
  leg: number
  createdOn: string
  price: number
  billableOn: 'sent' | 'delivered'
  accountId: string
  channel: Channel
  holdId: string | null
  /** Failed recipients may fail over to another leg. */
  hasNext: boolean
}

/**
 * How results of a leg are written, for statements that do more in addition: each row once, counts, recipients that enter
 * another leg, ids of the parts of long messages, new statuses for subscribers. Its values are $1 to $23; retries are $24 to $30.
 * A statement reads `gone_on` and `published`, so that they are executed.
 */
export const recordResults = `day as materialized (
    select organization_day($1) as left_on
  ), result as (
    select seq, phone, coalesce(status, 'sent') as status, coalesce(parts, 1) as parts, provider_message_id,
      coalesce(attempt, 1) as attempt, reason, code, detail
    from unnest($12::int[], $13::bigint[], $14::text[], $15::message_status[], $16::smallint[], $17::smallint[],
      $18::text[], $19::text[], $20::text[])
      as result (seq, phone, provider_message_id, status, parts, attempt, reason, code, detail)
  ), inserted as (
    insert into messages (organization_id, created_on, campaign_id, seq, leg, sender_id, phone, status, parts, price, billable_on,
      attempt, provider_message_id, reason, code, detail, sent_at, failed_at, unknown_at, left_on)
    select $1, $4, $2, seq, $3, $5, phone, status, parts,
      case when status in ('sent', 'unknown') then parts * $6::bigint else 0 end, $7, attempt, provider_message_id, reason, code, detail,
      case when status = 'sent' then now() end, case when status = 'failed' then now() end,
      case when status = 'unknown' then now() end, (select left_on from day)
    from result
    on conflict do nothing
    returning seq, status, parts, price, reason
  ), sums as materialized (
    select count(*) as inserted, count(*) filter (where status = 'sent') as sent, count(*) filter (where status = 'failed') as failed,
      count(*) filter (where status = 'skipped') as skipped, count(*) filter (where status = 'unknown') as unknown,
      coalesce(sum(parts) filter (where status = 'sent'), 0) as parts, coalesce(sum(price) filter (where status = 'sent'), 0) as cost
    from inserted
  ), gone_on as (
    select enter_next_leg($1, $2::uuid, $3::smallint, array_agg(seq), array_agg(reason), array_agg(status), array_agg(false)) from inserted
    where $11::boolean and status in ('failed', 'skipped') having count(*) > 0
    union all
    select count_failovers($1, $2::uuid, $3::smallint, array_agg(seq), array_agg(status), array_agg(status = 'sent')) from inserted
    where $3::smallint > 0 having count(*) > 0
  ), counted as (
    insert into counter_deltas (organization_id, campaign_id, leg, account_id, channel, sender_id, submitted, sent, failed, skipped, unknown, parts, cost, left_on)
    select $1, $2, $3, $8, $9, $5, sent, sent, failed, skipped, unknown, parts, cost, (select left_on from day) from sums where inserted > 0
  ), part as (
    insert into message_parts (organization_id, created_on, sender_id, provider_message_id, campaign_id, seq, leg, part)
    select $1, $4, $5, provider_message_id, $2, seq, $3, part
    from unnest($21::text[], $22::int[], $23::smallint[]) as part (provider_message_id, seq, part)
    on conflict do nothing
  ), published as (
    select publish_statuses($1, $2, $3, status, array_agg(seq)) from inserted
    where has_subscribers($1, 'message.status') group by status
  )`

/** Retries as rows of a statement that writes results. */
export const retryRows = `unnest($24::int[], $25::timestamptz[], $26::smallint[], $27::text[], $28::text[], $29::boolean[], $30::smallint[])
      as retry (seq, due_at, attempt, reason, code, unanswered, parts)`

/** The values of a statement that writes results; its own values begin at $31. */
export function recordedValues(leg: LegKey, { results, retries }: Recorded): unknown[] {
  return [
    leg.organizationId,
    leg.campaignId,
    leg.leg,
    leg.createdOn,
    leg.senderId,
    leg.price,
    leg.billableOn,
    leg.accountId,
    leg.channel,
    leg.holdId,
    leg.hasNext,
    ...resultArrays(results),
    ...partArrays(results),
    numberArray(retries.map(({ seq }) => seq)),
    retries.map(({ dueAt }) => dueAt),
    numberArray(retries.map(({ attempt }) => attempt)),
    textArray(retries.map(({ reason }) => reason)),
    textArray(retries.map(({ code }) => code)),
    textArray(retries.map(({ unanswered }) => String(unanswered))),
    numberArray(retries.map(({ parts }) => parts)),
  ]
}

/**
 * seq, phone, provider id, status, parts, attempt, reason, code, detail; columns with the default in the whole batch are
 * omitted.
 */
function resultArrays(results: Recorded['results']): string[] {
  const isPlain = results.every(({ status, parts, attempt }) => status === 'sent' && parts === 1 && attempt === 1)
  return [
    numberArray(results.map(({ seq }) => seq)),
    numberArray(results.map(({ phone }) => phone)),
    textArray(
      results.map(({ providerMessageIds }) => (providerMessageIds.length === 1 ? providerMessageIds[0] : null)),
    ),
    isPlain ? '{}' : textArray(results.map(({ status }) => status)),
    isPlain ? '{}' : numberArray(results.map(({ parts }) => parts)),
    isPlain ? '{}' : numberArray(results.map(({ attempt }) => attempt)),
    sparseText(results.map(({ reason }) => reason)),
    sparseText(results.map(({ code }) => code)),
    sparseText(results.map(({ detail }) => detail)),
  ]
}

/** Provider ids, seqs and part numbers of long messages. */
function partArrays(results: Recorded['results']): [string, string, string] {
  const parts = results.flatMap(({ seq, providerMessageIds }) =>
    providerMessageIds.length > 1 ? providerMessageIds.map((id, part) => ({ id, seq, part })) : [],
  )
  return [
    textArray(parts.map(({ id }) => id)),
    numberArray(parts.map(({ seq }) => seq)),
    numberArray(parts.map(({ part }) => part)),
  ]
}
