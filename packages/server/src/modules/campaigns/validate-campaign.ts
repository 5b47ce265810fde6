import { sql } from 'kysely'
import { asSystem, type Database, type Db } from '../../db/pool.ts'
import type { Actor } from '../../http/handlers.ts'
import { enqueue } from '../../jobs/jobs.ts'
import type { Clock } from '../../lib/clock.ts'
import { Problem } from '../../lib/problem.ts'
import { assertWithinLimits } from '../accounts/index.ts'
import { getAudience, type AudienceRow } from '../audience/index.ts'
import { freezeShares } from '../balance/index.ts'
import { hasBlocker } from './checks.ts'
import {
  lockByKey,
  lockToSend,
  readDraft,
  transition,
  type CampaignKey,
  type CampaignRow,
} from './campaigns.queries.ts'
import { loadChoices, reckon, type Reckoning } from './estimate.ts'
import { windowFor } from './send-window.ts'

declare module '../../jobs/jobs.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface JobPayloads {
    'campaign.validate': CampaignKey
  }
}

/** Asks for the validation of a draft. What it is validated with is read when the job runs, and cannot be edited until then. */
export async function requestValidation(db: Db, { actor, id }: { actor: Actor; id: string }): Promise<CampaignRow> {
  const campaign = await lockToSend(db, { id, reach: actor.reach })
  if (campaign.status === 'validating') return campaign
  const validating = await transition(db, { campaign, to: 'validating', event: 'validation_requested', actor })
  await enqueueValidation(db, { organizationId: campaign.organization_id, campaignId: id })
  return validating
}

export async function enqueueValidation(db: Db, key: CampaignKey): Promise<void> {
  await enqueue(db, { name: 'campaign.validate', payload: key, jobKey: `campaign:${key.campaignId}:validate` })
}

/** Called when the checking of an audience has ended: campaigns that waited for it go on. */
export async function resumeValidations(db: Db, audience: AudienceRow): Promise<void> {
  const waiting = await db
    .selectFrom('campaigns')
    .select('id')
    .where('organization_id', '=', audience.organization_id)
    .where('audience_id', '=', audience.id)
    .where('status', '=', 'validating')
    .execute()
  for (const { id } of waiting)
    await enqueueValidation(db, { organizationId: audience.organization_id, campaignId: id })
}

/** Asks again for validations whose process died. One that is under way or waits for its audience is not harmed by it. */
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
 * Counts the campaign over every row and freezes what it will send. The counting holds no lock; only its end does, and
 * finds out whether the campaign still waits for it.
 */
export async function validateCampaign(
  { database, clock }: { database: Database; clock: Clock },
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
    return { campaign, ...(await judge(db, campaign, clock.now())) }
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
        actor: undefined,
      })
    else await freeze(db, campaign, { reckoning: outcome.reckoning, now: clock.now() })
  })
}

/** The end of its checking asks for the validation again. */
async function isAudienceUnderWay(db: Db, campaign: CampaignRow): Promise<boolean> {
  if (!campaign.audience_id) return false
  const audience = await getAudience(db, { organizationId: campaign.organization_id, id: campaign.audience_id })
  return audience.status === 'reading' || audience.status === 'checking'
}

async function judge(
  db: Db,
  campaign: CampaignRow,
  now: Date,
): Promise<{ reckoning: Reckoning } | { refusal: string }> {
  const reach = {
    organizationId: campaign.organization_id,
    path: await pathOfOrganization(db, campaign),
    descends: false,
  }
  try {
    const choices = await loadChoices(db, reach, readDraft(campaign))
    const reckoning = await reckon(db, {
      choices,
      payer: { organizationId: campaign.organization_id, accountId: campaign.created_by },
      now,
    })
    await assertWithinLimits(db, campaign.path, { recipients_per_campaign: reckoning.count.people })
    if (!hasBlocker(reckoning.checks)) return { reckoning }
    const blockers = reckoning.checks.filter(({ level, id }) => level === 'blocker' && id !== 'balance')
    return { refusal: blockers.map(({ title, detail }) => `${title}. ${detail}`).join(' ') }
  } catch (error) {
    if (error instanceof Problem) return { refusal: error.message }
    throw error
  }
}

/** The draft's references were held against its editor's reach when it was saved; here the organisation is the limit. */
async function pathOfOrganization(db: Db, campaign: CampaignRow): Promise<string> {
  const { path } = await db
    .selectFrom('accounts')
    .select('path')
    .where('id', '=', campaign.organization_id)
    .executeTakeFirstOrThrow()
  return path
}

/** From here on the campaign sends what stands in its legs, whatever becomes of template, account and rate card. */
async function freeze(db: Db, campaign: CampaignRow, { reckoning, now }: { reckoning: Reckoning; now: Date }) {
  const { choices, rate, cost, count } = reckoning
  const { account, content, category, template, draft } = choices
  const { organization_id: organizationId, id: campaignId } = campaign
  const frozen = {
    header: content.header,
    body: content.body,
    variables: draft.variables,
    names: content.variables.map(({ name }) => name),
    category,
    entityId: content.entityId ?? account.entity_id,
    dltTemplateId: content.dltTemplateId ?? null,
  }
  await db
    .deleteFrom('campaign_legs')
    .where('organization_id', '=', organizationId)
    .where('campaign_id', '=', campaignId)
    .execute()
  await db
    .insertInto('campaign_legs')
    .values({
      organization_id: organizationId,
      campaign_id: campaignId,
      leg: 0,
      channel: 'sms',
      sender_id: account.id,
      template_id: template.id,
      content: JSON.stringify(frozen),
      price: rate?.price ?? 0,
      billable_on: rate?.billableOn ?? 'sent',
    })
    .execute()
  await freezeShares(db, {
    organizationId,
    campaignId,
    leg: 0,
    price: rate?.price ?? 0,
    channel: 'sms',
    category,
    country: choices.audience.default_country,
  })
  const window = windowFor(category, draft.sendWindow)
  await transition(db, {
    campaign,
    to: 'ready',
    set: {
      total: count.people,
      estimated_cost: cost,
      validated_at: now,
      send_window: window ? JSON.stringify(window) : null,
      expires_at: draft.expiresAt ?? null,
    },
    event: 'validated',
    details: { people: count.people, parts: count.parts },
    actor: undefined,
  })
}
