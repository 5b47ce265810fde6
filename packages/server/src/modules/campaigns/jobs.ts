import { defineJob, handleJob, noPayload, type CronJob, type JobHandler } from '../../jobs/jobs.ts'
import type { Clock } from '../../lib/clock.ts'
import { startScheduled, startScheduledCampaigns } from './lifecycle/schedule-campaign.ts'
import { resumeValidationsOf, resumeWaiting, validateCampaign, validateDraft } from './planning/validate-campaign.ts'
import { checkReach, checkReachJob, type ReachDeps } from './reach/check-reach.ts'

const resumeWaitingValidations = defineJob('campaign.resume-validations', noPayload)

export const campaignCron: CronJob[] = [
  { job: startScheduledCampaigns, schedule: '* * * * *' },
  { job: resumeWaitingValidations, schedule: '* * * * *' },
]

export type CampaignJobDeps = { clock: Clock } & Omit<ReachDeps, 'onFinished'>

export function campaignJobs(deps: CampaignJobDeps): JobHandler[] {
  const reach = { ...deps, onFinished: resumeValidationsOf }
  return [
    handleJob(validateDraft, (key) => validateCampaign(deps, key)),
    handleJob(checkReachJob, (key, { signal }) => checkReach({ ...reach, signal }, key)),
    handleJob(startScheduledCampaigns, () => startScheduled(deps)),
    handleJob(resumeWaitingValidations, () => resumeWaiting(deps)),
  ]
}
