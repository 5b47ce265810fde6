import { asSystem, notifyAfterCommit, type Database, type Db, type RunTransaction } from '../../../db/pool.ts'
import { eventChannel } from '../../../events/domain-events.ts'
import { systemActor, type UserActor } from '../../../actor.ts'
import type { PauseReason } from '@carillon/contract/campaign-records'
import { releaseHold } from '../../balance/index.ts'
import { moveTest } from '../ab-tests/ab-tests.queries.ts'
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
 * Sending stops because the epoch is incremented: no watermark moves under an older epoch. A campaign that never started is
 * discarded and its hold released immediately; a started one is cancelled, and the engine releases the rest of the hold once
 * in-flight messages have results.
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
  await moveTest(db, { organizationId: campaign.organization_id, campaignId: id }, { phase: 'none' })
  wakeLanes(db)
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
  wakeLanes(db)
  return paused
}

/** Resumes the campaign, taking turns with others on the lane. */
export async function resumeCampaign(db: Db, { actor, id }: { actor: UserActor; id: string }): Promise<CampaignRow> {
  const campaign = await lockToSend(db, { id, scope: actor.scope })
  if (campaign.status === 'queued' || campaign.status === 'running') return campaign
  const resumed = await transition(db, { campaign, to: 'queued', set: { paused_at: null }, event: 'resumed', actor })
  await replanCampaign(db, { organizationId: campaign.organization_id, campaignId: id })
  wakeLanes(db)
  return resumed
}

const longestWaitMs = 5000

/**
 * Waits until in-flight messages have results, so that the response means that nothing more is sent. Waits only a few seconds
 * for a provider that does not respond; nothing new is handed over meanwhile.
 */
export async function waitForSilence(scoped: RunTransaction, { organization_id, id }: CampaignRow): Promise<void> {
  const deadline = Date.now() + longestWaitMs
  while (Date.now() < deadline) {
    if (!(await scoped((db) => isInFlight(db, { organizationId: organization_id, campaignId: id })))) return
    await new Promise((resume) => setTimeout(resume, 50))
  }
}

/** The engine sets campaigns running and completed through `move_campaign`; this adds the timeline event. */
export async function noteEngineStep(
  database: Database,
  key: CampaignKey,
  event: 'running' | 'completed',
): Promise<void> {
  await asSystem(database, async (db) => {
    const campaign = await lockByKey(db, key)
    // The statement has written its event, but its connection notifies no followers.
    notifyAfterCommit(db, eventChannel)
    if (campaign?.status === event) await recordEvent(db, { campaign, event, actor: systemActor })
  })
}
