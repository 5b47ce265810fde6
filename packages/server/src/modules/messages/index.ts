/**
 * The engine: a message from the queue of its sender's lane to its last report, and counts of messages. Campaign states belong
 * to `campaigns`, protocols to `channels`.
 */
export { applyInbound, applyProviderEvents, type EventEffects } from './reports/apply-provider-events.ts'
export {
  campaignHasEntries,
  campaignHasLinks,
  campaignStats,
  countsOfCampaign,
  failureGroups,
  failoverReasons,
  pointsOfCampaign,
  type CountedCampaign,
  type CountedPoint,
  type Counts,
} from './reads/campaign-numbers.ts'
export { type FinishedCampaign } from './housekeeping/complete-finished.ts'
export { isAccepted, wasAccepted } from './reports/was-accepted.ts'
export { reportColumns } from './housekeeping/counter-columns.ts'
export { dayOfMessage } from './proof/recount.queries.ts'
export { countFailed, listFailed, type FailedPerson } from './reads/failed-recipients.ts'
export { readChosen } from './reads/read-chosen.ts'
export { legCounts, legNumbers, type LegNumbers } from './reads/leg-numbers.ts'
export { failoverNumbers, outrankedStatus, type FailoverNumbers } from './reads/failover-numbers.ts'
export { messageHandlers } from './handlers.ts'
export { startHousekeeping, type HousekeepingDependencies } from './housekeeping/housekeeping.ts'
export { byLine, conversationIdOf, type OnInbound } from './inbound/inbound.ts'
export { type StoredInbound } from './inbound/stored-inbound.ts'
export { listMismatches, mendFigures, proveFigures, type Mismatch } from './proof/prove-figures.ts'
export { proofCron, proofJobs } from './proof/proof-jobs.ts'
export { inboundCron, inboundJobs, type MediaDeps } from './inbound/inbound-media.ts'
export { findOptOutKeyword } from './inbound/opt-out-keywords.ts'
export { ensureIdentity, findWindow, serviceWindowHours, type ServiceWindow } from './inbound/inbound-contacts.ts'
export { createCircuitBreaker } from './engine/circuit-breaker.ts'
export { type Connection, type LaneMeasure } from './engine/lane.ts'
export { countWaitingReports, measureQueues, type QueueMeasure } from './housekeeping/measure-queues.ts'
export { campaignMessages, campaignMessagesByProvider, type CampaignMessage } from './reads/campaign-messages.ts'
export { messagesByNumber } from './reads/messages-by-number.ts'
export { findNextDay } from './housekeeping/open-days.ts'
export { findPostponed } from './reads/postponed-recipients.ts'
export { recentResults, type RecentResults } from './reads/recent-results.ts'
export { countPeopleMessaged } from './reads/recipients-reached.ts'
export { listReplies, readAllReplies } from './reads/replies.ts'
export { retryNow } from './engine/resumed-retries.ts'
export { isInFlight, planCampaign, replanCampaign, wakeLanes, type PlannedDay } from './engine/plan-campaign.ts'
export { skipExcluded } from './engine/skip-excluded.ts'
export { countCapped, countRecentlyMessaged } from './reads/recently-messaged.ts'
export { chooseRecipients, joinClicker, ofCampaign, pageOf, type RecipientFilter } from './reads/choose-recipients.ts'
export { findListedCampaign, type ListedCampaign } from './reads/listed-campaign.ts'
export {
  beginsWith,
  endedAt,
  joinLeg,
  listResponses,
  searchNumber,
  type Response,
  type ResponseList,
} from './reads/responses.ts'
export { routeEvents, type AccountEvent, type RoutedEvents } from './reports/route-events.ts'
export { findSingleOutcome } from './single-sends/single-outcome.ts'
export { applyInParts, setAsidePoison, type Poison } from './reports/set-aside.ts'
export { acceptSingles, type RefuseByCost } from './single-sends/accept-singles.ts'
export { sendSingle } from './single-sends/send-single.ts'
export {
  type AcceptedSingle,
  type LegEntrance,
  type SingleAnswer,
  type SingleReply,
  type SingleSend,
} from './single-sends/single-send.ts'
export { findNumberProblem } from './single-sends/prepare-singles.ts'
export { storableEvent } from './reports/storable-events.ts'
export { advanceSingles } from './single-sends/advance-singles.ts'
export { endLegs } from './single-sends/legs-of-singles.ts'
export { withdrawSingle, withdrawSingles } from './single-sends/withdraw-singles.ts'
export { startSender, type Sender, type SenderDependencies } from './engine/sender.ts'
export { numberArray, run, textArray, type Statement } from './statements.ts'
