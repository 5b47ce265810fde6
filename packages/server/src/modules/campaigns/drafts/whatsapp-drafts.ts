import type { SavedWhatsappDraft, WhatsappDraft } from '@carillon/contract/whatsapp-campaigns'
import type { Db } from '../../../db/pool.ts'
import type { Actor, UploadedFile } from '../../../http/handlers.ts'
import { notFound } from '../../../lib/problem.ts'
import type { AudienceDeps } from '../../audience/index.ts'
import { findAudience } from '../../audience/index.ts'
import { getFile } from '../../files/index.ts'
import { findTemplate } from '../../templates/index.ts'
import { getCampaign, lockCampaign, recordEvent, type CampaignRow } from '../campaigns.queries.ts'
import { assertPeople, bringAudience, validateNew, type People } from './create-campaign.ts'
import { assertLatest, assertOfChannel, insertCampaign, rewriteDraft, versionOf } from './drafts.ts'
import { findSmsAccount } from './sms-account.ts'
import { findNumber, findNumberOf, findWhatsappTemplate } from './whatsapp-choices.ts'
import { readWhatsappDraft } from '../planning/whatsapp-plan.ts'

export async function createWhatsappDraft(
  db: Db,
  { actor, draft }: { actor: Actor; draft: WhatsappDraft },
): Promise<CampaignRow> {
  await assertWithinScope(db, actor, draft)
  const campaign = await insertCampaign(db, { actor, draft, status: 'draft', channel: 'whatsapp' })
  await recordEvent(db, { campaign, event: 'created', actor })
  return campaign
}

/** Editing what was ready undoes its validation: it is a draft again until it is validated anew. */
export async function saveWhatsappDraft(
  db: Db,
  { actor, id, draft, version }: { actor: Actor; id: string; draft: WhatsappDraft; version?: string | undefined },
): Promise<CampaignRow> {
  const campaign = await lockCampaign(db, { id, scope: actor.scope })
  assertOfChannel(campaign, 'whatsapp')
  assertLatest(campaign, version)
  await assertWithinScope(db, actor, draft)
  return rewriteDraft(db, { actor, campaign, draft })
}

export async function getWhatsappDraft(
  db: Db,
  { actor, id }: { actor: Actor; id: string },
): Promise<SavedWhatsappDraft> {
  const campaign = await getCampaign(db, { id, scope: actor.scope })
  assertOfChannel(campaign, 'whatsapp')
  return presentWhatsappDraft(campaign)
}

export function presentWhatsappDraft(campaign: CampaignRow): SavedWhatsappDraft {
  return {
    ...readWhatsappDraft(campaign),
    _id: campaign.id,
    status: campaign.status,
    savedAt: campaign.updated_at.toISOString(),
    version: versionOf(campaign),
  }
}

export type WhatsappOneShot = People &
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
  { actor, input, upload }: { actor: Actor; input: WhatsappOneShot; upload: UploadedFile | undefined },
): Promise<CampaignRow> {
  assertPeople(input, upload)
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
  await assertWithinScope(db, actor, draft)
  const number = await findNumberOf(db, actor.scope, { wabaId: waba_id, phoneNumberId: input.phone_number_id })
  if (!number) throw notFound('Number')
  draft.numberId = number.id
  draft.audienceId = await bringAudience(db, deps, { actor, people: input, upload, channel: 'whatsapp' })
  return validateNew(db, actor, await insertCampaign(db, { actor, draft, status: 'validating', channel: 'whatsapp' }))
}

/** What a draft names must be the organisation's own, and the audience within the caller's scope. */
async function assertWithinScope(db: Db, { scope }: Actor, draft: WhatsappDraft): Promise<void> {
  const { organizationId } = scope
  const named: [id: string | null, find: (id: string) => Promise<unknown>, name: string][] = [
    [draft.numberId, (id) => findNumber(db, scope, id), 'Number'],
    [draft.templateId, (id) => findWhatsappTemplate(db, scope, id), 'Template'],
    [draft.audienceId, (id) => findAudience(db, { id, scope }), 'Audience'],
    [draft.smsAccountId, (id) => findSmsAccount(db, { organizationId, id }), 'SMS account'],
    [draft.smsTemplate, (id) => findTemplate(db, { id, scope }), 'SMS template'],
  ]
  for (const [id, find, name] of named) if (id && !(await find(id))) throw notFound(name)
  for (const id of filesOf(draft.values)) await getFile(db, { organizationId, id })
}

function filesOf({ media, cards }: WhatsappDraft['values']): string[] {
  return [media, ...cards.map((card) => card.media)].flatMap((one) =>
    one && 'fileId' in one && one.fileId ? [one.fileId] : [],
  )
}
