import type { ValidatingProgress } from '@carillon/contract/campaigns'
import type { z } from 'zod'
import type { Db } from '../../../db/pool.ts'
import type { Scope } from '../../../db/scope.ts'
import { getAudience, presentAudience } from '../../audience/index.ts'
import { getCampaign } from '../campaigns.queries.ts'

const nothing = {
  processed: 0,
  total: 0,
  percent: 0,
  accepted: 0,
  invalid: 0,
  duplicate: 0,
  suppressed: 0,
  sampleErrors: [],
}

/** Progress of a campaign's audience check, and the result of its validation. */
export async function validatingProgress(
  db: Db,
  { id, scope }: { id: string; scope: Scope },
): Promise<z.input<typeof ValidatingProgress>> {
  const campaign = await getCampaign(db, { id, scope })
  const error = campaign.status_detail === null ? {} : { error: campaign.status_detail }
  if (!campaign.audience_id) return { ...nothing, status: campaign.status, ...error }
  const { processed, total, percent, accepted, invalid, duplicate, suppressed, sampleErrors } = presentAudience(
    await getAudience(db, { organizationId: campaign.organization_id, id: campaign.audience_id }),
  )
  return {
    processed,
    total,
    percent,
    accepted,
    invalid,
    duplicate,
    suppressed,
    sampleErrors,
    status: campaign.status,
    ...error,
  }
}
