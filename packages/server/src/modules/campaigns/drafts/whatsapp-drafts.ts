import { WhatsappDraft, type SavedWhatsappDraft } from '@carillon/contract/channels/whatsapp/whatsapp-campaigns'
import { getChannel } from '../../../channels/index.ts'
import type { Db } from '../../../db/pool.ts'
import type { UserActor } from '../../../actor.ts'
import type { UploadedFile } from '../../../http/handlers.ts'
import { notFound } from '../../../lib/problem.ts'
import type { AudienceDeps } from '../../audience/index.ts'
import { getCampaign, lockCampaign, recordEvent, type CampaignRow } from '../campaigns.queries.ts'
import { assertAudienceSource, bringAudience, validateNew, type AudienceSource } from './create-campaign.ts'
import { assertLatest, assertOfChannel, insertCampaign, rewriteDraft, versionOf } from './drafts.ts'
import { findNumberOf } from './find-number.ts'
import { assertDraftInScope } from '../planning/load-draft.ts'

export async function createWhatsappDraft(
  db: Db,
  { actor, draft }: { actor: UserActor; draft: WhatsappDraft },
): Promise<CampaignRow> {
  await assertDraftInScope(db, actor.scope, getChannel('whatsapp').readDraft(draft))
  const campaign = await insertCampaign(db, { actor, draft, status: 'draft', channel: 'whatsapp' })
  await recordEvent(db, { campaign, event: 'created', actor })
  return campaign
}

/** Editing a ready campaign returns it to draft until it is validated again. */
export async function saveWhatsappDraft(
  db: Db,
  { actor, id, draft, version }: { actor: UserActor; id: string; draft: WhatsappDraft; version?: string | undefined },
): Promise<CampaignRow> {
  const campaign = await lockCampaign(db, { id, scope: actor.scope })
  assertOfChannel(campaign, 'whatsapp')
  assertLatest(campaign, version)
  await assertDraftInScope(db, actor.scope, getChannel('whatsapp').readDraft(draft))
  return rewriteDraft(db, { actor, campaign, draft })
}

export async function getWhatsappDraft(
  db: Db,
  { actor, id }: { actor: UserActor; id: string },
): Promise<SavedWhatsappDraft> {
  const campaign = await getCampaign(db, { id, scope: actor.scope })
  assertOfChannel(campaign, 'whatsapp')
  return presentWhatsappDraft(campaign)
}

export function presentWhatsappDraft(campaign: CampaignRow): SavedWhatsappDraft {
  return {
    ...WhatsappDraft.parse(campaign.draft),
    _id: campaign.id,
    status: campaign.status,
    savedAt: campaign.updated_at.toISOString(),
    version: versionOf(campaign),
  }
}

export type WhatsappOneShot = AudienceSource &
  Pick<
    WhatsappDraft,
    | 'campaignName'
    | 'schedule'
    | 'skipRecent'
    | 'splitOverDays'
    | 'smsFailover'
    | 'smsFailoverConditions'
    | 'smsCustomParams'
  > & {
    waba_id: string
    phone_number_id?: string | undefined
    message: { templateId: string; values: WhatsappDraft['values'] }
    smsTemplate?: string | undefined
    smsAccountId?: string | undefined
  }

/** The wizard in one call: the audience is checked, then the campaign is validated, and waits, ready, to be started. */
export async function createWhatsappCampaign(
  db: Db,
  deps: AudienceDeps,
  { actor, input, upload }: { actor: UserActor; input: WhatsappOneShot; upload: UploadedFile | undefined },
): Promise<CampaignRow> {
  assertAudienceSource(input, upload)
  const { campaignName, waba_id, schedule, smsFailover, smsFailoverConditions, smsCustomParams, message } = input
  const draft: WhatsappDraft = {
    campaignName,
    waba_id,
    numberId: null,
    templateId: message.templateId,
    audienceId: null,
    values: message.values,
    smsFailover,
    smsFailoverConditions,
    smsTemplate: input.smsTemplate ?? null,
    smsAccountId: input.smsAccountId ?? null,
    smsCustomParams,
    schedule,
    skipRecent: input.skipRecent,
    splitOverDays: input.splitOverDays,
  }
  await assertDraftInScope(db, actor.scope, getChannel('whatsapp').readDraft(draft))
  const number = await findNumberOf(db, actor.scope, { wabaId: waba_id, phoneNumberId: input.phone_number_id })
  if (!number) throw notFound('Number')
  draft.numberId = number.id
  draft.audienceId = await bringAudience(db, deps, { actor, people: input, upload, channel: 'whatsapp' })
  return validateNew(db, actor, await insertCampaign(db, { actor, draft, status: 'validating', channel: 'whatsapp' }))
}
