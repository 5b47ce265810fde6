import type { LaneKey } from './chunks.queries.ts'
import { recordedValues, recordResults, retryRows, type LegKey } from './record-results.ts'
import type { Cap } from '../reads/recently-messaged.ts'
import type { Recorded } from './results.ts'
import { run, type Queryable, type Statement } from '../statements.ts'

export type DueRetry = {
  campaignId: string
  leg: number
  runEpoch: number
  seq: number
  attempt: number
  /** The response to an earlier attempt was lost: the message may have been accepted. */
  unanswered: boolean
  phone: number
  variables: string[]
  isOptedOut: boolean
  /** An earlier leg has reached the recipient since it entered this one. */
  isReached: boolean
  /** The organisation's cap. */
  cap: Cap | null
}

/**
 * Claims due retries of running campaigns. The claim is the write-ahead record: it commits before anything is sent. The
 * campaign is locked before its retries, as by the statement that stops it.
 */
const claim: Statement = {
  name: 'claim-retries',
  text: `
  with live as materialized (
    select campaign.id, campaign.audience_id, campaign.run_epoch, campaign.created_on
    from campaigns campaign
    where campaign.organization_id = $1 and campaign.status in ('queued', 'running')
      and exists (select from campaign_legs own where own.organization_id = $1 and own.campaign_id = campaign.id and own.sender_id = $2
        and in_send_window(own.send_window))
      and exists (select from lanes where organization_id = $1 and sender_id = $2 and epoch = $3 and lease_until > now())
      and exists (select from retries where organization_id = $1 and sender_id = $2 and campaign_id = campaign.id
        and not is_entry and due_at <= now() and submitting_epoch is null)
    for share of campaign
  ), due as materialized (
    select retry.*, live.audience_id, live.run_epoch, live.created_on, of.channel, of.is_marketing,
      of.enter_reasons <> '{}' or of.enter_after_seconds is not null as is_entered, of.enter_unless
    from live
    cross join lateral (
      select * from retries
      where organization_id = $1 and sender_id = $2 and campaign_id = live.id and not is_entry and due_at <= now() and submitting_epoch is null
        and leg in (select own.leg from campaign_legs own where own.organization_id = $1 and own.campaign_id = live.id
          and in_send_window(own.send_window))
      order by due_at limit $4
      for update skip locked
    ) retry
    join campaign_legs of on of.organization_id = $1 and of.campaign_id = retry.campaign_id and of.leg = retry.leg
    order by retry.due_at
    limit $4
  )
  update retries set submitting_epoch = $3
  from due
  join recipients on recipients.organization_id = due.organization_id and recipients.audience_id = due.audience_id and recipients.seq = due.seq
  where retries.organization_id = due.organization_id and retries.campaign_id = due.campaign_id
    and retries.leg = due.leg and retries.seq = due.seq
  returning retries.campaign_id as "campaignId", retries.leg, due.run_epoch as "runEpoch", retries.seq, retries.attempt, retries.unanswered, recipients.phone, recipients.variables,
    exists (select from opt_outs where organization_id = $1 and channel = any(opt_out_channels($1, due.channel)) and phone = recipients.phone
      and (due.is_marketing or not marketing_only)) as "isOptedOut",
    frequency_cap($1) as cap,
    due.is_entered and exists (select from messages earlier
      where organization_id = $1 and created_on = due.created_on and campaign_id = due.campaign_id and seq = due.seq
        and earlier.leg < due.leg and status >= due.enter_unless) as "isReached"`,
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
  with ${recordResults}, watched as (
    select watch_entered($1, $2::uuid, $3::smallint, array_agg(seq)) from inserted
    where $11::boolean and status in ('sent', 'unknown') having count(*) > 0
  ), ended as (
    delete from retries using result
    where retries.organization_id = $1 and retries.campaign_id = $2 and retries.leg = $3 and retries.seq = result.seq
  ), again as (
    update retries set due_at = retry.due_at, attempt = retry.attempt, reason = retry.reason, code = retry.code,
      unanswered = retry.unanswered, parts = retry.parts, submitting_epoch = null
    from ${retryRows}
    where retries.organization_id = $1 and retries.campaign_id = $2 and retries.leg = $3 and retries.seq = retry.seq
  ), captured as (
    select charge_messages($1, $10::uuid, cost::bigint, $31, $2::uuid, $3::smallint) from sums where cost > 0 and $10::uuid is not null
  )
  select (select inserted from sums)::int as inserted, (select count(*) from captured) as captures, (select count(*) from gone_on) as gone,
    (select count(*) from published) as published, (select count(*) from watched) as watches`,
}

export async function recordRetries(
  db: Queryable,
  leg: LegKey,
  { recorded, opKey }: { recorded: Recorded; opKey: string },
): Promise<{ inserted: number }> {
  const rows = await run<{ inserted: number }>(db, record, [...recordedValues(leg, recorded), opKey])
  return rows[0] ?? { inserted: 0 }
}

const findLost: Statement = {
  name: 'find-lost-retries',
  text: `
  select retry.campaign_id as "campaignId", retry.leg, campaign.run_epoch as "runEpoch", retry.seq, retry.attempt, retry.unanswered, recipients.phone, recipients.variables,
    false as "isOptedOut", false as "isReached", null as cap
  from retries retry
  join campaigns campaign on campaign.organization_id = retry.organization_id and campaign.id = retry.campaign_id
  join recipients on recipients.organization_id = retry.organization_id and recipients.audience_id = campaign.audience_id and recipients.seq = retry.seq
  where retry.organization_id = $1 and retry.sender_id = $2 and retry.submitting_epoch < $3`,
}

/** Retries that a previous owner claimed and recorded no result for. */
export async function findLostRetries(
  db: Queryable,
  { organizationId, senderId, epoch }: LaneKey,
): Promise<DueRetry[]> {
  return run<DueRetry>(db, findLost, [organizationId, senderId, epoch])
}

const requeue: Statement = {
  name: 'requeue-lost-retries',
  text: `update retries set submitting_epoch = null, unanswered = true, due_at = now()
  where organization_id = $1 and sender_id = $2 and submitting_epoch < $3`,
}

/** The same, if the provider recognises a repeat: they are sent again. */
export async function requeueLostRetries(db: Queryable, { organizationId, senderId, epoch }: LaneKey): Promise<void> {
  await run(db, requeue, [organizationId, senderId, epoch])
}
