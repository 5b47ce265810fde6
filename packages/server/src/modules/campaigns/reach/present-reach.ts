import type { LegReach } from '@carillon/contract/campaign-drafts'
import type { Db } from '../../../db/pool.ts'
import { readDraft, type CampaignRow } from '../campaigns.queries.ts'
import { listReach, requestReach, type CheckedLeg } from './reach-of-draft.ts'
import { sumBatches, type ReachTotals } from './reach.queries.ts'

/** How many recipients each leg reaches, as far as it is known. */
export async function presentReach(
  db: Db,
  campaign: CampaignRow,
  { request }: { request: 'none' | 'missing' | 'all' },
): Promise<{ legs: LegReach[] }> {
  const draft = { campaign, draft: readDraft(campaign) }
  const legs: LegReach[] = []
  for (const leg of await (request === 'none' ? listReach(db, draft) : requestReach(db, draft, request)))
    legs.push(presentLeg(leg, await sumBatches(db, leg.key, leg.reading)))
  return { legs }
}

function presentLeg({ leg, channel, status, people, check }: CheckedLeg, totals: ReachTotals): LegReach {
  const { checked, found, oldest } = totals
  return {
    leg,
    channel,
    status,
    ...(check?.error ? { detail: check.error } : {}),
    people,
    checked,
    reachable: found,
    notLaunched: estimateNotLaunched(totals),
    checkedAt: oldest?.toISOString() ?? null,
  }
}

/** The sample counts users of the channel with any operator; those who are reached are launched already. */
function estimateNotLaunched({ checked, found, sampled, sampleReachable }: ReachTotals): number {
  if (sampled === 0) return 0
  return Math.max(0, Math.round((sampleReachable / sampled) * checked) - found)
}
