import type { Database } from '../../db/pool.ts'
import { defineJob, handleJob, noPayload, type CronJob, type JobHandler } from '../../jobs/jobs.ts'
import type { Clock } from '../../lib/clock.ts'
import { startScheduled, startScheduledCampaigns } from './lifecycle/schedule-campaign.ts'
import { resumeWaiting, validateCampaign, validateDraft } from './planning/validate-campaign.ts'

const resumeWaitingValidations = defineJob('campaign.resume-validations', noPayload)

export const campaignCron: CronJob[] = [
  { job: startScheduledCampaigns, schedule: '* * * * *' },
  { job: resumeWaitingValidations, schedule: '* * * * *' },
]

export function campaignJobs(deps: { database: Database; clock: Clock }): JobHandler[] {
  return [
    handleJob(validateDraft, (key) => validateCampaign(deps, key)),
    handleJob(startScheduledCampaigns, () => startScheduled(deps)),
    handleJob(resumeWaitingValidations, () => resumeWaiting(deps)),
  ]
}
