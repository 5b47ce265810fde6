import { asSystem, type Database, type Db } from '../../db/pool.ts'
import type { Actor } from '../../http/handlers.ts'
import { enqueue } from '../../jobs/jobs.ts'
import type { Clock } from '../../lib/clock.ts'
import { releaseHold } from '../balance/index.ts'
import { isInFlight, replanCampaign, wakeLanes } from '../messages/index.ts'
import { lockByKey, lockCampaign, transition, type CampaignKey, type CampaignRow } from './campaigns.queries.ts'

declare module '../../jobs/jobs.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface JobPayloads {
    'campaign.settle': CampaignKey
  }
}

const settleAfterMs = 2000

/**
 * Raising the epoch is what stops the sending: no mark moves under an older one. A campaign that never started is
 * discarded and its money given back at once; a started one is cancelled, and the rest of its hold comes back when what
 * is in the air has its results.
 */
export async function discardCampaign(
  db: Db,
  { actor, id, now }: { actor: Actor; id: string; now: Date },
): Promise<CampaignRow> {
  const campaign = await lockCampaign(db, { id, reach: actor.reach })
  if (campaign.status === 'discarded' || campaign.status === 'cancelled') return campaign
  const run_epoch = campaign.run_epoch + 1
  if (campaign.started_at === null) {
    if (campaign.hold_id) await releaseHold(db, { organizationId: campaign.organization_id, holdId: campaign.hold_id })
    return transition(db, {
      campaign,
      to: 'discarded',
      set: { run_epoch, schedule_at: null },
      event: 'discarded',
      actor,
    })
  }
  const cancelled = await transition(db, {
    campaign,
    to: 'cancelled',
    set: { run_epoch, completed_at: now },
    event: 'cancelled',
    actor,
  })
  await enqueueSettling(db, { organizationId: campaign.organization_id, campaignId: id }, now)
  await wakeLanes(db)
  return cancelled
}

export async function pauseCampaign(
  db: Db,
  { actor, id, now }: { actor: Actor; id: string; now: Date },
): Promise<CampaignRow> {
  const campaign = await lockCampaign(db, { id, reach: actor.reach })
  if (campaign.status === 'paused') return campaign
  const set = { run_epoch: campaign.run_epoch + 1, paused_at: now, pause_reason: 'manual' }
  const paused = await transition(db, { campaign, to: 'paused', set, event: 'paused', actor })
  await wakeLanes(db)
  return paused
}

/** Goes on where it stopped, in turn with whatever else stands on the lane by now. */
export async function resumeCampaign(db: Db, { actor, id }: { actor: Actor; id: string }): Promise<CampaignRow> {
  const campaign = await lockCampaign(db, { id, reach: actor.reach })
  if (campaign.status === 'queued' || campaign.status === 'running') return campaign
  const resumed = await transition(db, { campaign, to: 'queued', set: { paused_at: null }, event: 'resumed', actor })
  await replanCampaign(db, { organizationId: campaign.organization_id, campaignId: id })
  await wakeLanes(db)
  return resumed
}

/** Gives the rest of a cancelled campaign's hold back, or looks again in a moment while messages are in the air. */
export async function settleCampaign(
  { database, clock }: { database: Database; clock: Clock },
  key: CampaignKey,
): Promise<void> {
  await asSystem(database, async (db) => {
    const campaign = await lockByKey(db, key)
    if (campaign?.status !== 'cancelled' || !campaign.hold_id) return
    if (await isInFlight(db, key)) await enqueueSettling(db, key, clock.now())
    else await releaseHold(db, { organizationId: key.organizationId, holdId: campaign.hold_id })
  })
}

async function enqueueSettling(db: Db, key: CampaignKey, now: Date) {
  await enqueue(db, {
    name: 'campaign.settle',
    payload: key,
    jobKey: `campaign:${key.campaignId}:settle`,
    runAt: new Date(now.getTime() + settleAfterMs),
  })
}

/** Called when the last chunk is done and no retry is left. Guarded: whoever comes second changes nothing. */
export async function completeCampaign(db: Db, key: CampaignKey, now: Date): Promise<boolean> {
  const campaign = await lockByKey(db, key)
  if (!campaign || (campaign.status !== 'running' && campaign.status !== 'queued')) return false
  if (campaign.hold_id) await releaseHold(db, { organizationId: key.organizationId, holdId: campaign.hold_id })
  await transition(db, { campaign, to: 'completed', set: { completed_at: now }, event: 'completed', actor: undefined })
  return true
}
