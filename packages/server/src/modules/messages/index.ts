/**
 * The engine: one message's life from the queue of its sender's lane to the last report, and the numbers about it.
 * What a campaign may do when is the business of campaigns, how a provider talks of channels.
 */
export { applyProviderEvents, type EventEffects } from './apply-provider-events.ts'
export { campaignStats, failureGroups, overTime, type CampaignNumbers } from './campaign-numbers.ts'
export { type FinishedCampaign } from './complete-finished.ts'
export { failoverNumbers, type FailoverNumbers } from './failover-numbers.ts'
export { fillPieces } from './fill-template.ts'
export { messageHandlers } from './handlers.ts'
export { startHousekeeping, type HousekeepingDependencies } from './housekeeping.ts'
export { type StoredInbound } from './stored-inbound.ts'
export { inboundCron, inboundJobs, type MediaDeps } from './inbound-media.ts'
export { findWindow, type ServiceWindow } from './inbound-people.ts'
export { type Connection } from './lane.ts'
export { messagesByNumber } from './messages-by-number.ts'
export { isInFlight, planCampaign, replanCampaign, wakeLanes } from './plan-campaign.ts'
export { listResponses, searchNumber, type Response, type ResponseList } from './responses.ts'
export { routeEvents, type AccountEvent, type RoutedEvents } from './route-events.ts'
export { findSingleOutcome } from './single-outcome.ts'
export { sendSingle, type AcceptedSingle, type SingleSend } from './send-single.ts'
export { sendTemplateTest } from './send-template-test.ts'
export { withdrawSingles } from './withdraw-singles.ts'
export { startSender, type Sender, type SenderDependencies } from './sender.ts'
