import type { campaignChangeEndpoints } from '@carillon/contract/campaign-changes'
import type { Channel } from '@carillon/contract/channels'
import type { Answer } from '@carillon/contract/endpoint'
import { getChannel } from '../../../channels/index.ts'
import type { Db } from '../../../db/pool.ts'
import type { UserActor } from '../../../actor.ts'
import { conflict } from '../../../lib/problem.ts'
import type { AudienceDeps } from '../../audience/index.ts'
import { countFailed, listFailed, type FailedPerson } from '../../messages/index.ts'
import { getCampaign, type CampaignRow } from '../campaigns.queries.ts'
import { draftForRecipients, hasEnded, type DraftForRecipients } from '../drafts/draft-for-recipients.ts'
import { adviseOn } from '../reads/failure-advice.ts'

type Answers = typeof campaignChangeEndpoints
const pageSize = 5000

/** Reasons that another attempt cannot change. */
const permanent: readonly string[] = ['invalid_number', 'dnd_blocked', 'auth_template_to_bsuid']
/** People who opted out are never in a resend. */
const never: readonly string[] = ['opted_out']

function isPermanent(reason: string, channel: Channel): boolean {
  return [...permanent, ...getChannel(channel).permanentFailures].includes(reason)
}

/** Counts failed recipients by reason. */
export async function getFailed(
  db: Db,
  { actor, id }: { actor: UserActor; id: string },
): Promise<Answer<Answers['campaigns.failed']>> {
  const campaign = await getEnded(db, { actor, id })
  const groups = await countFailed(db, { organizationId: campaign.organization_id, campaignId: id })
  const sendable = groups.filter(({ reason }) => !never.includes(reason))
  return {
    people: sendable.reduce((sum, { people }) => sum + people, 0),
    again: sendable.reduce((sum, { again }) => sum + again, 0),
    reasons: sendable
      .filter(({ people }) => people > 0)
      .map(({ reason, channel, people }) => ({
        reason,
        channel,
        people,
        title: adviseOn(reason, channel).title,
        isPermanent: isPermanent(reason, channel),
      })),
  }
}

/** Creates a draft for the campaign's failed recipients; it is checked, priced and sent like any other. */
export async function resendFailed(
  db: Db,
  deps: AudienceDeps,
  { actor, id, leaveOut }: { actor: UserActor; id: string; leaveOut: readonly string[] },
): Promise<DraftForRecipients> {
  const original = await getEnded(db, { actor, id })
  return draftForRecipients(db, deps, {
    actor,
    original,
    pages: pagesOf(db, { original, leaveOut: [...leaveOut, ...never] }),
    words: { file: 'Failed of', draft: 'Resend of', none: 'No recipients left: choose at least one reason' },
    change: { resend_of: original.resend_of ?? original.id },
    details: { resendOf: original.id },
  })
}

async function getEnded(db: Db, { actor, id }: { actor: UserActor; id: string }): Promise<CampaignRow> {
  const campaign = await getCampaign(db, { id, scope: actor.scope })
  if (!hasEnded(campaign)) throw conflict('Wait until the campaign has ended: more messages may fail')
  return campaign
}

/** The failed recipients, page by page. */
async function* pagesOf(
  db: Db,
  { original, leaveOut }: { original: CampaignRow; leaveOut: readonly string[] },
): AsyncGenerator<FailedPerson[]> {
  const key = { organizationId: original.organization_id, campaignId: original.id, leaveOut, limit: pageSize }
  for (let after = -1; ;) {
    const page = await listFailed(db, { ...key, after })
    if (page.length > 0) yield page
    const last = page.at(-1)
    if (!last || page.length < pageSize) return
    after = last.seq
  }
}
