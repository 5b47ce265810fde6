import type { LaneState } from '@carillon/contract/senders'
import type { LaneKey } from './chunks.queries.ts'
import { run, type Queryable, type Statement } from './statements.ts'

const leaseSeconds = 6

/** A lane that nobody owns, or whose owner has not been heard of, is free; the epoch fences whoever had it. */
const claim: Statement = {
  name: 'claim-lanes',
  text: `
  with missing as (
    insert into lanes (organization_id, sender_id)
    select organization_id, id from senders
    where is_active and not exists (select from lanes where lanes.organization_id = senders.organization_id and sender_id = senders.id)
    on conflict do nothing
  ), free as (
    select lanes.organization_id, lanes.sender_id
    from lanes
    join senders on senders.organization_id = lanes.organization_id and senders.id = lanes.sender_id
    where senders.is_active and (lease_until is null or lease_until < now())
    limit $2
    for update of lanes skip locked
  )
  update lanes set owner = $1, epoch = epoch + 1, lease_until = now() + $3::int * interval '1 second'
  from free
  where lanes.organization_id = free.organization_id and lanes.sender_id = free.sender_id
  returning lanes.organization_id as "organizationId", lanes.sender_id as "senderId", epoch`,
}

export async function claimLanes(db: Queryable, owner: string, limit: number): Promise<LaneKey[]> {
  return run<LaneKey>(db, claim, [owner, limit, leaseSeconds])
}

const renew: Statement = {
  name: 'renew-lanes',
  text: `update lanes set lease_until = now() + $2::int * interval '1 second'
  where owner = $1 and lease_until > now()
  returning organization_id as "organizationId", sender_id as "senderId", epoch`,
}

/** The lanes that are still this owner's; one that ran out while it slept is not among them. */
export async function renewLanes(db: Queryable, owner: string): Promise<LaneKey[]> {
  return run<LaneKey>(db, renew, [owner, leaseSeconds])
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
  /** Changes with the sender and its provider account: then the connection is opened anew. */
  version: string
  hasExpress: boolean
  hasRetries: boolean
  hasChunks: boolean
}

/** One statement for all lanes of this process: what is there to do, and on which terms. */
const find: Statement = {
  name: 'find-lane-work',
  text: `
  select lane.organization_id as "organizationId", lane.sender_id as "senderId", lane.epoch,
    sender.is_active as "isActive", sender.xmin::text || '.' || account.xmin::text as version,
    exists (select from express_messages
      where organization_id = lane.organization_id and sender_id = lane.sender_id and due_at <= now()) as "hasExpress",
    exists (select from retries
      where organization_id = lane.organization_id and sender_id = lane.sender_id and due_at <= now()) as "hasRetries",
    exists (
      select from campaigns campaign
      where campaign.organization_id = lane.organization_id and campaign.status in ('queued', 'running')
        and exists (
          select from (
            select not_before from chunks where organization_id = lane.organization_id and sender_id = lane.sender_id
              and campaign_id = campaign.id and done_at is null
            order by leg, chunk_no limit 1
          ) head where not_before is null
        )
    ) as "hasChunks"
  from lanes lane
  join senders sender on sender.organization_id = lane.organization_id and sender.id = lane.sender_id
  join provider_accounts account on account.organization_id = sender.organization_id and account.id = sender.provider_account_id
  where lane.owner = $1`,
}

export async function findLaneWork(db: Queryable, owner: string): Promise<LaneWork[]> {
  return run<LaneWork>(db, find, [owner])
}

const write: Statement = {
  name: 'write-lane-state',
  text: `update lanes set state_at = now(), state = $4::jsonb || jsonb_build_object('queued',
    (select coalesce(sum(hi - mark), 0) from chunks join campaigns campaign
       on campaign.organization_id = chunks.organization_id and campaign.id = chunks.campaign_id and campaign.status in ('queued', 'running')
     where chunks.organization_id = $1 and chunks.sender_id = $2 and done_at is null)
    + (select count(*) from express_messages where organization_id = $1 and sender_id = $2 and submitting_epoch is null)
    + (select count(*) from retries where organization_id = $1 and sender_id = $2))
  where organization_id = $1 and sender_id = $2 and epoch = $3`,
}

/** What a person watching the connection sees. */
export async function writeLaneState(
  db: Queryable,
  { organizationId, senderId, epoch }: LaneKey,
  state: LaneState,
): Promise<void> {
  await run(db, write, [organizationId, senderId, epoch, JSON.stringify(state)])
}
