import type { Database } from '../../db/pool.ts'
import type { CronJob, JobHandlers } from '../../jobs/jobs.ts'
import type { Clock } from '../../lib/clock.ts'
import { startScheduled } from './lifecycle/schedule-campaign.ts'
import { resumeWaiting, validateCampaign } from './planning/validate-campaign.ts'

declare module '../../jobs/jobs.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface JobPayloads {
    'campaign.resume-validations': Record<string, never>
  }
}

export const campaignCron: CronJob[] = [
  { name: 'campaign.start-scheduled', schedule: '* * * * *' },
  { name: 'campaign.resume-validations', schedule: '* * * * *' },
]

export function campaignJobs(deps: { database: Database; clock: Clock }): JobHandlers {
  return {
    'campaign.validate': (key) => validateCampaign(deps, key),
    'campaign.start-scheduled': () => startScheduled(deps),
    'campaign.resume-validations': () => resumeWaiting(deps),
  }
}
