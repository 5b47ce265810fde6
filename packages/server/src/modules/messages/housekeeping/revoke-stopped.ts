import type pg from 'pg'
import { inTransaction, run, type Queryable, type Statement } from '../statements.ts'

/** Positions per transaction. */
const rangeSize = 1000
/** Ranges per call, so that other work is not delayed. */
const mostRanges = 50

const begin: Statement = {
  name: 'begin-revocation-scan',
  text: `
  insert into revocation_scans (organization_id, campaign_id)
  select $1, $2 where exists (
    select from campaign_legs where organization_id = $1 and campaign_id = $2 and revoke_grace_seconds is not null)
  on conflict do nothing`,
}

/** From here on the undelivered messages of a stopped campaign are queued for revocation, if their provider can revoke any. */
export async function beginRevoking(
  db: Queryable,
  { organizationId, campaignId }: { organizationId: string; campaignId: string },
): Promise<void> {
  await run(db, begin, [organizationId, campaignId])
}

/** Delivered and failed messages have nothing to revoke; those without a provider id cannot be named. */
const queueRange: Statement = {
  name: 'queue-revocations',
  text: `
  with scan as materialized (
    select scan.organization_id, scan.campaign_id, scan.seq, campaign.created_on, campaign.total
    from revocation_scans scan
    join campaigns campaign on campaign.organization_id = scan.organization_id and campaign.id = scan.campaign_id
    order by scan.organization_id, scan.campaign_id limit 1
    for update of scan skip locked
  ), queued as (
    insert into revocations (organization_id, campaign_id, leg, seq, sender_id, due_at)
    select scan.organization_id, scan.campaign_id, message.leg, message.seq, message.sender_id, now()
    from scan
    join messages message on message.organization_id = scan.organization_id and message.created_on = scan.created_on
      and message.campaign_id = scan.campaign_id and message.seq >= scan.seq and message.seq < scan.seq + ${rangeSize}
    join campaign_legs leg on leg.organization_id = scan.organization_id and leg.campaign_id = scan.campaign_id
      and leg.leg = message.leg and leg.revoke_grace_seconds is not null
    where message.status in ('unknown', 'unconfirmed', 'sent') and message.provider_message_id is not null
    on conflict do nothing
  ), moved as (
    update revocation_scans set seq = scan.seq + ${rangeSize}
    from scan
    where revocation_scans.organization_id = scan.organization_id and revocation_scans.campaign_id = scan.campaign_id
      and scan.seq + ${rangeSize} < scan.total
  ), ended as (
    delete from revocation_scans using scan
    where revocation_scans.organization_id = scan.organization_id and revocation_scans.campaign_id = scan.campaign_id
      and scan.seq + ${rangeSize} >= scan.total
  )
  select 1 from scan`,
}

/** Continues queueing the messages of stopped campaigns, a range of the audience at a time. */
export async function queueRevocations(pool: pg.Pool): Promise<void> {
  for (let count = 0; count < mostRanges; count += 1) {
    const found = await inTransaction(pool, (db) => run(db, queueRange, []))
    if (found.length === 0) return
  }
}

const drop: Statement = {
  name: 'drop-revocations',
  text: `
  delete from revocations
  using (
    select leg, seq from revocations
    where organization_id = $1 and campaign_id = $2 and outcome is null and submitting_epoch is null
    for update skip locked
  ) pending
  where organization_id = $1 and campaign_id = $2 and revocations.leg = pending.leg and revocations.seq = pending.seq`,
}

/** The campaign has ended: its messages have expired, and no recipient fails over any more. */
export async function dropRevocations(
  db: Queryable,
  { organizationId, campaignId }: { organizationId: string; campaignId: string },
): Promise<void> {
  await run(db, drop, [organizationId, campaignId])
}

/** Those whose message was delivered, or whose sender does not come back. */
export async function forgetRevocations(pool: pg.Pool): Promise<void> {
  await pool.query(`delete from revocations where due_at < now() - interval '7 days'`)
}
