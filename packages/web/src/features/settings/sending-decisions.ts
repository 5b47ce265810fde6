import type { RestoreDecision } from '@carillon/contract/sending'
import type { CallData, CallInput } from '../../lib/call.ts'

/** By campaign; `others` for those that are not listed. */
export type Decisions = Readonly<Record<string, RestoreDecision>>

type State = CallData<'sending.state'>

export function countDecisions({ campaigns, totalCampaigns }: State, decisions: Decisions) {
  const more = totalCampaigns - campaigns.length
  const counted = campaigns.map(({ _id, waiting }) => ({ decision: decisions[_id], count: 1, waiting }))
  if (more > 0) counted.push({ decision: decisions['others'], count: more, waiting: 0 })
  const sum = (decision: RestoreDecision | undefined, of: 'count' | 'waiting') =>
    counted.filter((one) => one.decision === decision).reduce((total, one) => total + one[of], 0)
  return {
    open: sum(undefined, 'count'),
    cancelled: sum('cancel', 'count'),
    /** Recipients of the listed campaigns who may get the message twice. */
    atMostTwice: sum('send', 'waiting'),
  }
}

export function bodyOf({ campaigns }: State, decisions: Decisions): NonNullable<CallInput<'sending.resume'>['body']> {
  const { others } = decisions
  return {
    campaigns: campaigns.flatMap(({ _id: campaignId }) => {
      const decision = decisions[campaignId]
      return decision ? [{ campaignId, decision }] : []
    }),
    ...(others ? { others } : {}),
  }
}
