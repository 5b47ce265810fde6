import type { Database } from '../../../db/pool.ts'
import { numberArray, run, textArray, type Statement } from '../../messages/index.ts'
import type { LaneState } from './pace.ts'

export type Pool = Database['systemPool']

/** An endpoint with the epoch of its ownership. */
export type LaneKey = { organizationId: string; endpointId: string; epoch: number }

/** The result of a connection that died silently does not block for long; these statements wait for no locks. */
const query_timeout = 15_000

const keyArrays = (keys: readonly LaneKey[]) => [
  textArray(keys.map(({ organizationId }) => organizationId)),
  textArray(keys.map(({ endpointId }) => endpointId)),
  numberArray(keys.map(({ epoch }) => epoch)),
]

const ofHeld = `unnest($1::uuid[], $2::uuid[], $3::bigint[]) as held (organization_id, endpoint_id, epoch)`

/**
 * Endpoints without an owner that have due deliveries, or deliveries and are disabled. The recursion finds each endpoint in the queue with
 * one look at the index, however many deliveries it has.
 */
const claim: Statement = {
  name: 'claim-webhook-lanes',
  query_timeout,
  text: `
  with recursive queued as (
    (select organization_id, endpoint_id from webhook_queue order by organization_id, endpoint_id limit 1)
    union all
    select next.* from queued cross join lateral (
      select organization_id, endpoint_id from webhook_queue
      where (organization_id, endpoint_id) > (queued.organization_id, queued.endpoint_id)
      order by organization_id, endpoint_id limit 1
    ) next
  ), free as (
    select lane.organization_id, lane.endpoint_id
    from queued
    join webhook_lanes lane using (organization_id, endpoint_id)
    join webhook_endpoints endpoint on endpoint.organization_id = lane.organization_id and endpoint.id = lane.endpoint_id
    where (lane.lease_until is null or lane.lease_until < clock_timestamp())
      and (endpoint.disabled_at is not null or (lane.held_until is null or lane.held_until <= $2) and exists (
        select from webhook_queue delivery
        where delivery.organization_id = lane.organization_id and delivery.endpoint_id = lane.endpoint_id and delivery.due_at <= $2))
    limit $4
    for update of lane skip locked
  )
  update webhook_lanes lane set owner = $1, epoch = epoch + 1, lease_until = clock_timestamp() + $3::int * interval '1 millisecond'
  from free
  where lane.organization_id = free.organization_id and lane.endpoint_id = free.endpoint_id
  returning lane.organization_id as "organizationId", lane.endpoint_id as "endpointId", epoch`,
}

export type Claim = { owner: string; now: Date; leaseMs: number; limit: number }

export function claimLanes(pool: Pool, { owner, now, leaseMs, limit }: Claim): Promise<LaneKey[]> {
  return run<LaneKey>(pool, claim, [owner, now, leaseMs, limit])
}

const renew: Statement = {
  name: 'renew-webhook-lanes',
  query_timeout,
  text: `
  with mine as (
    select organization_id, endpoint_id from ${ofHeld}
    join webhook_lanes lane using (organization_id, endpoint_id, epoch)
    where owner = $4 and lease_until > clock_timestamp()
    for update of lane skip locked
  )
  update webhook_lanes lane set lease_until = clock_timestamp() + $5::int * interval '1 millisecond'
  from mine
  where lane.organization_id = mine.organization_id and lane.endpoint_id = mine.endpoint_id
  returning lane.endpoint_id as "endpointId", epoch`,
}

/** Renews the leases of this process, and returns the renewed ones. Locked rows are skipped until the next time. */
export function renewLanes(
  pool: Pool,
  { owner, leaseMs }: Pick<Claim, 'owner' | 'leaseMs'>,
  keys: readonly LaneKey[],
): Promise<Pick<LaneKey, 'endpointId' | 'epoch'>[]> {
  return run(pool, renew, [...keyArrays(keys), owner, leaseMs])
}

/** An endpoint as it was read for its lane. */
export type EndpointTerms = {
  organizationId: string
  endpointId: string
  url: string
  secrets: Buffer
  previousUntil: Date | null
  /** It is enabled, and its account may use the API. */
  isOpen: boolean
} & LaneState

/** The account is not suspended and has the module. */
export const mayReceive = (account: string) => `(account_status_of(${account}.path) = 'active'
    and (${account}.role in ('admin', 'reseller') or 'api' = any(effective_modules(${account}.id))))`

const read: Statement = {
  name: 'read-webhook-terms',
  query_timeout,
  text: `
  with endpoint as materialized (
    select endpoint.*, held_until, trips, failing_since, last_delivered_at, last_failed_at
    from ${ofHeld}
    join webhook_endpoints endpoint on endpoint.organization_id = held.organization_id and endpoint.id = held.endpoint_id
    join webhook_lanes lane on lane.organization_id = held.organization_id and lane.endpoint_id = held.endpoint_id
  ), owner as materialized (
    select account.id, ${mayReceive('account')} as may_receive
    from (select distinct account_id from endpoint) distinct_owner join accounts account on account.id = distinct_owner.account_id
  )
  select organization_id as "organizationId", endpoint.id as "endpointId", url, secrets, previous_until as "previousUntil",
    disabled_at is null and may_receive as "isOpen", held_until as "heldUntil", trips, failing_since as "failingSince",
    last_delivered_at as "lastDeliveredAt", last_failed_at as "lastFailedAt"
  from endpoint join owner on owner.id = endpoint.account_id`,
}

/** Endpoints of lanes; deleted ones are missing. */
export function readTerms(pool: Pool, keys: readonly LaneKey[]): Promise<EndpointTerms[]> {
  return run<EndpointTerms>(pool, read, keyArrays(keys))
}

const write: Statement = {
  name: 'write-webhook-lanes',
  query_timeout,
  text: `
  update webhook_lanes lane set held_until = held."heldUntil", trips = held.trips, failing_since = held."failingSince",
    last_delivered_at = held."lastDeliveredAt", last_failed_at = held."lastFailedAt"
  from jsonb_to_recordset($1::jsonb) as held ("organizationId" uuid, "endpointId" uuid, epoch bigint, "heldUntil" timestamptz,
    trips smallint, "failingSince" timestamptz, "lastDeliveredAt" timestamptz, "lastFailedAt" timestamptz)
  where lane.organization_id = held."organizationId" and lane.endpoint_id = held."endpointId" and lane.epoch = held.epoch`,
}

export async function writeStates(pool: Pool, states: readonly (LaneKey & LaneState)[]): Promise<void> {
  if (states.length > 0) await run(pool, write, [JSON.stringify(states)])
}

const release: Statement = {
  name: 'release-webhook-lanes',
  query_timeout,
  text: `
  update webhook_lanes lane set owner = null, lease_until = null from ${ofHeld}
  where lane.organization_id = held.organization_id and lane.endpoint_id = held.endpoint_id and lane.epoch = held.epoch`,
}

export async function releaseLanes(pool: Pool, keys: readonly LaneKey[]): Promise<void> {
  if (keys.length > 0) await run(pool, release, keyArrays(keys))
}

export type QueuedDelivery = {
  id: string
  body: string
  tries: number
  isReplay: boolean
  /** It has an order key. */
  isOrdered: boolean
}

/**
 * Due deliveries of several lanes. Of deliveries with the same order key, only the oldest one that has not ended is read; the key
 * is set for ordered endpoints only.
 */
const readDue: Statement = {
  name: 'read-due-webhooks',
  query_timeout,
  text: `
  select asked.lane::int, due.*
  from unnest($1::uuid[], $2::uuid[], $3::int[]) with ordinality as asked (organization_id, endpoint_id, most, lane)
  cross join lateral (
    select id, body, tries, is_replay as "isReplay", order_key is not null as "isOrdered"
    from webhook_queue delivery
    where delivery.organization_id = asked.organization_id and delivery.endpoint_id = asked.endpoint_id and due_at <= $4
      and (order_key is null or not exists (
        select from webhook_queue earlier
        where earlier.organization_id = delivery.organization_id and earlier.endpoint_id = delivery.endpoint_id
          and earlier.order_key = delivery.order_key and (earlier.at, earlier.id) < (delivery.at, delivery.id)))
    order by due_at, id
    limit asked.most
  ) due`,
}

type DueRequest = { key: LaneKey; most: number }

/** Returns the deliveries of each lane, in the order of the lanes. */
export async function readDueDeliveries(
  pool: Pool,
  asked: readonly DueRequest[],
  now: Date,
): Promise<QueuedDelivery[][]> {
  const rows = await run<QueuedDelivery & { lane: number }>(pool, readDue, [
    textArray(asked.map(({ key }) => key.organizationId)),
    textArray(asked.map(({ key }) => key.endpointId)),
    numberArray(asked.map(({ most }) => most)),
    now,
  ])
  const byLane = Map.groupBy(rows, ({ lane }) => lane)
  return asked.map((_, index) => byLane.get(index + 1) ?? [])
}

const retain: Statement = {
  name: 'retain-webhooks',
  query_timeout: 30_000,
  text: `
  with held as (
    delete from webhook_queue where (organization_id, endpoint_id, id) in (
      select organization_id, endpoint_id, id from webhook_queue where organization_id = $1 and endpoint_id = $2 limit $3)
    returning *
  ), kept as (
    insert into webhook_deliveries (organization_id, endpoint_id, id, type, at, order_key, body, attempts, status, ended_at)
    select organization_id, endpoint_id, id, type, at, order_key, body, attempts, 'retained', $4 from held
  )
  select count(*)::int as count from held`,
}

const mostRetained = 1000

/** Ends the queued deliveries of an endpoint that gets no events now. Call with its lease. */
export async function retainDeliveries(
  pool: Pool,
  { organizationId, endpointId }: Omit<LaneKey, 'epoch'>,
  now: Date,
): Promise<void> {
  for (;;) {
    const [row] = await run<{ count: number }>(pool, retain, [organizationId, endpointId, mostRetained, now])
    if ((row?.count ?? 0) < mostRetained) return
  }
}
