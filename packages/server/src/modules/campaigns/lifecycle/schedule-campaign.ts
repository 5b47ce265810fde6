import type { CampaignStatus } from '@carillon/contract/campaign-records'
import { asSystem, type Database, type Db } from '../../../db/pool.ts'
import { systemActor, type UserActor } from '../../../actor.ts'
import { addJob, defineJob, noPayload } from '../../../jobs/jobs.ts'
import type { Clock } from '../../../lib/clock.ts'
import { badField, conflict, Problem } from '../../../lib/problem.ts'
import { assertMaySend } from '../../accounts/index.ts'
import { releaseHold } from '../../balance/index.ts'
import {
  lockByKey,
  lockCampaign,
  lockToSend,
  readDraft,
  recordEvent,
  transition,
  updateCampaign,
  type CampaignKey,
  type CampaignRow,
} from '../campaigns.queries.ts'
import { assertReviewed } from '../drafts/drafts.ts'
import { Hours, nextOpen } from '../checks/send-window.ts'
import { assertAudienceUnchanged, holdCost, queueCampaign } from './start-campaign.ts'

export const startScheduledCampaigns = defineJob('campaign.start-scheduled', noPayload)

const furthestMs = 366 * 24 * 3_600_000

export type NewSchedule = {
  actor: UserActor
  id: string
  startAt: string | undefined
  timezone: string
  version?: string | undefined
  now: Date
}

/** The amount is held now, so that a scheduled start does not fail for lack of balance. */
export async function scheduleCampaign(
  db: Db,
  { actor, id, startAt, timezone, version, now }: NewSchedule,
): Promise<CampaignRow> {
  const lock = startAt === undefined ? lockCampaign : lockToSend
  const campaign = await lock(db, { id, scope: actor.scope })
  assertReviewed(campaign, version)
  if (startAt === undefined) return unscheduleCampaign(db, { campaign, actor })

  const at = new Date(startAt)
  const { refusal } = planStart(campaign, at, now)
  if (refusal) throw badField('startAt', refusal)

  const when = { schedule_at: at, timezone, draft: draftAt(campaign, startAt, timezone) }
  const scheduled =
    campaign.status === 'scheduled'
      ? await reschedule(db, { campaign, when, actor })
      : await scheduleReady(db, { campaign, when, actor })
  await addJob(db, startScheduledCampaigns, { payload: {}, jobKey: `campaign:${id}:start`, runAt: at })
  return scheduled
}

/** When a campaign that starts at this time would send, or why it cannot start then. */
export function planStart(
  campaign: Pick<CampaignRow, 'expires_at' | 'send_window'>,
  at: Date,
  now: Date,
): { beginsAt: Date; window: Hours | undefined; refusal: string | undefined } {
  const window = Hours.optional().parse(campaign.send_window ?? undefined)
  const beginsAt = nextOpen(window, at)
  return { beginsAt, window, refusal: refusalOf({ at, beginsAt, now, end: campaign.expires_at }) }
}

function refusalOf({ at, beginsAt, now, end }: Record<'at' | 'beginsAt' | 'now', Date> & { end: Date | null }) {
  if (at <= now) return 'Choose a time in the future'
  if (at.getTime() - now.getTime() > furthestMs) return 'Choose a time within a year'
  if (end && end <= beginsAt) return 'The campaign would end before it begins'
  return undefined
}

type When = { schedule_at: Date; timezone: string; draft: string }
type Scheduling = { campaign: CampaignRow; when: When; actor: UserActor }

/** The hold is kept, since neither recipients nor prices have changed. */
async function reschedule(db: Db, { campaign, when, actor }: Scheduling): Promise<CampaignRow> {
  const rescheduled = await updateCampaign(db, campaign, { ...when, status_detail: null })
  if (campaign.schedule_at?.getTime() !== when.schedule_at.getTime())
    await recordEvent(db, {
      campaign,
      event: 'rescheduled',
      details: { startAt: when.schedule_at.toISOString(), before: campaign.schedule_at?.toISOString() ?? '' },
      actor,
    })
  return rescheduled
}

async function scheduleReady(db: Db, { campaign, when, actor }: Scheduling): Promise<CampaignRow> {
  if (campaign.started_at) throw conflict('The campaign has already started: its time can no longer be changed')
  if (campaign.status !== 'ready') throw conflict('Only a campaign that is ready can be scheduled')
  await assertAudienceUnchanged(db, campaign)
  const hold_id = await holdCost(db, campaign)
  return transition(db, {
    campaign,
    to: 'scheduled',
    set: { ...when, hold_id },
    event: 'scheduled',
    details: { startAt: when.schedule_at.toISOString() },
    actor,
  })
}

async function unscheduleCampaign(
  db: Db,
  { campaign, actor }: { campaign: CampaignRow; actor: UserActor },
): Promise<CampaignRow> {
  if (campaign.status === 'ready') return campaign
  if (campaign.status !== 'scheduled') throw conflict('This campaign is not scheduled')
  const set = { ...(await releaseHoldOf(db, campaign)), draft: draftAt(campaign, undefined, campaign.timezone) }
  return transition(db, { campaign, to: 'ready', set, event: 'unscheduled', actor })
}

const editable: readonly CampaignStatus[] = ['draft', 'ready', 'failed']

/**
 * Unschedules a campaign for editing: it becomes a draft that remembers its time. A concurrent start takes precedence; a later
 * one finds nothing to start.
 */
export async function reopenCampaign(db: Db, { actor, id }: { actor: UserActor; id: string }): Promise<CampaignRow> {
  const campaign = await lockCampaign(db, { id, scope: actor.scope })
  if (campaign.started_at)
    throw conflict('The campaign has already started and cannot be edited. Pause or cancel it instead.')
  if (editable.includes(campaign.status)) return campaign
  const set = { ...(await releaseHoldOf(db, campaign)), validated_at: null }
  return transition(db, { campaign, to: 'draft', set, event: 'taken_back', actor })
}

/** Releases the hold. A later hold of the campaign gets another idempotency key. */
async function releaseHoldOf(db: Db, { organization_id, hold_id, run_epoch }: CampaignRow) {
  if (hold_id) await releaseHold(db, { organizationId: organization_id, holdId: hold_id })
  return { hold_id: null, schedule_at: null, run_epoch: run_epoch + 1 }
}

function draftAt(campaign: CampaignRow, startAt: string | undefined, timezone: string): string {
  return JSON.stringify({
    ...readDraft(campaign),
    schedule: startAt === undefined ? { timezone } : { startAt, timezone },
  })
}

/** Starts due campaigns. Triggered at each campaign's own time, and every minute in case that was missed. */
export async function startScheduled({ database, clock }: { database: Database; clock: Clock }): Promise<void> {
  const due = await asSystem(database, (db) => listDue(db, clock.now()))
  for (const key of due) {
    try {
      await asSystem(database, (db) => startDue(db, key, clock.now()))
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      await asSystem(database, (db) => recordWaitReason(db, key, error.message))
    }
  }
}

type Due = CampaignKey & { path: string }

async function listDue(db: Db, now: Date): Promise<Due[]> {
  const rows = await db
    .selectFrom('campaigns')
    .select(['organization_id', 'id', 'path'])
    .where('status', '=', 'scheduled')
    .where('schedule_at', '<=', now)
    .orderBy('schedule_at')
    .limit(1000)
    .execute()
  return rows.map((row) => ({ organizationId: row.organization_id, campaignId: row.id, path: row.path }))
}

async function startDue(db: Db, key: Due, now: Date) {
  await assertMaySend(db, key.path)
  const campaign = await lockByKey(db, key)
  if (campaign?.status === 'scheduled' && campaign.schedule_at && campaign.schedule_at <= now)
    await queueCampaign(db, { campaign, actor: systemActor, now })
}

async function recordWaitReason(db: Db, key: CampaignKey, reason: string) {
  const campaign = await lockByKey(db, key)
  if (campaign?.status === 'scheduled') await updateCampaign(db, campaign, { status_detail: reason })
}
