import type { ExpectedSplit } from '@carillon/contract/campaign-drafts'
import type { Db } from '../../../db/pool.ts'
import { recentResults, type RecentResults } from '../../messages/index.ts'
import { allDelivered, type ExpectedResults } from './expected-split.ts'
import type { PricedLeg } from './priced-campaign.ts'

export type Expectation = { results: ExpectedResults; basis: ExpectedSplit['legs'][number]['basis'] }

/** Fewer messages say little about the next ones. */
const fewestMessages = 100

/** What happened to a leg's earlier messages, of its sender or else of its channel; if there are few: all are delivered. */
export async function expectResults(
  db: Db,
  { leg, later, organizationId }: { leg: PricedLeg; later: readonly PricedLeg[]; organizationId: string },
): Promise<Expectation> {
  const query = { organizationId, channel: leg.channel, limit: limitOf(later) }
  const ofSender = await recentResults(db, { ...query, senderId: leg.loaded.sender.id })
  const found = ofSender.messages < fewestMessages ? await recentResults(db, query) : ofSender
  const results = leg.isReachKnown ? amongReachable(found) : found
  if (results.messages >= fewestMessages) return { results: sharesOf(results), basis: 'history' }
  return { results: allDelivered, basis: leg.isReachKnown ? 'reach' : 'assumed' }
}

/** The time after which recipients who were not reached go on to a later leg. */
function limitOf(later: readonly PricedLeg[]) {
  for (const { entrance } of later)
    if (entrance?.afterSeconds) return { seconds: entrance.afterSeconds, unless: entrance.unless }
  return undefined
}

/** Recipients who cannot be reached are known before, and do not begin with this leg. */
function amongReachable({ messages, accepted, notFailed, delivered, ends }: RecentResults): RecentResults {
  const unreachable = ends.find(({ reason }) => reason === 'number_unreachable')?.messages ?? 0
  const left = messages - unreachable
  return {
    messages: left,
    accepted: Math.min(accepted, left),
    notFailed,
    delivered,
    ends: ends.filter(({ reason }) => reason !== 'number_unreachable'),
  }
}

function sharesOf({ messages, accepted, notFailed, delivered, ends }: RecentResults): ExpectedResults {
  return {
    accepted: accepted / messages,
    notFailed: notFailed / messages,
    delivered: delivered / messages,
    ends: ends.map((end) => ({ reason: end.reason, share: end.messages / messages })),
  }
}
