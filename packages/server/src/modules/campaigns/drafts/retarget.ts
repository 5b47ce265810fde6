import type { UserActor } from '../../../actor.ts'
import type { Db } from '../../../db/pool.ts'
import { conflict } from '../../../lib/problem.ts'
import type { AudienceDeps } from '../../audience/index.ts'
import { findListedCampaign, readChosen, type RecipientFilter } from '../../messages/index.ts'
import { getCampaign } from '../campaigns.queries.ts'
import { assertRecipientFilter } from '../reads/responses.ts'
import { draftForRecipients, hasEnded, type DraftForRecipients } from './draft-for-recipients.ts'

/** Creates a draft like the campaign for its recipients of a filter, to be sent another message. */
export async function retarget(
  db: Db,
  deps: AudienceDeps,
  { actor, id, filter }: { actor: UserActor; id: string; filter: RecipientFilter },
): Promise<DraftForRecipients> {
  assertRecipientFilter(filter)
  const original = await getCampaign(db, { id, scope: actor.scope })
  if (!hasEnded(original)) throw conflict('Wait until the campaign has ended: its recipients still change')
  const listed = await findListedCampaign(db, { organizationId: original.organization_id, campaignId: id })
  if (!listed) throw conflict('The campaign has no audience')
  return draftForRecipients(db, deps, {
    actor,
    original,
    pages: readChosen(db, listed, filter),
    words: { file: 'Recipients of', draft: 'After', none: 'No recipients match: choose others' },
    change: {},
    details: { retargetOf: id },
  })
}
