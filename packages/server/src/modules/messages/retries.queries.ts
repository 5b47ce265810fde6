import type { LaneKey, LegKey } from './chunks.queries.ts'
import { partArrays, resultArrays } from './chunks.queries.ts'
import type { Recorded } from './results.ts'
import { numberArray, run, textArray, type Queryable, type Statement } from './statements.ts'

export type DueRetry = {
  campaignId: string
  leg: number
  runEpoch: number
  seq: number
  attempt: number
  phone: number
  variables: string[]
  isOptedOut: boolean
}

/** Claims what is due, of campaigns that run. The claim is the write-ahead mark: it commits before anything leaves. */
const claim: Statement = {
  name: 'claim-retries',
  text: `
  with due as (
    select retry.*, campaign.audience_id, campaign.run_epoch, sender.channel
    from retries retry
    join senders sender on sender.organization_id = retry.organization_id and sender.id = retry.sender_id
    join campaigns campaign on campaign.organization_id = retry.organization_id and campaign.id = retry.campaign_id
    join lanes lane on lane.organization_id = $1 and lane.sender_id = $2 and lane.epoch = $3 and lane.lease_until > now()
    where retry.organization_id = $1 and retry.sender_id = $2 and retry.due_at <= now() and retry.submitting_epoch is null
      and campaign.status in ('queued', 'running') and in_send_window(campaign.send_window)
    order by retry.due_at
    limit $4
    for update of retry skip locked
    for share of campaign
  )
  update retries set submitting_epoch = $3
  from due
  join recipients on recipients.organization_id = due.organization_id and recipients.audience_id = due.audience_id and recipients.seq = due.seq
  where retries.organization_id = due.organization_id and retries.campaign_id = due.campaign_id
    and retries.leg = due.leg and retries.seq = due.seq
  returning retries.campaign_id as "campaignId", retries.leg, due.run_epoch as "runEpoch", retries.seq, retries.attempt, recipients.phone, recipients.variables,
    exists (select from opt_outs where organization_id = $1 and channel = due.channel and phone = recipients.phone) as "isOptedOut"`,
}

export async function claimRetries(
  db: Queryable,
  { organizationId, senderId, epoch }: LaneKey,
  limit: number,
): Promise<DueRetry[]> {
  return run<DueRetry>(db, claim, [organizationId, senderId, epoch, limit])
}

/** Results of retries of one leg: rows, counts, charge and the end of the retry, together. */
const record: Statement = {
  name: 'record-retries',
  text: `
  with result as (
    select seq, phone, coalesce(status, 'sent') as status, coalesce(parts, 1) as parts, provider_message_id,
      coalesce(attempt, 1) as attempt, reason, code, detail
    from unnest($11::int[], $12::bigint[], $13::text[], $14::message_status[], $15::smallint[], $16::smallint[],
      $17::text[], $18::text[], $19::text[])
      as result (seq, phone, provider_message_id, status, parts, attempt, reason, code, detail)
  ), inserted as (
    insert into messages (organization_id, created_on, campaign_id, seq, leg, sender_id, phone, status, parts, price, billable_on,
      attempt, provider_message_id, reason, code, detail, sent_at, failed_at, unknown_at)
    select $1, $4, $2, seq, $3, $5, phone, status, parts,
      case when status in ('sent', 'unknown') then parts * $6::bigint else 0 end, $7, attempt, provider_message_id, reason, code, detail,
      case when status = 'sent' then now() end, case when status = 'failed' then now() end,
      case when status = 'unknown' then now() end
    from result
    on conflict do nothing
    returning seq, status, parts, price, reason
  ), sums as materialized (
    select count(*) as inserted, count(*) filter (where status = 'sent') as sent, count(*) filter (where status = 'failed') as failed,
      count(*) filter (where status = 'skipped') as skipped, count(*) filter (where status = 'unknown') as unknown,
      coalesce(sum(parts) filter (where status = 'sent'), 0) as parts, coalesce(sum(price) filter (where status = 'sent'), 0) as cost
    from inserted
  ), gone_on as (
    select enter_next_leg($1, $2::uuid, $3::smallint, array_agg(seq), array_agg(reason)) from inserted
    where $29::boolean and status in ('failed', 'skipped') having count(*) > 0
  ), watched as (
    select watch_entered($1, $2::uuid, $3::smallint, array_agg(seq)) from inserted
    where $29::boolean and status in ('sent', 'unknown') having count(*) > 0
  ), counted as (
    insert into counter_deltas (organization_id, campaign_id, leg, account_id, channel, submitted, sent, failed, skipped, unknown, parts, cost)
    select $1, $2, $3, $8, $9, sent, sent, failed, skipped, unknown, parts, cost from sums where inserted > 0
  ), part as (
    insert into message_parts (organization_id, created_on, sender_id, provider_message_id, campaign_id, seq, leg, part)
    select $1, $4, $5, provider_message_id, $2, seq, $3, part
    from unnest($20::text[], $21::int[], $22::smallint[]) as part (provider_message_id, seq, part)
    on conflict do nothing
  ), ended as (
    delete from retries using result
    where retries.organization_id = $1 and retries.campaign_id = $2 and retries.leg = $3 and retries.seq = result.seq
  ), again as (
    update retries set due_at = retry.due_at, attempt = retry.attempt, reason = retry.reason, code = retry.code, submitting_epoch = null
    from unnest($23::int[], $24::timestamptz[], $25::smallint[], $26::text[], $27::text[]) as retry (seq, due_at, attempt, reason, code)
    where retries.organization_id = $1 and retries.campaign_id = $2 and retries.leg = $3 and retries.seq = retry.seq
  ), captured as (
    select charge_messages($1, $10::uuid, cost::bigint, $28, $2::uuid, $3::smallint) from sums where cost > 0 and $10::uuid is not null
  )
  select (select inserted from sums)::int as inserted, (select count(*) from captured) as captures, (select count(*) from gone_on) as gone,
    (select count(*) from watched) as watches`,
}

export async function recordRetries(
  db: Queryable,
  leg: LegKey,
  { recorded, opKey }: { recorded: Recorded; opKey: string },
): Promise<{ inserted: number }> {
  const { results, retries } = recorded
  const rows = await run<{ inserted: number }>(db, record, [
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
    ...resultArrays(results),
    ...partArrays(results),
    numberArray(retries.map(({ seq }) => seq)),
    retries.map(({ dueAt }) => dueAt),
    numberArray(retries.map(({ attempt }) => attempt)),
    textArray(retries.map(({ reason }) => reason)),
    textArray(retries.map(({ code }) => code)),
    opKey,
    leg.hasNext,
  ])
  return rows[0] ?? { inserted: 0 }
}

const findLost: Statement = {
  name: 'find-lost-retries',
  text: `
  select retry.campaign_id as "campaignId", retry.leg, campaign.run_epoch as "runEpoch", retry.seq, retry.attempt, recipients.phone, recipients.variables, false as "isOptedOut"
  from retries retry
  join campaigns campaign on campaign.organization_id = retry.organization_id and campaign.id = retry.campaign_id
  join recipients on recipients.organization_id = retry.organization_id and recipients.audience_id = campaign.audience_id and recipients.seq = retry.seq
  where retry.organization_id = $1 and retry.sender_id = $2 and retry.submitting_epoch < $3`,
}

/** What an owner before us had claimed and did not answer for. */
export async function findLostRetries(
  db: Queryable,
  { organizationId, senderId, epoch }: LaneKey,
): Promise<DueRetry[]> {
  return run<DueRetry>(db, findLost, [organizationId, senderId, epoch])
}
