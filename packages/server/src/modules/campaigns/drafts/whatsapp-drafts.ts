import type { SavedWhatsappDraft, WhatsappDraft } from '@carillon/contract/channels/whatsapp/whatsapp-campaigns'
import { fromWhatsappDraft, toWhatsappDraft } from '../../../channels/whatsapp/whatsapp-draft.ts'
import type { Db } from '../../../db/pool.ts'
import type { Scope } from '../../../db/scope.ts'
import type { UserActor } from '../../../actor.ts'
import type { UploadedFile } from '../../../http/handlers.ts'
import { notFound } from '../../../lib/problem.ts'
import type { AudienceDeps } from '../../audience/index.ts'
import { readDraft, type CampaignRow } from '../campaigns.queries.ts'
import { assertDraftInScope } from '../planning/load-draft.ts'
import { assertAudienceSource, createCampaign, type AudienceSource } from './create-campaign.ts'
import { presentSaved } from './drafts.ts'
import { findNumberOf, findWabaOf } from './find-number.ts'

export async function presentWhatsappDraft(db: Db, scope: Scope, campaign: CampaignRow): Promise<SavedWhatsappDraft> {
  const draft = readDraft(campaign)
  const { senderId } = draft.legs[0]
  const wabaId = senderId === null ? null : await findWabaOf(db, scope, senderId)
  return { ...toWhatsappDraft(draft, wabaId), ...presentSaved(campaign) }
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

/** As `createCampaign`; the number is named by WhatsApp's own ids. */
export async function createWhatsappCampaign(
  db: Db,
  deps: AudienceDeps,
  { actor, input, upload }: { actor: UserActor; input: WhatsappOneShot; upload: UploadedFile | undefined },
): Promise<CampaignRow> {
  assertAudienceSource(input, upload)
  const { waba_id, phone_number_id } = input
  const withoutNumber = draftOf(input, null)
  await assertDraftInScope(db, actor.scope, withoutNumber)
  const number = await findNumberOf(db, actor.scope, { wabaId: waba_id, phoneNumberId: phone_number_id })
  if (!number) throw notFound('Number')
  return createCampaign(db, deps, { actor, draft: draftOf(input, number.id), people: input, upload })
}

function draftOf(input: WhatsappOneShot, numberId: string | null) {
  const { campaignName, waba_id, schedule, smsFailover, smsFailoverConditions, smsCustomParams, message } = input
  return fromWhatsappDraft({
    campaignName,
    waba_id,
    numberId,
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
  })
}
