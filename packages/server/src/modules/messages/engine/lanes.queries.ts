import type { LaneState } from '@carillon/contract/senders'
import type { LaneKey } from './chunks.queries.ts'
import { run, type Queryable, type Statement } from '../statements.ts'

/** Limits a query on a connection that died silently; these queries never wait for locks. */
const queryTimeoutMs = 30_000

export type Claim = {
  owner: string
  leaseMs: number
  limit: number
  /** Senders whose lanes must not be claimed now. */
  except: readonly string[]
  /** The database that the process knows; undefined if restores are not tracked. */
  currentPosition: { incarnation: string; counter: number } | undefined
  /** Skips lanes without work. */
  withWorkOnly?: boolean
}

/**
 * A lane without an owner, or whose lease has expired, is free. The new epoch fences the former owner. No lane is free while
 * sending is paused, or in a database other than the one this process knows (modules/restores). That row is locked only when
 * there is a lane to claim, because a lock is a write.
 */
const claimOf = (name: string, which: string): Statement => ({
  name,
  text: `
  with open as materialized (
    select from installation own
    where may_send(own, $5::uuid, $6::bigint) and exists (
      select from lanes
      join senders on senders.organization_id = lanes.organization_id and senders.id = lanes.sender_id
      where ${which})
    for share skip locked
  ), free as (
    select lanes.organization_id, lanes.sender_id
    from lanes
    join senders on senders.organization_id = lanes.organization_id and senders.id = lanes.sender_id
    where ${which}
      and exists (select from open)
    limit $2
    for update of lanes skip locked
  )
  update lanes set owner = $1, epoch = epoch + 1, lease_until = now() + $3::int * interval '1 millisecond'
  from free
  where lanes.organization_id = free.organization_id and lanes.sender_id = free.sender_id
  returning lanes.organization_id as "organizationId", lanes.sender_id as "senderId", epoch`,
})

const isFree = 'senders.is_active and (lease_until is null or lease_until < now())'

/** Something on the lane is due now. */
const hasWork = `(
    exists (select from priority_messages queued
      where queued.organization_id = lanes.organization_id and queued.sender_id = lanes.sender_id and queued.due_at <= now())
    or exists (select from revocations revocation
      where revocation.organization_id = lanes.organization_id and revocation.sender_id = lanes.sender_id
        and revocation.outcome is null and revocation.due_at <= now())
    or exists (select from campaigns campaign
      where campaign.organization_id = lanes.organization_id and campaign.status in ('queued', 'running')
        and (exists (select from retries retry
            where retry.organization_id = lanes.organization_id and retry.sender_id = lanes.sender_id
              and retry.campaign_id = campaign.id and retry.is_entry = any('{true,false}') and retry.due_at <= now())
          or exists (select from chunks chunk
            where chunk.organization_id = lanes.organization_id and chunk.sender_id = lanes.sender_id
              and chunk.campaign_id = campaign.id and chunk.done_at is null and chunk.not_before is null))))`

const claim = claimOf('claim-lanes', `${isFree} and lanes.sender_id <> all($4::uuid[])`)
const claimWithWork = claimOf(
  'claim-lanes-with-work',
  `${isFree} and lanes.sender_id <> all($4::uuid[]) and ${hasWork}`,
)

const countWaiting: Statement = {
  name: 'count-lanes-that-wait',
  text: `
  select count(*)::int as count from (
    select from lanes
    join senders on senders.organization_id = lanes.organization_id and senders.id = lanes.sender_id
    where ${isFree} and ${hasWork}
    limit $1
  ) waiting`,
}

/** The number of lanes with work and without owner, up to a maximum. */
export async function countWaitingLanes(db: Queryable, most: number): Promise<number> {
  const [row] = await run<{ count: number }>(db, { ...countWaiting, query_timeout: queryTimeoutMs }, [most])
  return row?.count ?? 0
}

export async function claimLanes(
  db: Queryable,
  { owner, leaseMs, limit, except, currentPosition, withWorkOnly = false }: Claim,
): Promise<LaneKey[]> {
  const { incarnation = null, counter = null } = currentPosition ?? {}
  const values = [owner, limit, leaseMs, except, incarnation, counter]
  return run<LaneKey>(db, { ...(withWorkOnly ? claimWithWork : claim), query_timeout: queryTimeoutMs }, values)
}

const findAfterRestore: Statement = {
  name: 'find-after-restore',
  text: `select from lanes where organization_id = $1 and sender_id = $2 and epoch = $3 and after_restore`,
}

/** Whether the lane has not been worked on since the database was restored. */
export async function isAfterRestore(db: Queryable, { organizationId, senderId, epoch }: LaneKey): Promise<boolean> {
  return (await run(db, findAfterRestore, [organizationId, senderId, epoch])).length > 0
}

const endRecovery: Statement = {
  name: 'end-recovery-after-restore',
  text: `update lanes set after_restore = false where organization_id = $1 and sender_id = $2 and epoch = $3`,
}

/** Messages in flight in the restored database have their results. */
export async function endRecoveryAfterRestore(
  db: Queryable,
  { organizationId, senderId, epoch }: LaneKey,
): Promise<void> {
  await run(db, endRecovery, [organizationId, senderId, epoch])
}

/** Senders that are locked or being deleted are skipped until next time. */
const add: Statement = {
  name: 'add-lanes',
  text: `
  with missing as (
    select organization_id, id from senders
    where is_active and not exists (select from lanes where lanes.organization_id = senders.organization_id and sender_id = senders.id)
    for key share skip locked
  )
  insert into lanes (organization_id, sender_id) select organization_id, id from missing
  on conflict do nothing returning 1 as added`,
}

/** Creates lanes for senders that have none; true if there were any. */
export async function addLanes(db: Queryable): Promise<boolean> {
  return (await run(db, { ...add, query_timeout: queryTimeoutMs }, [])).length > 0
}

/** Locked rows are skipped, so that they do not delay the others. */
const renew: Statement = {
  name: 'renew-lanes',
  text: `
  with mine as (
    select organization_id, sender_id
    from unnest($2::uuid[], $3::uuid[], $4::bigint[]) as held (organization_id, sender_id, epoch)
    join lanes using (organization_id, sender_id, epoch)
    where owner = $1 and lease_until > now()
    for update of lanes skip locked
  )
  update lanes set lease_until = now() + $5::int * interval '1 millisecond'
  from mine
  where lanes.organization_id = mine.organization_id and lanes.sender_id = mine.sender_id
  returning lanes.organization_id as "organizationId", lanes.sender_id as "senderId", epoch`,
}

/** Renews the leases of this process's lanes, and returns the renewed ones. */
export async function renewLanes(
  db: Queryable,
  { owner, leaseMs }: Pick<Claim, 'owner' | 'leaseMs'>,
  held: readonly LaneKey[],
): Promise<LaneKey[]> {
  return run<LaneKey>(db, { ...renew, query_timeout: leaseMs }, [owner, ...keyArrays(held), leaseMs])
}

function keyArrays(keys: readonly LaneKey[]): unknown[] {
  return [
    keys.map(({ organizationId }) => organizationId),
    keys.map(({ senderId }) => senderId),
    keys.map(({ epoch }) => epoch),
  ]
}

const abandon: Statement = {
  name: 'abandon-lanes',
  text: `
  with abandoned as (
    select organization_id, sender_id
    from unnest($1::uuid[], $2::uuid[], $3::bigint[]) as held (organization_id, sender_id, epoch)
    join lanes using (organization_id, sender_id, epoch)
    for update of lanes skip locked
  )
  update lanes set owner = null, lease_until = null
  from abandoned
  where lanes.organization_id = abandoned.organization_id and lanes.sender_id = abandoned.sender_id`,
}

/** Releases lanes on which this process has no work. */
export async function abandonLanes(db: Queryable, keys: readonly LaneKey[]): Promise<void> {
  await run(db, { ...abandon, query_timeout: queryTimeoutMs }, keyArrays(keys))
}

const release: Statement = {
  name: 'release-lane',
  text: `update lanes set owner = null, lease_until = null, state = coalesce($4::jsonb, state), state_at = now()
  where organization_id = $1 and sender_id = $2 and epoch = $3`,
}

export async function releaseLane(
  db: Queryable,
  { organizationId, senderId, epoch }: LaneKey,
  state: LaneState,
): Promise<void> {
  await run(db, release, [organizationId, senderId, epoch, JSON.stringify(state)])
}

export type LaneWork = {
  organizationId: string
  senderId: string
  epoch: number
  isActive: boolean
  /** A hash of the connection settings: the lane is reopened when it changes. Other columns change hourly. */
  version: string
  hasPriority: boolean
  hasRetries: boolean
  hasChunks: boolean
  hasRevocations: boolean
}

/** One statement for all lanes of this process: their work and their terms. */
const find: Statement = {
  name: 'find-lane-work',
  text: `
  select lane.organization_id as "organizationId", lane.sender_id as "senderId", lane.epoch,
    sender.is_active as "isActive", md5(row(account.id, account.provider, account.config, account.secrets, account.callback_key,
      sender.external_id, sender.rate_per_second)::text) as version,
    exists (select from priority_messages
      where organization_id = lane.organization_id and sender_id = lane.sender_id and due_at <= now() and submitting_epoch is null) as "hasPriority",
    exists (
      select from campaigns campaign
      where campaign.organization_id = lane.organization_id and campaign.status in ('queued', 'running')
        and exists (select from retries where organization_id = lane.organization_id and sender_id = lane.sender_id
          and campaign_id = campaign.id and not is_entry and due_at <= now() and submitting_epoch is null)
    ) as "hasRetries",
    exists (
      select from campaigns campaign
      join campaign_legs leg on leg.organization_id = campaign.organization_id and leg.campaign_id = campaign.id
        and leg.sender_id = lane.sender_id
      where campaign.organization_id = lane.organization_id and campaign.status in ('queued', 'running')
        and (exists (
          select from (
            select not_before from chunks where organization_id = lane.organization_id and sender_id = lane.sender_id
              and campaign_id = campaign.id and chunks.leg = leg.leg and done_at is null
            order by chunk_no limit 1
          ) head where not_before is null
        ) or exists (select from retries where organization_id = lane.organization_id and sender_id = lane.sender_id
          and campaign_id = campaign.id and is_entry and due_at <= now()))
    ) as "hasChunks",
    exists (select from revocations where organization_id = lane.organization_id and sender_id = lane.sender_id
      and outcome is null and due_at <= now() and submitting_epoch is null) as "hasRevocations"
  from lanes lane
  join senders sender on sender.organization_id = lane.organization_id and sender.id = lane.sender_id
  join provider_accounts account on account.organization_id = sender.organization_id and account.id = sender.provider_account_id
  where lane.owner = $1`,
}

export async function findLaneWork(db: Queryable, owner: string): Promise<LaneWork[]> {
  return run<LaneWork>(db, { ...find, query_timeout: queryTimeoutMs }, [owner])
}

const write: Statement = {
  name: 'write-lane-state',
  text: `update lanes set state_at = now(), state = $4::jsonb || jsonb_build_object('queued',
    (select coalesce(sum(chunk_rest(chunks)), 0) from chunks join campaigns campaign
       on campaign.organization_id = chunks.organization_id and campaign.id = chunks.campaign_id and campaign.status in ('queued', 'running')
     where chunks.organization_id = $1 and chunks.sender_id = $2 and done_at is null)
    + (select count(*) from priority_messages where organization_id = $1 and sender_id = $2 and submitting_epoch is null)
    + (select count(*) from retries where organization_id = $1 and sender_id = $2))
  where organization_id = $1 and sender_id = $2 and epoch = $3`,
}

/** The connection state that users see. */
export async function writeLaneState(
  db: Queryable,
  { organizationId, senderId, epoch }: LaneKey,
  state: LaneState,
): Promise<void> {
  await run(db, write, [organizationId, senderId, epoch, JSON.stringify(state)])
}
