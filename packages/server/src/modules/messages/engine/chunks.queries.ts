import { recordedValues, recordResults, retryRows, type LegKey } from './record-results.ts'
import { parseTextArray } from './parse-text-array.ts'
import type { Cap } from '../reads/recently-messaged.ts'
import type { Leg } from './legs.ts'
import type { Recorded } from './results.ts'
import { numberArray, run, type Queryable, type Statement } from '../statements.ts'

/** The lane and the epoch of its ownership, which fences all statements. */
export type LaneKey = { organizationId: string; senderId: string; epoch: number }

export type Chunk = {
  campaignId: string
  leg: number
  chunkNo: number
  hi: number
  watermark: number
  recorded: number
  runEpoch: number
  vtime: number
  /** Its recipients in ascending order, if they are not all from begin to `hi`. */
  members: number[] | null
  /** The organisation's cap when the chunk was leased. */
  cap: Cap | null
}

/**
 * Leases the next chunks by virtual time: one row write per thousand messages. Of each leg of a running campaign only the first
 * chunks are read, so that neither done nor paused chunks are read again (scanning them costs nine tenths of the speed). If the
 * first chunk of a leg has not joined the queue yet, no later one has.
 */
const lease: Statement = {
  name: 'lease-chunks',
  text: `
  with heads as (
    select chunk.organization_id, chunk.campaign_id, chunk.leg, chunk.chunk_no, campaign.run_epoch
    from campaigns campaign
    join campaign_legs of on of.organization_id = campaign.organization_id and of.campaign_id = campaign.id and of.sender_id = $2
    cross join lateral (
      select * from chunks
      where organization_id = campaign.organization_id and sender_id = $2 and campaign_id = campaign.id and leg = of.leg
        and done_at is null and lane_epoch <> $3
      order by chunk_no limit $4
    ) chunk
    where campaign.organization_id = $1 and campaign.status in ('queued', 'running') and in_send_window(of.send_window)
      and chunk.not_before is null
    order by chunk.vtime, chunk.leg, chunk.chunk_no limit $4
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
  select campaign_id as "campaignId", leg, chunk_no as "chunkNo", hi, watermark, recorded, run_epoch as "runEpoch", vtime, members,
    frequency_cap($1) as cap
  from leased order by vtime, leg, chunk_no`,
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

/** Returns a chunk of a stopped campaign, so that it can be leased when the campaign resumes. */
export async function releaseChunk(db: Queryable, { organizationId, epoch }: LaneKey, chunk: Chunk): Promise<void> {
  await run(db, release, [organizationId, chunk.campaignId, chunk.leg, chunk.chunkNo, epoch])
}

export type Recipient = { seq: number; phone: number; variables: string[] }
type WrittenRecipient = Pick<Recipient, 'seq' | 'phone'> & { variables: string }

const read: Statement = {
  name: 'read-recipients',
  text: `select seq, phone, variables::text from recipients
  where organization_id = $1 and audience_id = $2 and seq >= $3 and seq < $4 order by seq`,
}

const readMembers: Statement = {
  name: 'read-members',
  text: `select seq, phone, variables::text from recipients
  where organization_id = $1 and audience_id = $2 and seq >= $3 and seq = any($4::int[]) order by seq`,
}

/** The recipients of a chunk from its watermark on. */
export async function readRecipients(
  db: Queryable,
  { organizationId, audienceId }: { organizationId: string; audienceId: string },
  { watermark, hi, members }: Chunk,
): Promise<Recipient[]> {
  const rows = members
    ? await run<WrittenRecipient>(db, readMembers, [organizationId, audienceId, watermark, numberArray(members)])
    : await run<WrittenRecipient>(db, read, [organizationId, audienceId, watermark, hi])
  return rows.map(({ seq, phone, variables }) => ({ seq, phone, variables: parseTextArray(variables) }))
}

/** A recipient who reached the cap, and when the message can be sent. */
export type PostponedRecipient = { seq: number; dueAt: Date; parts: number }

/** Recipients that are sent together; the watermark is moved past them, and those postponed, first. */
export type Slice = { watermark: number; seqs: number[]; phones: number[]; postponed: PostponedRecipient[] }

export type Step = {
  chunkNo: number
  epoch: number
  runEpoch: number
  /** Once `before` is written, everything before this position has a result or a retry. */
  recorded: number
  before: Recorded
  /** The next watermark, and the recipients of the slice that it covers. */
  next: Slice | undefined
}

export type Progress = {
  /** The watermark was committed: the slice may be sent. */
  moved: boolean
  /** Recipients of the slice who opted out. */
  optedOut: number[] | null
  /** Positions of recipients in the slice that an earlier leg has reached; absent for the first leg. */
  reached?: number[] | null
  /** Number of results written; the others had a result already. */
  inserted: number
}

/**
 * Writes results in any order, adds them to the chunk's charge, and moves the watermark past the next slice, which may be sent
 * once this has committed. The watermark moves only for the owner of the lane while its lease lasts, and only for a running
 * campaign: the share lock makes the statement that stops the campaign wait for concurrent watermarks, and later ones see that
 * it is stopped. Once everything has a result, the chunk is done and its charge captured in one entry; results that a former
 * owner writes later are charged separately. If the leg has a next one, its failed recipients enter that, and the chunk is
 * watched for the others. Postponed recipients enter the leg again when they are due, in a chunk that takes its turn.
 */
const advanceWith = (name: string, column = ''): Statement => ({
  name,
  text: `
  with ${recordResults}, retried as (
    insert into retries (organization_id, campaign_id, leg, seq, sender_id, due_at, attempt, reason, code, unanswered, parts)
    select $1, $2, $3, seq, $5, due_at, attempt, reason, code, unanswered, parts
    from ${retryRows}
    on conflict do nothing
  ), fence as materialized (
    select 1 as open from campaigns campaign, lanes lane
    where $35::int is not null
      and campaign.organization_id = $1 and campaign.id = $2 and campaign.status in ('queued', 'running')
      and campaign.run_epoch = $32
      and in_send_window((select send_window from campaign_legs where organization_id = $1 and campaign_id = $2 and leg = $3))
      and lane.organization_id = $1 and lane.sender_id = $5 and lane.epoch = $33 and lane.lease_until > now()
    for share of campaign
  ), progressed as (
    update chunks set
      recorded = greatest(recorded, $34),
      charged = charged + (select cost from sums),
      watermark = case when $35::int > watermark and lane_epoch = $33 and exists (select from fence) then $35::int else watermark end,
      done_at = case when $34 = hi then now() end
    where organization_id = $1 and campaign_id = $2 and leg = $3 and chunk_no = $31 and done_at is null
    returning watermark, lane_epoch, charged, done_at
  ), postponed as (
    insert into retries (organization_id, campaign_id, leg, seq, sender_id, due_at, attempt, reason, code, parts, is_entry)
    select $1, $2, $3, seq, $5, due_at, 0, 'frequency_capped', '', parts, true
    from unnest($38::int[], $39::timestamptz[], $40::smallint[]) as later (seq, due_at, parts)
    where (select watermark = $35::int and lane_epoch = $33 from progressed) and exists (select from fence)
    on conflict do nothing
  ), captured as (
    select charge_messages($1, $10::uuid, charged, 'capture:' || $2::uuid || ':' || $3::smallint || ':' || $31::int, $2::uuid, $3::smallint)
    from progressed where done_at is not null and $10::uuid is not null and charged > 0
  ), late as (
    select charge_messages($1, $10::uuid, cost::bigint, 'capture:' || $2::uuid || ':' || $3::smallint || ':late:' || gen_random_uuid(), $2::uuid, $3::smallint)
    from sums where cost > 0 and $10::uuid is not null and not exists (select from progressed)
  ), watched as (
    select watch_chunk($1, $2::uuid, $3::smallint, $31::int) from progressed where $11::boolean and done_at is not null
  )
  select coalesce((select watermark = $35::int and lane_epoch = $33 from progressed), false) and exists (select from fence) as moved,
    (select inserted from sums)::int as inserted,
    (select array_agg(phone::float8) from opt_outs where organization_id = $1 and channel = any(opt_out_channels($1, $9)) and phone = any($36::bigint[])
      and ($37::boolean or not marketing_only)) as "optedOut",${column}
    (select count(*) from captured) + (select count(*) from late) as captures, (select count(*) from gone_on) as gone,
    (select count(*) from published) as published, (select count(*) from watched) as watches`,
})

const advance = advanceWith('advance-chunk')

/** Also finds the recipients of the slice that an earlier leg's message has reached meanwhile. */
const advanceEntered = advanceWith(
  'advance-entered-chunk',
  `
    (select array_agg(distinct seq) from messages earlier
      where organization_id = $1 and created_on = $4 and campaign_id = $2 and seq = any($41::int[])
        and earlier.leg < $3 and status >= $42::message_status) as reached,`,
)

export async function advanceChunk(
  db: Queryable,
  leg: LegKey & Pick<Leg, 'isMarketing' | 'isEntered' | 'enterUnless'>,
  step: Step,
): Promise<Progress> {
  const { chunkNo, runEpoch, epoch, recorded, before, next } = step
  const isEntered = leg.isEntered && next !== undefined
  const rows = await run<Progress>(db, isEntered ? advanceEntered : advance, [
    ...recordedValues(leg, before),
    chunkNo,
    runEpoch,
    epoch,
    recorded,
    ...sliceValues(next ?? nothing, leg.isMarketing),
    ...(isEntered ? [numberArray(next.seqs), leg.enterUnless] : []),
  ])
  return rows[0] ?? { moved: false, optedOut: null, inserted: 0 }
}

const nothing = { watermark: null, phones: [], postponed: [] }

/** Parameters $35 to $40. */
function sliceValues(
  { watermark, phones, postponed }: Omit<Slice, 'seqs' | 'watermark'> & { watermark: number | null },
  isMarketing: boolean,
): unknown[] {
  return [
    watermark,
    numberArray(phones),
    isMarketing,
    numberArray(postponed.map(({ seq }) => seq)),
    postponed.map(({ dueAt }) => dueAt),
    numberArray(postponed.map(({ parts }) => parts)),
  ]
}

const findLost: Statement = {
  name: 'lease-lost-chunks',
  text: `
  update chunks set lane_epoch = $3
  from campaigns campaign
  where chunks.organization_id = $1 and chunks.sender_id = $2 and chunks.done_at is null and chunks.watermark > chunks.recorded
    and chunks.lane_epoch < $3 and campaign.organization_id = $1 and campaign.id = chunks.campaign_id
  returning chunks.campaign_id as "campaignId", leg, chunk_no as "chunkNo", hi, watermark, recorded, campaign.run_epoch as "runEpoch", vtime, members, null as cap`,
}

/** Chunks with in-flight messages of an earlier owner without results, whatever the status of their campaign. */
export async function leaseLostChunks(db: Queryable, { organizationId, senderId, epoch }: LaneKey): Promise<Chunk[]> {
  return run<Chunk>(db, findLost, [organizationId, senderId, epoch])
}

const findWithoutResult: Statement = {
  name: 'find-unrecorded',
  text: `
  select seq, phone, variables from recipients
  where organization_id = $1 and audience_id = $2 and seq >= $6 and seq < $7 and ($8::int[] is null or seq = any($8))
    and not exists (select from messages where organization_id = $1 and created_on = $3 and campaign_id = $4 and leg = $5 and seq = recipients.seq)
    and not exists (select from retries where organization_id = $1 and campaign_id = $4 and leg = $5 and seq = recipients.seq)
    and not exists (select from chunks later where later.organization_id = $1 and later.campaign_id = $4 and later.leg = $5
      and later.chunk_no > $9 and recipients.seq = any(later.members))
    and not ($10::boolean
      and exists (select from messages earlier where organization_id = $1 and created_on = $3 and campaign_id = $4 and seq = recipients.seq
        and earlier.leg < $5 and status >= $11::message_status)
      and not exists (select from leg_entries where organization_id = $1 and campaign_id = $4 and leg = $5 and seq = recipients.seq))
  order by seq`,
}

/**
 * Recipients before the watermark that have neither a result nor a retry, were not postponed to a later chunk, and were not withdrawn
 * from the leg.
 */
export async function findUnrecorded(
  db: Queryable,
  {
    organizationId,
    audienceId,
    createdOn,
    campaignId,
    leg,
    isEntered,
    enterUnless,
  }: LegKey & Pick<Leg, 'audienceId' | 'isEntered' | 'enterUnless'>,
  { chunkNo, recorded, watermark, members }: Chunk,
): Promise<Recipient[]> {
  return run<Recipient>(db, findWithoutResult, [
    organizationId,
    audienceId,
    createdOn,
    campaignId,
    leg,
    recorded,
    watermark,
    members && numberArray(members),
    chunkNo,
    isEntered,
    enterUnless,
  ])
}
