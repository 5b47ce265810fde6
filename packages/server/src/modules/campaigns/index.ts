/**
 * Campaigns: one send to many, from draft to completion. States, costs and permissions. The engine (`messages`) hands messages
 * to providers.
 */
export { adviseOn } from './reads/failure-advice.ts'
export { campaignChangeHandlers } from './change-handlers.ts'
export { resumeConnection } from './lifecycle/follow-connection.ts'
export { followSender, type SenderTrouble } from './lifecycle/follow-sender.ts'
export { followTemplate, type TemplateStatusEvent } from './lifecycle/follow-template.ts'
export { createCampaignCalls, type CampaignDeps } from './calls.ts'
export { assertAudienceSource } from './drafts/create-campaign.ts'
export { assertDraftInScope } from './planning/load-draft.ts'
export { campaignHandlers } from './handlers.ts'
export { campaignCron, campaignJobs } from './jobs.ts'
export { getNamedCampaign, type NamedCampaign } from './reads/list-campaigns.ts'
export { statsOf } from './reads/numbers.ts'
export { percentOf } from './reads/present-campaign.ts'
export { createAudienceProgress } from './reads/announce.ts'
export { resumeBelow, stopBelow, waitForSilenceBelow } from './lifecycle/stop-below.ts'
export { discardCampaign, noteEngineStep } from './lifecycle/stop-campaign.ts'
export { resumeValidations } from './planning/validate-campaign.ts'
export { watchProgress } from './reads/watch-progress.ts'
export { listFailing } from './reads/all-campaigns.ts'
export { replyHandlers } from './reads/replies.ts'
