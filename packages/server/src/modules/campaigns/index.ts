/**
 * Campaigns: one send to many, from the first draft to its end. What may be done when, what it costs, who may start it.
 * Handing the messages over is the business of the engine.
 */
export { adviseOn, type FailureAdvice } from './failure-advice.ts'
export { campaignChangeHandlers } from './change-handlers.ts'
export { resumeConnection } from './follow-connection.ts'
export { followSender, type SenderTrouble } from './follow-sender.ts'
export { followTemplate, type TemplateNews } from './follow-template.ts'
export { campaignHandlers, type CampaignDeps } from './handlers.ts'
export { campaignCron, campaignJobs } from './jobs.ts'
export { getNamedCampaign, type NamedCampaign } from './list-campaigns.ts'
export { statsOf } from './numbers.ts'
export { percentOf } from './present-campaign.ts'
export { announceAudience } from './announce.ts'
export { resumeBelow, stopBelow, waitForSilenceBelow } from './stop-below.ts'
export { discardCampaign, noteEngineStep } from './stop-campaign.ts'
export { resumeValidations } from './validate-campaign.ts'
export { whatsappCampaignHandlers } from './whatsapp-handlers.ts'
export { watchProgress } from './watch-progress.ts'
export { listFailing } from './watched-campaigns.ts'
export { replyHandlers } from './replies.ts'
