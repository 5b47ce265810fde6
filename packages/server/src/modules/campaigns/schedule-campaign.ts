import { asSystem, type Database, type Db } from '../../db/pool.ts'
import type { Actor } from '../../http/handlers.ts'
import { enqueue } from '../../jobs/jobs.ts'
import type { Clock } from '../../lib/clock.ts'
import { badField, conflict, Problem } from '../../lib/problem.ts'
import { assertMaySend } from '../accounts/index.ts'
import { releaseHold } from '../balance/index.ts'
import {
  lockByKey,
  lockCampaign,
  lockToSend,
  transition,
  updateCampaign,
  type CampaignKey,
  type CampaignRow,
} from './campaigns.queries.ts'
import { assertReviewed } from './drafts.ts'
import { assertAudienceUnchanged, holdCost, queueCampaign } from './start-campaign.ts'

declare module '../../jobs/jobs.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface JobPayloads {
    'campaign.start-scheduled': Record<string, never>
  }
}

const furthestMs = 366 * 24 * 3_600_000

export type NewSchedule = {
  actor: Actor
  id: string
  startAt: string | undefined
  timezone: string
  version?: string | undefined
  now: Date
}

/** The money is set aside now, so that a campaign planned for the night does not fail for want of it. */
export async function scheduleCampaign(
  db: Db,
  { actor, id, startAt, timezone, version, now }: NewSchedule,
): Promise<CampaignRow> {
  const lock = startAt === undefined ? lockCampaign : lockToSend
  const campaign = await lock(db, { id, reach: actor.reach })
  assertReviewed(campaign, version)
  if (startAt === undefined) return unscheduleCampaign(db, { campaign, actor })

  const at = new Date(startAt)
  if (at <= now) throw badField('startAt', 'Choose a time that is still to come')
  if (at.getTime() - now.getTime() > furthestMs) throw badField('startAt', 'Choose a time within a year')
  if (campaign.expires_at && campaign.expires_at <= at)
    throw badField('startAt', 'The campaign would end before it begins')

  const when = { schedule_at: at, timezone, draft: draftAt(campaign, startAt, timezone) }
  const scheduled =
    campaign.status === 'scheduled'
      ? await updateCampaign(db, campaign, when)
      : await scheduleReady(db, { campaign, when, actor })
  await enqueue(db, { name: 'campaign.start-scheduled', payload: {}, jobKey: `campaign:${id}:start`, runAt: at })
  return scheduled
}

type When = { schedule_at: Date; timezone: string; draft: string }

async function scheduleReady(
  db: Db,
  { campaign, when, actor }: { campaign: CampaignRow; when: When; actor: Actor },
): Promise<CampaignRow> {
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
  { campaign, actor }: { campaign: CampaignRow; actor: Actor },
): Promise<CampaignRow> {
  if (campaign.status === 'ready') return campaign
  if (campaign.status !== 'scheduled') throw conflict('This campaign is not scheduled')
  if (campaign.hold_id) await releaseHold(db, { organizationId: campaign.organization_id, holdId: campaign.hold_id })
  const set = {
    hold_id: null,
    schedule_at: null,
    run_epoch: campaign.run_epoch + 1,
    draft: draftAt(campaign, undefined, campaign.timezone),
  }
  return transition(db, { campaign, to: 'ready', set, event: 'unscheduled', actor })
}

function draftAt(campaign: CampaignRow, startAt: string | undefined, timezone: string): string {
  // Every channel's draft is an object with a schedule.
  const draft = campaign.draft as object
  return JSON.stringify({ ...draft, schedule: startAt === undefined ? { timezone } : { startAt, timezone } })
}

/** Starts what is due. Asked for at each campaign's own time, and every minute in case that was missed. */
export async function startScheduled({ database, clock }: { database: Database; clock: Clock }): Promise<void> {
  const due = await asSystem(database, (db) => listDue(db, clock.now()))
  for (const key of due) {
    try {
      await asSystem(database, (db) => startDue(db, key, clock.now()))
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      await asSystem(database, (db) => sayWhyItWaits(db, key, error.message))
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
    await queueCampaign(db, { campaign, actor: undefined, now })
}

async function sayWhyItWaits(db: Db, key: CampaignKey, reason: string) {
  const campaign = await lockByKey(db, key)
  if (campaign?.status === 'scheduled') await updateCampaign(db, campaign, { status_detail: reason })
}
