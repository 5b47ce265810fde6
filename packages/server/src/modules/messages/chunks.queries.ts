import type { Channel } from '@carillon/contract/channels'
import type { Recorded } from './results.ts'
import { numberArray, run, sparseText, textArray, type Queryable, type Statement } from './statements.ts'

/** Which ownership of which lane acts; everything it does is fenced by the epoch. */
export type LaneKey = { organizationId: string; senderId: string; epoch: number }

export type Chunk = {
  campaignId: string
  leg: number
  chunkNo: number
  hi: number
  mark: number
  recorded: number
  runEpoch: number
  vtime: number
}

/**
 * Leases the next chunks by virtual time: one row write for a thousand messages. Each live campaign is asked for its first
 * chunks only, so that neither done nor paused work is read again (a scan over a dead front costs nine tenths of the speed).
 * Where the first has not joined the queue yet, none behind it has.
 */
const lease: Statement = {
  name: 'lease-chunks',
  text: `
  with heads as (
    select chunk.organization_id, chunk.campaign_id, chunk.leg, chunk.chunk_no, campaign.run_epoch
    from campaigns campaign
    cross join lateral (
      select * from chunks
      where organization_id = campaign.organization_id and sender_id = $2 and campaign_id = campaign.id
        and done_at is null and lane_epoch <> $3
      order by leg, chunk_no limit $4
    ) chunk
    where campaign.organization_id = $1 and campaign.status in ('queued', 'running') and in_send_window(campaign.send_window)
      and chunk.not_before is null
    order by chunk.vtime, chunk.chunk_no limit $4
  ), leased as (
    update chunks set lane_epoch = $3
    from heads, lanes
    where chunks.organization_id = heads.organization_id and chunks.campaign_id = heads.campaign_id
      and chunks.leg = heads.leg and chunks.chunk_no = heads.chunk_no and chunks.done_at is null
      and lanes.organization_id = $1 and lanes.sender_id = $2 and lanes.epoch = $3 and lanes.lease_until > now()
    returning chunks.*, heads.run_epoch
  ), advanced as (
    update lanes set vtime = greatest(vtime, (select max(vtime) from leased))
    where organization_id = $1 and sender_id = $2 and (select max(vtime) from leased) > vtime
  )
  select campaign_id as "campaignId", leg, chunk_no as "chunkNo", hi, mark, recorded, run_epoch as "runEpoch", vtime
  from leased order by vtime, chunk_no`,
}

export async function leaseChunks(
  db: Queryable,
  { organizationId, senderId, epoch }: LaneKey,
  limit: number,
): Promise<Chunk[]> {
  return run<Chunk>(db, lease, [organizationId, senderId, epoch, limit])
}

const release: Statement = {
  name: 'release-chunk',
  text: `update chunks set lane_epoch = 0
  where organization_id = $1 and campaign_id = $2 and leg = $3 and chunk_no = $4 and lane_epoch = $5 and done_at is null`,
}

/** Puts a chunk back whose campaign was stopped, so that it can be leased when that goes on. */
export async function releaseChunk(db: Queryable, { organizationId, epoch }: LaneKey, chunk: Chunk): Promise<void> {
  await run(db, release, [organizationId, chunk.campaignId, chunk.leg, chunk.chunkNo, epoch])
}

export type Recipient = { seq: number; phone: number; variables: string[] }

const read: Statement = {
  name: 'read-recipients',
  text: `select seq, phone, variables from recipients
  where organization_id = $1 and audience_id = $2 and seq >= $3 and seq < $4 order by seq`,
}

export async function readRecipients(
  db: Queryable,
  { organizationId, audienceId, from, to }: { organizationId: string; audienceId: string; from: number; to: number },
): Promise<Recipient[]> {
  return run<Recipient>(db, read, [organizationId, audienceId, from, to])
}

/** What the results of a campaign's leg are written with. */
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
  /** Those it does not reach may go on to another leg. */
  hasNext: boolean
}

export type Step = {
  chunkNo: number
  epoch: number
  runEpoch: number
  /** Results of the slice before, up to here. */
  recorded: number
  before: Recorded
  /** Where the mark moves before the next slice leaves, and to whom that goes. */
  next: { mark: number; phones: number[] } | undefined
}

export type Progress = {
  /** The mark stands where it was asked to: the slice may leave. */
  moved: boolean
  /** Those of the slice who said stop. */
  optedOut: number[] | null
  /** How many results were written; the others had a result already. */
  inserted: number
}

/**
 * One round trip between two slices: writes the results of the one before, adds them to the chunk's charge, and moves the
 * mark past the next, which may leave once this has committed. The mark moves only for the owner of the lane, while its
 * lease lasts, and only for a campaign that still runs: the share lock makes whoever stops the campaign wait for marks
 * under way, and marks after it see that it is stopped. With the last slice the chunk is done and its charge captured in
 * one entry. Where the leg has another behind it, those it failed go on to that, and the chunk is watched for the others.
 */
const advance: Statement = {
  name: 'advance-chunk',
  text: `
  with result as (
    select seq, phone, coalesce(status, 'sent') as status, coalesce(parts, 1) as parts, provider_message_id,
      coalesce(attempt, 1) as attempt, reason, code, detail
    from unnest($14::int[], $15::bigint[], $16::text[], $17::message_status[], $18::smallint[], $19::smallint[],
      $20::text[], $21::text[], $22::text[])
      as result (seq, phone, provider_message_id, status, parts, attempt, reason, code, detail)
  ), inserted as (
    insert into messages (organization_id, created_on, campaign_id, seq, leg, sender_id, phone, status, parts, price, billable_on,
      attempt, provider_message_id, reason, code, detail, sent_at, failed_at, unknown_at)
    select $1, $5, $2, seq, $3, $6, phone, status, parts,
      case when status in ('sent', 'unknown') then parts * $7::bigint else 0 end, $8, attempt, provider_message_id, reason, code, detail,
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
    where $34::boolean and status in ('failed', 'skipped') having count(*) > 0
  ), counted as (
    insert into counter_deltas (organization_id, campaign_id, leg, account_id, channel, submitted, sent, failed, skipped, unknown, parts, cost)
    select $1, $2, $3, $9, $10, sent, sent, failed, skipped, unknown, parts, cost from sums where inserted > 0
  ), part as (
    insert into message_parts (organization_id, created_on, sender_id, provider_message_id, campaign_id, seq, leg, part)
    select $1, $5, $6, provider_message_id, $2, seq, $3, part
    from unnest($23::text[], $24::int[], $25::smallint[]) as part (provider_message_id, seq, part)
    on conflict do nothing
  ), retried as (
    insert into retries (organization_id, campaign_id, leg, seq, sender_id, due_at, attempt, reason, code)
    select $1, $2, $3, seq, $6, due_at, attempt, reason, code
    from unnest($26::int[], $27::timestamptz[], $28::smallint[], $29::text[], $30::text[]) as retry (seq, due_at, attempt, reason, code)
    on conflict do nothing
  ), fence as materialized (
    select 1 as open from campaigns campaign, lanes lane
    where $31::int is not null
      and campaign.organization_id = $1 and campaign.id = $2 and campaign.status in ('queued', 'running')
      and campaign.run_epoch = $11 and in_send_window(campaign.send_window)
      and lane.organization_id = $1 and lane.sender_id = $6 and lane.epoch = $12 and lane.lease_until > now()
    for share of campaign
  ), progressed as (
    update chunks set
      recorded = greatest(recorded, $13),
      charged = charged + (select cost from sums),
      mark = case when $31::int > mark and lane_epoch = $12 and exists (select from fence) then $31::int else mark end,
      done_at = case when $13 = hi then now() end
    where organization_id = $1 and campaign_id = $2 and leg = $3 and chunk_no = $4 and done_at is null
    returning mark, lane_epoch, charged, done_at
  ), captured as (
    select charge_messages($1, $33::uuid, charged, 'capture:' || $2::uuid || ':' || $3::smallint || ':' || $4::int, $2::uuid, $3::smallint)
    from progressed where done_at is not null and $33::uuid is not null and charged > 0
  ), watched as (
    select watch_chunk($1, $2::uuid, $3::smallint, $4::int) from progressed where $34::boolean and done_at is not null
  )
  select coalesce((select mark = $31::int and lane_epoch = $12 from progressed), false) and exists (select from fence) as moved,
    (select inserted from sums)::int as inserted,
    (select array_agg(phone::float8) from opt_outs where organization_id = $1 and channel = $10 and phone = any($32::bigint[])) as "optedOut",
    (select count(*) from captured) as captures, (select count(*) from gone_on) as gone, (select count(*) from watched) as watches`,
}

export async function advanceChunk(db: Queryable, leg: LegKey, step: Step): Promise<Progress> {
  const { results, retries } = step.before
  const rows = await run<Progress>(db, advance, [
    leg.organizationId,
    leg.campaignId,
    leg.leg,
    step.chunkNo,
    leg.createdOn,
    leg.senderId,
    leg.price,
    leg.billableOn,
    leg.accountId,
    leg.channel,
    step.runEpoch,
    step.epoch,
    step.recorded,
    ...resultArrays(results),
    ...partArrays(results),
    numberArray(retries.map(({ seq }) => seq)),
    retries.map(({ dueAt }) => dueAt),
    numberArray(retries.map(({ attempt }) => attempt)),
    textArray(retries.map(({ reason }) => reason)),
    textArray(retries.map(({ code }) => code)),
    step.next?.mark ?? null,
    numberArray(step.next?.phones ?? []),
    leg.holdId,
    leg.hasNext,
  ])
  return rows[0] ?? { moved: false, optedOut: null, inserted: 0 }
}

/** seq, phone, provider id, status, parts, attempt, reason, code, detail; what is the same as in most batches is left out. */
export function resultArrays(results: Recorded['results']): string[] {
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

/** Provider ids, seqs and part numbers of the long messages. */
export function partArrays(results: Recorded['results']): [string, string, string] {
  const parts = results.flatMap(({ seq, providerMessageIds }) =>
    providerMessageIds.length > 1 ? providerMessageIds.map((id, part) => ({ id, seq, part })) : [],
  )
  return [
    textArray(parts.map(({ id }) => id)),
    numberArray(parts.map(({ seq }) => seq)),
    numberArray(parts.map(({ part }) => part)),
  ]
}

const findLost: Statement = {
  name: 'lease-lost-chunks',
  text: `
  update chunks set lane_epoch = $3
  from campaigns campaign
  where chunks.organization_id = $1 and chunks.sender_id = $2 and chunks.done_at is null and chunks.mark > chunks.recorded
    and chunks.lane_epoch < $3 and campaign.organization_id = $1 and campaign.id = chunks.campaign_id
  returning chunks.campaign_id as "campaignId", leg, chunk_no as "chunkNo", hi, mark, recorded, campaign.run_epoch as "runEpoch", vtime`,
}

/** Chunks with a slice in the air that an owner before us did not answer for, whatever became of their campaign. */
export async function leaseLostChunks(db: Queryable, { organizationId, senderId, epoch }: LaneKey): Promise<Chunk[]> {
  return run<Chunk>(db, findLost, [organizationId, senderId, epoch])
}
