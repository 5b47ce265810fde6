import { getChannel } from '../../../channels/index.ts'
import type { CampaignStatus } from '@carillon/contract/campaign-records'
import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import type { Actor, UserActor } from '../../../actor.ts'
import { conflict } from '../../../lib/problem.ts'
import { assertWithinLimits } from '../../accounts/index.ts'
import { holdShares, placeHold } from '../../balance/index.ts'
import { planCampaign, skipExcluded, wakeLanes, type PlannedDay } from '../../messages/index.ts'
import { countTemplateUse } from '../../templates/index.ts'
import { assertCanBecome } from './campaign-states.ts'
import { beginTest } from '../ab-tests/ab-tests.queries.ts'
import { planDays } from '../checks/daily-limit.ts'
import { assertReviewed } from '../drafts/drafts.ts'
import { cutUnreachable } from '../reach/cut-unreachable.ts'
import { requestReach } from '../reach/reach-of-draft.ts'
import {
  announceStatus,
  lockToSend,
  readDraft,
  transition,
  updateCampaign,
  type CampaignRow,
} from '../campaigns.queries.ts'

/** The campaign as the first start has changed it; a second start returns the same. */
const alreadyStarted: readonly CampaignStatus[] = ['queued', 'running', 'paused', 'completed']

/** Starts a campaign that is ready, or a scheduled one before its time. Of concurrent starts one takes effect. */
export async function startCampaign(
  db: Db,
  { actor, id, version, now }: { actor: UserActor; id: string; version?: string | undefined; now: Date },
): Promise<CampaignRow> {
  const campaign = await lockToSend(db, { id, scope: actor.scope })
  assertReviewed(campaign, version)
  if (alreadyStarted.includes(campaign.status)) return campaign
  assertCanBecome(campaign.status, 'queued')
  return queueCampaign(db, { campaign, actor, now })
}

/** Holds the amount unless scheduling did, and cuts the audience into chunks for the sender's lane. */
export async function queueCampaign(
  db: Db,
  { campaign, actor, now }: { campaign: CampaignRow; actor: Actor; now: Date },
): Promise<CampaignRow> {
  const legs = await listLegs(db, campaign)
  assertActive(legs)
  if (campaign.expires_at && campaign.expires_at <= now)
    throw conflict('The end of the campaign has passed: choose a later one')
  await assertAudienceUnchanged(db, campaign)
  const days = await planDays(db, { campaign, senderId: legs[0].sender_id, now })

  await assertWithinLimits(db, campaign.path, {
    campaigns_running: 1,
    recipients_per_campaign: campaign.total,
    messages_per_day: campaign.total,
    messages_per_month: campaign.total,
    spend_per_day: campaign.estimated_cost,
  })
  const awaitsReach = await isReachDue(db, campaign)
  const holdId = campaign.hold_id ?? (await holdCost(db, campaign))
  const queued = await transition(db, {
    campaign,
    to: 'queued',
    set: {
      hold_id: holdId,
      started_at: now,
      awaits_reach: awaitsReach,
      status_detail: awaitsReach ? 'Checking again who can be reached' : null,
    },
    event: 'started',
    details: { people: campaign.total },
    actor,
  })
  for (const templateId of new Set(legs.map(({ template_id }) => template_id)))
    if (templateId) await countTemplateUse(db, { organizationId: campaign.organization_id, id: templateId })
  if (!awaitsReach) await cutIntoChunks(db, campaign, { legs, days, now })
  return queued
}

/** Requests a check where the answers about who can be reached are no longer recent; the campaign is sent when it has ended. */
async function isReachDue(db: Db, campaign: CampaignRow): Promise<boolean> {
  const checks = await requestReach(db, { campaign, draft: readDraft(campaign) })
  return checks.some(({ status }) => status === 'checking')
}

async function cutIntoChunks(
  db: Db,
  campaign: CampaignRow,
  { now, legs, days }: Planned & { now: Date },
): Promise<void> {
  await cutUnreachable(db, campaign)
  await planLegs(db, campaign, { legs: legs.filter(({ isRest }) => !isRest), days })
  await beginTest(db, { organizationId: campaign.organization_id, campaignId: campaign.id }, now)
  wakeLanes(db)
}

/** Sends a campaign that waited for the check. One that was stopped meanwhile is not sent. */
export async function endReachWait(db: Db, campaign: CampaignRow, now: Date): Promise<void> {
  if (campaign.status === 'queued' || campaign.status === 'paused') {
    const legs = await listLegs(db, campaign)
    assertActive(legs)
    const days = await planDays(db, { campaign, senderId: legs[0].sender_id, now })
    await cutIntoChunks(db, campaign, { legs, days, now })
  }
  await announceStatus(db, await updateCampaign(db, campaign, { awaits_reach: false, status_detail: null }))
}

async function listLegs(db: Db, campaign: CampaignRow) {
  const [first, ...others] = await db
    .selectFrom('campaign_legs')
    .innerJoin('senders', (join) =>
      join
        .onRef('senders.organization_id', '=', 'campaign_legs.organization_id')
        .onRef('senders.id', '=', 'campaign_legs.sender_id'),
    )
    .select(['leg', 'campaign_legs.sender_id', 'campaign_legs.template_id', 'senders.is_active', 'senders.name'])
    .select([
      'campaign_legs.channel',
      'lo',
      'hi',
      'variant',
      'is_rest as isRest',
      sql<boolean>`enter_reasons = '{}'`.as('isFirst'),
    ])
    .where('campaign_legs.organization_id', '=', campaign.organization_id)
    .where('campaign_id', '=', campaign.id)
    .orderBy('leg')
    .execute()
  if (!first) throw new Error(`Campaign ${campaign.id} has no leg`)
  return [first, ...others] as const
}

function assertActive(legs: readonly CampaignLeg[]) {
  for (const { channel, name, is_active } of legs)
    if (!is_active) throw conflict(`The ${getChannel(channel).senderName} ${name} is inactive: activate it first`)
}

type CampaignLeg = Awaited<ReturnType<typeof listLegs>>[number]
type Planned = { legs: readonly CampaignLeg[]; days: PlannedDay[] | undefined }

/** Cuts the initial ones of these legs into chunks: those that are not entered by failover. Writes the results of skipped recipients. */
async function planLegs(db: Db, campaign: CampaignRow, { legs, days }: Planned) {
  const { organization_id: organizationId, id: campaignId } = campaign
  for (const { leg, sender_id, lo, hi } of legs.filter(({ isFirst }) => isFirst))
    await planCampaign(db, {
      organizationId,
      campaignId,
      leg,
      senderId: sender_id,
      lo: lo ?? 0,
      hi: hi ?? campaign.total,
      weight: campaign.weight,
      days,
    })
  await skipExcluded(db, { organizationId, campaignId, legs: legs.map(({ leg }) => leg) })
}

/** Sends a variant to the recipients who are not in the test, in the transaction that chooses it. */
export async function sendRest(db: Db, campaign: CampaignRow, variant: number): Promise<void> {
  const legs = await listRest(db, campaign, variant)
  assertActive(legs)
  await planLegs(db, campaign, { legs, days: undefined })
  wakeLanes(db)
}

/** After the end of the campaign: the engine skips them, as it skips all that is too late. */
export async function skipRest(db: Db, campaign: CampaignRow): Promise<void> {
  await planLegs(db, campaign, { legs: await listRest(db, campaign, 0), days: undefined })
}

async function listRest(db: Db, campaign: CampaignRow, variant: number): Promise<CampaignLeg[]> {
  const legs = await listLegs(db, campaign)
  return legs.filter((leg) => leg.isRest && leg.variant === variant)
}

/** A different key after each unscheduling, so that a released hold is not found again. */
export async function holdCost(db: Db, campaign: CampaignRow): Promise<string> {
  const { id } = await placeHold(db, {
    organizationId: campaign.organization_id,
    accountId: campaign.created_by,
    amount: campaign.estimated_cost,
    opKey: `campaign:${campaign.id}:${campaign.run_epoch}`,
  })
  await holdShares(db, {
    organizationId: campaign.organization_id,
    campaignId: campaign.id,
    holdId: id,
    amount: campaign.estimated_cost,
  })
  return id
}

/** Locks the row that a new mapping locks as well, so that neither misses the other. */
export async function assertAudienceUnchanged(db: Db, campaign: CampaignRow) {
  const audience = await db
    .selectFrom('audiences')
    .select(['status', 'accepted'])
    .where('organization_id', '=', campaign.organization_id)
    .where('id', '=', campaign.audience_id)
    .forUpdate()
    .executeTakeFirst()
  if (audience?.status !== 'ready' || audience.accepted !== campaign.total)
    throw conflict('The audience was changed since the campaign was validated: validate it again')
}
