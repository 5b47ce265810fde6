import { defineJob, handleJob, noPayload, type CronJob, type JobHandler } from '../../jobs/jobs.ts'
import type { Clock } from '../../lib/clock.ts'
import type { LinkDeps } from '../links/index.ts'
import { decideDueTests, decideTests } from './ab-tests/decide-tests.ts'
import { startScheduled, startScheduledCampaigns } from './lifecycle/schedule-campaign.ts'
import { resumeValidationsOf, resumeWaiting, validateCampaign, validateDraft } from './planning/validate-campaign.ts'
import { resumeStarts, resumeStartsOf } from './reach/await-reach.ts'
import { checkReach, checkReachJob, type ReachDeps } from './reach/check-reach.ts'
import type { ReachKey } from './reach/reach.queries.ts'

const resumeWaitingStarts = defineJob('campaign.resume-starts', noPayload)
const resumeWaitingValidations = defineJob('campaign.resume-validations', noPayload)

export const campaignCron: CronJob[] = [
  { job: startScheduledCampaigns, schedule: '* * * * *' },
  { job: resumeWaitingValidations, schedule: '* * * * *' },
  { job: resumeWaitingStarts, schedule: '* * * * *' },
  { job: decideDueTests, schedule: '* * * * *' },
]

export type CampaignJobDeps = { clock: Clock; links: LinkDeps } & Omit<ReachDeps, 'onFinished' | 'afterFinished'>

export function campaignJobs(deps: CampaignJobDeps): JobHandler[] {
  const reach = {
    ...deps,
    onFinished: resumeValidationsOf,
    afterFinished: (key: ReachKey) => resumeStartsOf(deps, key),
  }
  return [
    handleJob(validateDraft, (key) => validateCampaign(deps, key)),
    handleJob(checkReachJob, (key, { signal }) => checkReach({ ...reach, signal }, key)),
    handleJob(startScheduledCampaigns, () => startScheduled(deps)),
    handleJob(resumeWaitingValidations, () => resumeWaiting(deps)),
    handleJob(decideDueTests, () => decideTests(deps)),
    handleJob(resumeWaitingStarts, () => resumeStarts(deps)),
  ]
}
