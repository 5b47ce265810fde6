import type { CampaignDraft, VariableSource } from '@carillon/contract/campaign-records'
import type { Db } from '../../db/pool.ts'
import type { Actor, UploadedFile } from '../../http/handlers.ts'
import { badField } from '../../lib/problem.ts'
import { createAudience, type AudienceDeps } from '../audience/index.ts'
import { assertWithinReach, insertCampaign } from './drafts.ts'
import { recordEvent, type CampaignRow } from './campaigns.queries.ts'
import { enqueueValidation } from './validate-campaign.ts'

export type OneShot = {
  campaignName: string
  smsAccountId: string
  templateId: string
  numbers?: string[] | undefined
  variables: VariableSource[]
  phoneColumn?: number | undefined
  defaultCountry: string
  schedule: CampaignDraft['schedule']
}

/** The wizard in one call: the audience is checked, then the campaign is validated, and waits, ready, to be started. */
export async function createCampaign(
  db: Db,
  deps: AudienceDeps,
  { actor, input, upload }: { actor: Actor; input: OneShot; upload: UploadedFile | undefined },
): Promise<CampaignRow> {
  const { campaignName, smsAccountId, templateId, variables, schedule } = input
  if (upload && input.numbers) throw badField('numbers', 'Send either a file or a list of numbers')
  if (!upload && !input.numbers?.length) throw badField('file', 'Choose a file or enter numbers')
  await assertWithinReach(db, actor, { smsAccountId, templateId, audienceId: null })

  // One number a line: a comma inside one would make two of it.
  const numbers = input.numbers?.map((number) => number.replaceAll(/[,;\r\n\t]/g, ' ')).join('\n')
  const audience = await createAudience(db, deps, {
    actor,
    upload,
    numbers,
    phoneColumn: input.phoneColumn,
    defaultCountry: input.defaultCountry,
  })
  const draft: CampaignDraft = { campaignName, smsAccountId, templateId, audienceId: audience.id, variables, schedule }
  const campaign = await insertCampaign(db, { actor, draft, status: 'validating' })
  await recordEvent(db, { campaign, event: 'created', actor })
  // Whichever of the two ends last does the work; the other finds nothing to do.
  await enqueueValidation(db, { organizationId: campaign.organization_id, campaignId: campaign.id })
  return campaign
}
