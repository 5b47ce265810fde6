import type { CampaignDraft, VariableSource } from '@carillon/contract/campaign-records'
import type { Channel } from '@carillon/contract/channels'
import type { Db } from '../../../db/pool.ts'
import type { UserActor } from '../../../actor.ts'
import type { UploadedFile } from '../../../http/handlers.ts'
import { badField } from '../../../lib/problem.ts'
import { createAudience, type AudienceDeps } from '../../audience/index.ts'
import { getChannel } from '../../../channels/index.ts'
import { assertDraftInScope } from '../planning/load-draft.ts'
import { insertCampaign } from './drafts.ts'
import { recordEvent, type CampaignRow } from '../campaigns.queries.ts'
import { enqueueValidation } from '../planning/validate-campaign.ts'

export type OneShot = AudienceSource & {
  campaignName: string
  smsAccountId: string
  templateId: string
  variables: VariableSource[]
  schedule: CampaignDraft['schedule']
  skipRecent: CampaignDraft['skipRecent']
}

/** The wizard in one call: the audience is checked, then the campaign is validated, and waits, ready, to be started. */
export async function createCampaign(
  db: Db,
  deps: AudienceDeps,
  { actor, input, upload }: { actor: UserActor; input: OneShot; upload: UploadedFile | undefined },
): Promise<CampaignRow> {
  const { campaignName, smsAccountId, templateId, variables, schedule, skipRecent } = input
  assertAudienceSource(input, upload)
  const named = { campaignName, smsAccountId, templateId, variables, schedule, skipRecent }
  await assertDraftInScope(db, actor.scope, getChannel('sms').readDraft(named))
  const audienceId = await bringAudience(db, deps, { actor, people: input, upload, channel: 'sms' })
  const draft: CampaignDraft = { ...named, audienceId }
  return validateNew(db, actor, await insertCampaign(db, { actor, draft, status: 'validating' }))
}

export type AudienceSource = {
  numbers?: string[] | undefined
  phoneColumn?: number | undefined
  defaultCountry: string
}

export function assertAudienceSource({ numbers }: AudienceSource, upload: UploadedFile | undefined) {
  if (upload && numbers) throw badField('numbers', 'Send either a file or a list of numbers')
  if (!upload && !numbers?.length) throw badField('file', 'Choose a file or enter numbers')
}

/** The audience of a file or a list of numbers; it is checked while the call is answered. */
export async function bringAudience(
  db: Db,
  deps: AudienceDeps,
  {
    actor,
    people,
    upload,
    channel,
  }: { actor: UserActor; people: AudienceSource; upload: UploadedFile | undefined; channel: Channel },
): Promise<string> {
  // One number a line: a comma inside one would make two of it.
  const numbers = people.numbers?.map((number) => number.replaceAll(/[,;\r\n\t]/g, ' ')).join('\n')
  const { phoneColumn, defaultCountry } = people
  const audience = await createAudience(db, deps, { actor, upload, numbers, phoneColumn, defaultCountry, channel })
  return audience.id
}

export async function validateNew(db: Db, actor: UserActor, campaign: CampaignRow): Promise<CampaignRow> {
  await recordEvent(db, { campaign, event: 'created', actor })
  // Whichever of the two ends last does the work; the other finds nothing to do.
  await enqueueValidation(db, { organizationId: campaign.organization_id, campaignId: campaign.id })
  return campaign
}
