import type { CampaignDraft } from '@carillon/contract/draft-legs'
import type { Channel } from '@carillon/contract/channels'
import type { Db } from '../../../db/pool.ts'
import type { UserActor } from '../../../actor.ts'
import type { UploadedFile } from '../../../http/handlers.ts'
import { badField } from '../../../lib/problem.ts'
import { createAudience, type AudienceDeps } from '../../audience/index.ts'
import { assertDraftInScope } from '../planning/load-draft.ts'
import { checkDraft } from './check-draft.ts'
import { insertCampaign } from './drafts.ts'
import { recordEvent, type CampaignRow } from '../campaigns.queries.ts'
import { enqueueValidation } from '../planning/validate-campaign.ts'

type OneShot = { draft: CampaignDraft; people: AudienceSource; upload: UploadedFile | undefined }

/** Creates a campaign in one call: the audience is checked, then the campaign is validated and becomes ready to start. */
export async function createCampaign(
  db: Db,
  deps: AudienceDeps,
  { actor, draft: sent, people, upload }: OneShot & { actor: UserActor },
): Promise<CampaignRow> {
  assertAudienceSource(people, upload)
  const draft = checkDraft(sent, actor)
  await assertDraftInScope(db, actor.scope, draft)
  const audienceId = await createAudienceOf(db, deps, { actor, people, upload, channel: draft.legs[0].channel })
  const campaign = await insertCampaign(db, { actor, draft: { ...draft, audienceId }, status: 'validating' })
  await recordEvent(db, { campaign, event: 'created', actor })
  // Both the end of the audience's check and this job request the validation; the later request has no effect.
  await enqueueValidation(db, { organizationId: campaign.organization_id, campaignId: campaign.id })
  return campaign
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

/** An audience from a file or a list of numbers; it is checked after the response. */
async function createAudienceOf(
  db: Db,
  deps: AudienceDeps,
  {
    actor,
    people,
    upload,
    channel,
  }: { actor: UserActor; people: AudienceSource; upload: UploadedFile | undefined; channel: Channel },
): Promise<string> {
  // One number per line: a comma within one would split it.
  const numbers = people.numbers?.map((number) => number.replaceAll(/[,;\r\n\t]/g, ' ')).join('\n')
  const { phoneColumn, defaultCountry } = people
  const audience = await createAudience(db, deps, { actor, upload, numbers, phoneColumn, defaultCountry, channel })
  return audience.id
}
