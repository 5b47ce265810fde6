import { asSystem, notifyAfterCommit, type Database, type Db, type RunTransaction } from '../../../db/pool.ts'
import { eventChannel } from '../../../events/domain-events.ts'
import { systemActor, type UserActor } from '../../../actor.ts'
import type { PauseReason } from '@carillon/contract/campaign-records'
import { releaseHold } from '../../balance/index.ts'
import { isInFlight, replanCampaign, wakeLanes } from '../../messages/index.ts'
import {
  lockByKey,
  lockCampaign,
  lockToSend,
  recordEvent,
  transition,
  type CampaignKey,
  type CampaignRow,
} from '../campaigns.queries.ts'

/**
 * Raising the epoch is what stops the sending: no watermark moves under an older one. A campaign that never started is
 * discarded and its money given back at once; a started one is cancelled, and the engine gives the rest of its hold back
 * when what is in flight has its results.
 */
export async function discardCampaign(
  db: Db,
  { actor, id, now }: { actor: UserActor; id: string; now: Date },
): Promise<CampaignRow> {
  const campaign = await lockCampaign(db, { id, scope: actor.scope })
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
  await wakeLanes(db)
  return cancelled
}

export async function pauseCampaign(
  db: Db,
  { actor, id, now, reason = 'manual' }: { actor: UserActor; id: string; now: Date; reason?: PauseReason },
): Promise<CampaignRow> {
  const campaign = await lockCampaign(db, { id, scope: actor.scope })
  if (campaign.status === 'paused') return campaign
  const set = { run_epoch: campaign.run_epoch + 1, paused_at: now, pause_reason: reason }
  const details = reason === 'manual' ? {} : { reason }
  const paused = await transition(db, { campaign, to: 'paused', set, event: 'paused', details, actor })
  await wakeLanes(db)
  return paused
}

/** Resumes the campaign, in turn with the others on the lane. */
export async function resumeCampaign(db: Db, { actor, id }: { actor: UserActor; id: string }): Promise<CampaignRow> {
  const campaign = await lockToSend(db, { id, scope: actor.scope })
  if (campaign.status === 'queued' || campaign.status === 'running') return campaign
  const resumed = await transition(db, { campaign, to: 'queued', set: { paused_at: null }, event: 'resumed', actor })
  await replanCampaign(db, { organizationId: campaign.organization_id, campaignId: id })
  await wakeLanes(db)
  return resumed
}

const longestWaitMs = 5000

/**
 * Waits until what was handed over before the stop has its results: then the answer means that nothing more leaves. A
 * provider that does not answer is not waited for longer than a few seconds; nothing new is started meanwhile either.
 */
export async function waitForSilence(scoped: RunTransaction, { organization_id, id }: CampaignRow): Promise<void> {
  const deadline = Date.now() + longestWaitMs
  while (Date.now() < deadline) {
    if (!(await scoped((db) => isInFlight(db, { organizationId: organization_id, campaignId: id })))) return
    await new Promise((resume) => setTimeout(resume, 50))
  }
}

/** The engine moves a campaign to running and to completed through `move_campaign`; this tells it in the timeline. */
export async function noteEngineStep(
  database: Database,
  key: CampaignKey,
  event: 'running' | 'completed',
): Promise<void> {
  await asSystem(database, async (db) => {
    const campaign = await lockByKey(db, key)
    // The move has written its event, on a connection that wakes nobody.
    notifyAfterCommit(db, eventChannel)
    if (campaign?.status === event) await recordEvent(db, { campaign, event, actor: systemActor })
  })
}
