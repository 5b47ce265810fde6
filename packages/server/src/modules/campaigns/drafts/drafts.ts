import { truncate } from '@carillon/contract/text'
import { createHash } from 'node:crypto'
import type { SavedDraft } from '@carillon/contract/campaign-drafts'
import type { CampaignDraft } from '@carillon/contract/draft-legs'
import type { Db } from '../../../db/pool.ts'
import type { UserActor } from '../../../actor.ts'
import { newId } from '../../../lib/ids.ts'
import { badField, conflict } from '../../../lib/problem.ts'
import { findAudience } from '../../audience/index.ts'
import {
  getCampaign,
  lockCampaign,
  readDraft,
  recordEvent,
  transition,
  updateCampaign,
  type CampaignRow,
} from '../campaigns.queries.ts'
import { assertDraftInScope } from '../planning/load-draft.ts'
import { assertMayEdit, checkDraft, parseLegs } from './check-draft.ts'

/** The campaign begins on the channel of its first leg. */
export async function createDraft(
  db: Db,
  { actor, draft: sent }: { actor: UserActor; draft: CampaignDraft },
): Promise<CampaignRow> {
  const draft = checkDraft(sent, actor)
  await assertDraftInScope(db, actor.scope, draft)
  const campaign = await insertCampaign(db, { actor, draft, status: 'draft' })
  await recordEvent(db, { campaign, event: 'created', actor })
  return campaign
}

export async function getDraft(db: Db, { actor, id }: { actor: UserActor; id: string }): Promise<CampaignRow> {
  const campaign = await getCampaign(db, { id, scope: actor.scope })
  assertMayEdit(readDraft(campaign), actor)
  return campaign
}

/** Editing a ready campaign returns it to draft until it is validated again. */
export async function saveDraft(
  db: Db,
  {
    actor,
    id,
    draft: sent,
    version,
  }: { actor: UserActor; id: string; draft: CampaignDraft; version?: string | undefined },
): Promise<CampaignRow> {
  const campaign = await lockCampaign(db, { id, scope: actor.scope })
  assertMayEdit(readDraft(campaign), actor)
  const draft = checkDraft(sent, actor)
  if (!draft.isUnified && draft.legs[0].channel !== campaign.channel)
    throw badField('legs.0.channel', 'The channel of a campaign cannot be changed: create another campaign')
  assertLatest(campaign, version)
  await assertDraftInScope(db, actor.scope, draft)
  return rewriteDraft(db, { actor, campaign, draft })
}

/** Rejects a save based on a version that another user has since replaced. */
function assertLatest(campaign: CampaignRow, version: string | undefined) {
  if (version !== undefined && version !== versionOf(campaign))
    throw conflict('This draft was changed in another tab or by someone else: reload it')
}

async function rewriteDraft(
  db: Db,
  { actor, campaign, draft }: { actor: UserActor; campaign: CampaignRow; draft: CampaignDraft },
): Promise<CampaignRow> {
  const saved = columnsOf(draft)
  if (campaign.status === 'draft') return updateCampaign(db, campaign, saved)
  if (campaign.started_at) throw conflict('A campaign that was started cannot be edited')
  if (campaign.status === 'scheduled')
    throw conflict('This campaign is scheduled: choose Edit in its menu to unschedule it first')
  return transition(db, { campaign, to: 'draft', set: { ...saved, validated_at: null }, event: 'reopened', actor })
}

/** Copies audience, template and variables, without dates. */
export async function duplicateCampaign(db: Db, { actor, id }: { actor: UserActor; id: string }): Promise<CampaignRow> {
  const original = await getDraft(db, { actor, id })
  const copy = copyDraft(readDraft(original), { prefix: 'Copy of' })
  if (copy.audienceId && !(await findAudience(db, { id: copy.audienceId, scope: actor.scope }))) copy.audienceId = null
  const campaign = await insertCampaign(db, { actor, draft: copy, status: 'draft' })
  await recordEvent(db, { campaign, event: 'created', details: { copyOf: original.id }, actor })
  return campaign
}

/** Copies a draft under a prefixed name, without its dates. */
export function copyDraft(original: CampaignDraft, { prefix }: { prefix: string }): CampaignDraft {
  const { expiresAt: _, ...draft } = original
  const campaignName = truncate(`${prefix} ${draft.campaignName}`, 120)
  return { ...draft, campaignName, schedule: { timezone: draft.schedule.timezone } }
}

export async function insertCampaign(
  db: Db,
  { actor, draft, status }: { actor: UserActor; draft: CampaignDraft; status: 'draft' | 'validating' },
): Promise<CampaignRow> {
  return db
    .insertInto('campaigns')
    .values({
      organization_id: actor.organizationId,
      id: newId(),
      path: actor.scope.path,
      status,
      created_by: actor.accountId,
      ...columnsOf(draft),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

function columnsOf(draft: CampaignDraft) {
  return {
    name: draft.campaignName,
    channel: draft.legs[0].channel,
    draft: JSON.stringify(draft),
    audience_id: draft.audienceId,
    timezone: draft.schedule.timezone,
    expires_at: draft.expiresAt ?? null,
  }
}

export function presentDraft(campaign: CampaignRow): SavedDraft {
  return {
    // Values for a deleted template are dropped.
    ...parseLegs(readDraft(campaign)),
    _id: campaign.id,
    status: campaign.status,
    savedAt: campaign.updated_at.toISOString(),
    version: versionOf(campaign),
  }
}

/** A hash of what is sent, not of the save time: a reverted change is no change. */
export function versionOf(campaign: CampaignRow): string {
  return createHash('sha256').update(JSON.stringify(campaign.draft)).digest('base64url')
}

/** The campaign may have been changed between review and start. */
export function assertReviewed(campaign: CampaignRow, version: string | undefined): void {
  if (version !== undefined && version !== versionOf(campaign))
    throw conflict('The campaign changed since you reviewed it: review it again')
}
