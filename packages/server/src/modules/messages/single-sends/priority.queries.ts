import type { Channel } from '@carillon/contract/channels'
import type { FailureClass } from '@carillon/contract/campaign-records'
import type { LaneKey } from '../engine/chunks.queries.ts'
import { numberArray, run, textArray, type Queryable, type Statement } from '../statements.ts'

export type PriorityMessage = {
  id: string
  createdOn: string
  kind: 'test' | 'api' | 'reply'
  /** Null if the channel does not reveal it; then the identity is set. */
  phone: number | null
  identity: string | null
  header: string
  text: string
  details: Record<string, unknown>
  channel: Channel
  parts: number
  attempt: number
  /** The response to an earlier attempt was lost: the message may have been accepted. */
  unanswered: boolean
  expiresAt: Date
  /** It expires because the person may be written to freely only until then. */
  endsWithWindow: boolean
  isOptedOut: boolean
}

const columns = `queued.id, queued.created_on as "createdOn", queued.kind, queued.phone, queued.identity, queued.header, queued.text, queued.details,
  queued.parts, queued.attempt, queued.unanswered, queued.expires_at as "expiresAt", coalesce((queued.details ->> 'endsWithWindow')::boolean, false) as "endsWithWindow",
  sender.channel`

/** A person who opted out of marketing only still gets these messages. */
const isMarketing = `coalesce((queued.details ->> 'isMarketing')::boolean, coalesce(queued.details ->> 'category', '') not in ('utility', 'authentication'))`

/** A reply may be sent to a person who wrote again after opting out, but not after a later opt-out. */
function isAnswered(optedOutAt: string): string {
  return `(queued.kind = 'reply' and ${optedOutAt} = (queued.details ->> 'optedOutAt')::timestamptz)`
}

/** Claims the front of the lane's priority queue. The claim is the write-ahead record: it commits before anything is sent. */
const claim: Statement = {
  name: 'claim-priority',
  text: `
  with claimed as (
    select queued.organization_id, queued.id
    from priority_messages queued
    join lanes lane on lane.organization_id = $1 and lane.sender_id = $2 and lane.epoch = $3 and lane.lease_until > now()
    where queued.organization_id = $1 and queued.sender_id = $2 and queued.submitting_epoch is null and queued.due_at <= now()
    order by queued.priority, queued.due_at, queued.id
    limit $4
    for update of queued skip locked
  )
  update priority_messages queued set submitting_epoch = $3
  from claimed, senders sender
  where queued.organization_id = claimed.organization_id and queued.id = claimed.id
    and sender.organization_id = $1 and sender.id = $2
  returning ${columns},
    (exists (select from opt_outs
      where organization_id = $1 and channel = any(opt_out_channels($1, sender.channel)) and phone = queued.phone
        and not (marketing_only and not ${isMarketing}) and ${isAnswered('at')} is not true)
    or exists (select from contact_identities known
      where known.organization_id = $1 and known.channel = sender.channel and known.identity = queued.identity
        and (known.opted_out_at is not null and ${isAnswered('known.opted_out_at')} is not true
          or known.no_marketing_at is not null and ${isMarketing}))) as "isOptedOut"`,
}

export async function claimPriority(
  db: Queryable,
  { organizationId, senderId, epoch }: LaneKey,
  limit: number,
): Promise<PriorityMessage[]> {
  return run<PriorityMessage>(db, claim, [organizationId, senderId, epoch, limit])
}

const findLost: Statement = {
  name: 'find-lost-priority',
  text: `select ${columns}, false as "isOptedOut"
  from priority_messages queued
  join senders sender on sender.organization_id = queued.organization_id and sender.id = queued.sender_id
  where queued.organization_id = $1 and queued.sender_id = $2 and queued.submitting_epoch < $3`,
}

export async function findLostPriority(
  db: Queryable,
  { organizationId, senderId, epoch }: LaneKey,
): Promise<PriorityMessage[]> {
  return run<PriorityMessage>(db, findLost, [organizationId, senderId, epoch])
}

export type PriorityResult = {
  id: string
  status: 'sent' | 'failed' | 'skipped' | 'unknown'
  providerMessageIds: readonly string[]
  reason?: FailureClass
  code?: string
  detail?: string
}

/** Removes the message from the queue and stores, counts and charges it in one statement, which also ends its hold. */
const record: Statement = {
  name: 'record-priority',
  text: `
  with day as materialized (
    select organization_day($1) as left_on
  ), done as (
    delete from priority_messages queued
    using unnest($3::uuid[], $4::message_status[], $5::text[], $6::text[], $7::text[], $8::text[])
      as result (id, status, provider_message_id, reason, code, detail)
    where queued.organization_id = $1 and queued.id = result.id
    returning queued.*, result.status, result.provider_message_id, result.reason, result.code, result.detail
  ), inserted as (
    insert into messages (organization_id, created_on, campaign_id, seq, leg, sender_id, phone, status, parts, price, billable_on,
      attempt, provider_message_id, reason, code, detail, sent_at, failed_at, unknown_at, left_on)
    select $1, created_on, id, 0, 0, $2, phone, status, parts, case when status in ('sent', 'unknown') then parts * price else 0 end, billable_on,
      attempt + 1, provider_message_id, reason, code, detail,
      case when status = 'sent' then now() end, case when status = 'failed' then now() end,
      case when status = 'unknown' then now() end, (select left_on from day)
    from done
    on conflict do nothing
    returning campaign_id, status
  ), published as (
    select publish_statuses($1, campaign_id, 0::smallint, status, '{0}') from inserted
    where has_subscribers($1, 'message.status')
  ), part as (
    insert into message_parts (organization_id, created_on, sender_id, provider_message_id, campaign_id, seq, leg, part)
    select $1, done.created_on, $2, part.provider_message_id, done.id, 0, 0, part.part
    from unnest($9::text[], $10::uuid[], $11::smallint[]) as part (provider_message_id, id, part)
    join done on done.id = part.id
    on conflict do nothing
  ), counted as (
    insert into counter_deltas (organization_id, leg, account_id, channel, sender_id, submitted, sent, failed, skipped, unknown, parts, cost,
      left_on, created_on, kind, category, country)
    select $1, 0, account_id, sender.channel, $2, count(*) filter (where status = 'sent'), count(*) filter (where status = 'sent'),
      count(*) filter (where status = 'failed'), count(*) filter (where status = 'skipped'), count(*) filter (where status = 'unknown'),
      coalesce(sum(parts) filter (where status = 'sent'), 0), coalesce(sum(parts * price) filter (where status = 'sent'), 0), (select left_on from day),
      created_on, kind, coalesce(details ->> 'category', ''), coalesce(country, '')
    from done, senders sender
    where sender.organization_id = $1 and sender.id = $2
    group by account_id, sender.channel, created_on, kind, details ->> 'category', country
  ), charged as materialized (
    select id, campaign_id, case when status = 'sent' then parts * price else 0 end as units,
      capture_hold($1, hold_id, case when status = 'sent' then parts * price else 0 end, 'capture:' || id, id::text) as captured,
      release_hold($1, hold_id)
    from (select * from done order by hold_id) done
  ), passed as materialized (
    select pass_up($1, array_agg(id), array_agg(0::smallint), array_agg(units::bigint), 'singles:' || gen_random_uuid())
    from charged where captured
  )
  select id as "messageId", campaign_id as "campaignId", (select count(*) from passed) as passed,
    (select count(*) from published) as published from charged`,
}

export async function recordPriority(
  db: Queryable,
  { organizationId, senderId }: LaneKey,
  results: readonly PriorityResult[],
): Promise<{ messageId: string; campaignId: string | null }[]> {
  const parts = results.flatMap(({ id, providerMessageIds }) =>
    providerMessageIds.length > 1 ? providerMessageIds.map((providerId, part) => ({ id, providerId, part })) : [],
  )
  return run(db, record, [
    organizationId,
    senderId,
    textArray(results.map(({ id }) => id)),
    textArray(results.map(({ status }) => status)),
    textArray(
      results.map(({ providerMessageIds }) => (providerMessageIds.length === 1 ? providerMessageIds[0] : null)),
    ),
    textArray(results.map(({ reason }) => reason)),
    textArray(results.map(({ code }) => code)),
    textArray(results.map(({ detail }) => detail)),
    textArray(parts.map(({ providerId }) => providerId)),
    textArray(parts.map(({ id }) => id)),
    numberArray(parts.map(({ part }) => part)),
  ])
}

const postpone: Statement = {
  name: 'postpone-priority',
  text: `
  update priority_messages set submitting_epoch = null, due_at = later.due_at, attempt = later.attempt, unanswered = later.unanswered
  from unnest($2::uuid[], $3::timestamptz[], $4::smallint[], $5::boolean[]) as later (id, due_at, attempt, unanswered)
  where organization_id = $1 and priority_messages.id = later.id`,
}

export type Postponed = { id: string; dueAt: Date; attempt: number; unanswered: boolean }

export async function postponePriority(
  db: Queryable,
  { organizationId }: LaneKey,
  later: readonly Postponed[],
): Promise<void> {
  if (later.length === 0) return
  await run(db, postpone, [
    organizationId,
    textArray(later.map(({ id }) => id)),
    later.map(({ dueAt }) => dueAt),
    numberArray(later.map(({ attempt }) => attempt)),
    textArray(later.map(({ unanswered }) => String(unanswered))),
  ])
}

const requeue: Statement = {
  name: 'requeue-lost-priority',
  text: `update priority_messages set submitting_epoch = null, unanswered = true, due_at = now()
  where organization_id = $1 and sender_id = $2 and submitting_epoch < $3
    and ($4 or coalesce((details ->> 'repeatsIfUnanswered')::boolean, false))`,
}

/** Messages that a previous owner claimed are sent again: all, or those that may arrive twice. */
export async function requeueLostPriority(
  db: Queryable,
  { organizationId, senderId, epoch }: LaneKey,
  { all }: { all: boolean },
): Promise<void> {
  await run(db, requeue, [organizationId, senderId, epoch, all])
}
