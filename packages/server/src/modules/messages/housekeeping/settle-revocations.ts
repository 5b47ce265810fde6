import type pg from 'pg'
import type { MessageStatus } from '@carillon/contract/campaign-records'
import { againOnCollision } from '../../../db/collisions.ts'
import { endRevocations, enterUnreadLegs } from '../engine/revocations.queries.ts'
import { updateKnownMessages } from '../reports/known-messages.queries.ts'
import { reportedOf } from '../reports/report-evidence.ts'
import { keyArrays, type Target } from '../reports/reports.queries.ts'
import { settleChanges } from '../reports/settle-changes.ts'
import { inTransaction, run, type Queryable, type Statement } from '../statements.ts'

const batchSize = 1000

/**
 * Revocations of running campaigns that no lane has asked for within this time, because the sender is off or its provider is not
 * reachable, are given up, so that the recipient fails over. Those of a stopped campaign are not waited for.
 */
const giveUp: Statement = {
  name: 'give-up-revocations',
  text: `
  with stale as (
    select revocation.organization_id, revocation.campaign_id, revocation.leg, revocation.seq
    from revocations revocation
    join campaigns campaign on campaign.organization_id = revocation.organization_id and campaign.id = revocation.campaign_id
    where outcome is null and due_at < now() - interval '15 minutes' and campaign.status in ('queued', 'running', 'paused')
    limit ${batchSize}
    for update of revocation skip locked
  )
  update revocations set outcome = 'given_up', code = 'not_asked', detail = 'The provider could not be asked to revoke the message',
    due_at = now()
  from stale
  where revocations.organization_id = stale.organization_id and revocations.campaign_id = stale.campaign_id
    and revocations.leg = stale.leg and revocations.seq = stale.seq`,
}

/** Revocations of one organisation whose grace period has ended. */
const findDue: Statement = {
  name: 'find-given-up-revocations',
  text: `
  select revocation.organization_id as "organizationId", revocation.campaign_id as "campaignId", revocation.leg, revocation.seq,
    revocation.sender_id as "senderId", revocation.code, revocation.detail, campaign.created_on as "createdOn"
  from revocations revocation
  join campaigns campaign on campaign.organization_id = revocation.organization_id and campaign.id = revocation.campaign_id
  where outcome = 'given_up' and due_at <= now()
  order by due_at limit ${batchSize}
  for update of revocation skip locked`,
}

type Due = Target & { organizationId: string; senderId: string; code: string; detail: string; createdOn: string }

/**
 * Locks the messages, so that no report overtakes, in the order of other statements. A message that may never have been accepted
 * is charged only if it is delivered after all.
 */
const lockMessages: Statement = {
  name: 'lock-given-up-messages',
  text: `
  with locked as materialized (
    select message.campaign_id, message.leg, message.seq, message.status
    from unnest($2::uuid[], $3::smallint[], $4::int[]) as target (campaign_id, leg, seq)
    join messages message on message.organization_id = $1 and message.created_on = $5 and message.campaign_id = target.campaign_id
      and message.seq = target.seq and message.leg = target.leg
    order by message.campaign_id, message.seq, message.leg
    for no key update of message
  ), unproven as (
    update messages message set billable_on = 'delivered'
    from locked
    where message.organization_id = $1 and message.created_on = $5 and message.campaign_id = locked.campaign_id
      and message.seq = locked.seq and message.leg = locked.leg and locked.status in ('unknown', 'unconfirmed')
      and message.billable_on <> 'delivered'
  )
  select campaign_id as "campaignId", leg, seq, status from locked`,
}

/** Fails messages that were revoked, or could not be, and were not delivered within the grace period. */
export async function settleRevocations(pool: pg.Pool): Promise<void> {
  await run(pool, giveUp, [])
  for (let settled = batchSize; settled === batchSize;)
    settled = await againOnCollision(() => inTransaction(pool, settleBatch))
}

async function settleBatch(db: Queryable): Promise<number> {
  const due = await run<Due>(db, findDue, [])
  const byDay = Map.groupBy(due, ({ organizationId, senderId, createdOn }) =>
    [organizationId, senderId, createdOn].join(' '),
  )
  for (const ofDay of byDay.values()) {
    const [first] = ofDay
    if (first) await settleDay(db, first, ofDay)
  }
  return due.length
}

const undecided: readonly MessageStatus[] = ['unknown', 'unconfirmed', 'sent']

const keyOf = ({ campaignId, leg, seq }: Target) => `${campaignId}.${leg}.${seq}`

/** A failure like any other: counts, refunds and the next leg follow from it, and a later report of a delivery counts more. */
async function settleDay(db: Queryable, { organizationId, senderId, createdOn }: Due, due: readonly Due[]) {
  type Found = Target & { status: MessageStatus }
  const found = await run<Found>(db, lockMessages, [organizationId, ...keyArrays(due), createdOn])
  const statuses = new Map(found.map((message) => [keyOf(message), message.status]))
  const at = new Date()
  const failed = due.flatMap((hit) => {
    const status = statuses.get(keyOf(hit))
    if (!status || !undecided.includes(status)) return []
    const { code, detail } = hit
    const reason = 'revoked' as const
    return [
      {
        hit,
        report: reportedOf({
          kind: 'delivery-report',
          providerMessageIds: [],
          status: 'failed',
          reason,
          code,
          detail,
          at,
        }),
      },
    ]
  })
  const changes = await updateKnownMessages(db, { organizationId, senderId }, { day: createdOn, chosen: failed })
  await settleChanges(db, organizationId, changes)
  await enterUnreadLegs(
    db,
    organizationId,
    due.filter((target) => statuses.get(keyOf(target)) === 'delivered'),
  )
  await endRevocations(db, { organizationId }, due)
}
