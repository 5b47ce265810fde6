import { sql } from 'kysely'
import { asSystem, type Database, type Db } from '../../../db/pool.ts'
import { systemActor, type UserActor } from '../../../actor.ts'
import { addJob, defineJob } from '../../../jobs/jobs.ts'
import type { Clock } from '../../../lib/clock.ts'
import { Problem } from '../../../lib/problem.ts'
import { assertWithinLimits } from '../../accounts/index.ts'
import { getAudience, type AudienceRow } from '../../audience/index.ts'
import { freezeShares } from '../../balance/index.ts'
import { freezeLinks, type LinkDeps, type LinkKeys } from '../../links/index.ts'
import type { CampaignPlan, Entrance, PlannedLeg } from './campaign-plan.ts'
import { hasBlocker } from '../checks/checks.ts'
import { assertMayEdit } from '../drafts/check-draft.ts'
import { lockByKey, lockToSend, readDraft, transition, CampaignKey, type CampaignRow } from '../campaigns.queries.ts'
import { freezeTest } from '../ab-tests/ab-tests.queries.ts'
import { freezeMembers, freezeSkips } from './leg-members.ts'
import { planCampaign } from './plan-campaign.ts'
import { requestReach } from '../reach/reach-of-draft.ts'

export const validateDraft = defineJob('campaign.validate', CampaignKey)

/** Requests the validation of a draft. The draft is read when the job runs, and cannot be edited until then. */
export async function requestValidation(db: Db, { actor, id }: { actor: UserActor; id: string }): Promise<CampaignRow> {
  const campaign = await lockToSend(db, { id, scope: actor.scope })
  assertMayEdit(readDraft(campaign), actor)
  if (campaign.status === 'validating') return campaign
  const validating = await transition(db, { campaign, to: 'validating', event: 'validation_requested', actor })
  await enqueueValidation(db, { organizationId: campaign.organization_id, campaignId: id })
  return validating
}

export async function enqueueValidation(db: Db, key: CampaignKey): Promise<void> {
  await addJob(db, validateDraft, { payload: key, jobKey: `campaign:${key.campaignId}:validate` })
}

/** Called when the validation of an audience has ended: continues the campaigns waiting for it. */
export async function resumeValidations(db: Db, { organization_id, id }: AudienceRow): Promise<void> {
  await resumeValidationsOf(db, { organizationId: organization_id, audienceId: id })
}

/** Continues the campaigns that wait for something about an audience. */
export async function resumeValidationsOf(
  db: Db,
  { organizationId, audienceId }: { organizationId: string; audienceId: string },
): Promise<void> {
  const waiting = await db
    .selectFrom('campaigns')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('audience_id', '=', audienceId)
    .where('status', '=', 'validating')
    .execute()
  for (const { id } of waiting) await enqueueValidation(db, { organizationId, campaignId: id })
}

/** Adds jobs again for validations whose process died; harmless for those running or waiting for their audience. */
export async function resumeWaiting({ database }: { database: Database }): Promise<void> {
  await asSystem(database, async (db) => {
    const waiting = await db
      .selectFrom('campaigns')
      .select(['organization_id', 'id'])
      .where('status', '=', 'validating')
      .where('updated_at', '<', sql<Date>`now() - interval '1 minute'`)
      .execute()
    for (const row of waiting) await enqueueValidation(db, { organizationId: row.organization_id, campaignId: row.id })
  })
}

/**
 * Counts the campaign over every row and freezes what it will send. Counting holds no lock; only the final write does, which
 * verifies that the campaign is still waiting for it.
 */
export async function validateCampaign(
  { database, clock, links }: { database: Database; clock: Clock; links: LinkDeps },
  key: CampaignKey,
): Promise<void> {
  const outcome = await asSystem(database, async (db) => {
    const campaign = await db
      .selectFrom('campaigns')
      .selectAll()
      .where('organization_id', '=', key.organizationId)
      .where('id', '=', key.campaignId)
      .executeTakeFirst()
    if (campaign?.status !== 'validating') return undefined
    if (await isAudienceUnderWay(db, campaign)) return undefined
    if (await isReachUnderWay(db, campaign)) return undefined
    return { campaign, ...(await planOrRefuse(db, campaign, { now: clock.now(), publicUrl: links.publicUrl() })) }
  })
  if (!outcome) return
  await asSystem(database, async (db) => {
    const campaign = await lockByKey(db, key)
    if (campaign?.status !== 'validating') return
    if ('refusal' in outcome)
      await transition(db, {
        campaign,
        to: 'failed',
        set: { status_detail: outcome.refusal },
        event: 'validation_failed',
        details: { reason: outcome.refusal },
        actor: systemActor,
      })
    else await freeze(db, campaign, { plan: outcome.plan, now: clock.now(), keys: links.keys })
  })
}

/** The end of the audience's check requests the validation again. */
async function isAudienceUnderWay(db: Db, campaign: CampaignRow): Promise<boolean> {
  if (!campaign.audience_id) return false
  const audience = await getAudience(db, { organizationId: campaign.organization_id, id: campaign.audience_id })
  return audience.status === 'reading' || audience.status === 'checking'
}

/** Requests a check of who can be reached where there is no recent one; its end requests the validation again. */
async function isReachUnderWay(db: Db, campaign: CampaignRow): Promise<boolean> {
  const checks = await requestReach(db, { campaign, draft: readDraft(campaign) })
  return checks.some(({ status }) => status === 'checking')
}

async function planOrRefuse(
  db: Db,
  campaign: CampaignRow,
  terms: Parameters<typeof planCampaign>[2],
): Promise<{ plan: CampaignPlan } | { refusal: string }> {
  try {
    const plan = await planCampaign(db, campaign, terms)
    await assertWithinLimits(db, campaign.path, { recipients_per_campaign: plan.people })
    if (!hasBlocker(plan.checks)) return { plan }
    const blockers = plan.checks.filter(({ level, id }) => level === 'blocker' && id !== 'balance')
    return { refusal: blockers.map(({ title, detail }) => `${title}. ${detail}`).join(' ') }
  } catch (error) {
    if (error instanceof Problem) return { refusal: error.message }
    throw error
  }
}

/** From here on the campaign uses the frozen content of its legs, even if template, account or rate card change. */
async function freeze(
  db: Db,
  campaign: CampaignRow,
  { plan, now, keys }: { plan: CampaignPlan; now: Date; keys: LinkKeys },
) {
  const { organization_id: organizationId, id: campaignId } = campaign
  await db
    .deleteFrom('campaign_legs')
    .where('organization_id', '=', organizationId)
    .where('campaign_id', '=', campaignId)
    .execute()
  const contents = await freezeLinks(db, { organizationId, campaignId }, { legs: plan.legs, keys })
  for (const [leg, planned] of plan.legs.entries())
    await freezeLeg(db, campaign, { ...planned, content: contents[leg] ?? planned.content, leg })
  for (const { leg, ...skips } of plan.skipped) await freezeSkips(db, { organizationId, campaignId, leg }, skips)
  await freezeTest(db, { organizationId, campaignId }, plan.test)
  await transition(db, {
    campaign,
    to: 'ready',
    set: {
      total: plan.people,
      estimated_cost: plan.cost,
      validated_at: now,
      send_window: plan.window ? JSON.stringify(plan.window) : null,
      expires_at: plan.expiresAt ?? null,
      skip_recent_hours: plan.skipRecent?.hours ?? null,
      ignores_cap: plan.ignoresCap,
      skip_recent_on_any: plan.skipRecent?.scope === 'all',
      split_over_days: plan.splitOverDays,
      expected_split: JSON.stringify(plan.split),
    },
    event: 'validated',
    details: { people: plan.people, parts: plan.parts },
    actor: systemActor,
  })
}

async function freezeLeg(
  db: Db,
  { organization_id: organizationId, id: campaignId }: CampaignRow,
  {
    leg,
    draftLeg,
    variant,
    isRest = false,
    starters,
    channel,
    senderId,
    templateId,
    content,
    category,
    isPromotion,
    isMarketing,
    country,
    range,
    price,
    billableOn,
    estimated,
    ttlSeconds,
    revokeGraceSeconds,
    window,
    entrance,
    members,
  }: PlannedLeg & { leg: number },
) {
  await db
    .insertInto('campaign_legs')
    .values({
      organization_id: organizationId,
      campaign_id: campaignId,
      leg,
      draft_leg: draftLeg,
      starters,
      variant: variant ?? null,
      is_rest: isRest,
      channel,
      sender_id: senderId,
      template_id: templateId,
      content: JSON.stringify(content),
      country,
      lo: range?.lo ?? null,
      hi: range?.hi ?? null,
      price,
      billable_on: billableOn,
      category,
      is_marketing: isMarketing,
      is_promotion: isPromotion,
      estimated,
      ttl_seconds: ttlSeconds ?? null,
      revoke_grace_seconds: revokeGraceSeconds ?? null,
      send_window: window ? JSON.stringify(window) : null,
      ...(entrance && entranceColumns(entrance)),
    })
    .execute()
  await freezeShares(db, { organizationId, campaignId, leg, price, channel, category, country })
  if (members) await freezeMembers(db, { organizationId, campaignId, leg }, members)
}

function entranceColumns({ reasons, afterSeconds, unless, delaySeconds = 0 }: Entrance) {
  return {
    enter_reasons: reasons,
    enter_after_seconds: afterSeconds,
    enter_unless: unless,
    enter_delay_seconds: delaySeconds,
  }
}
