import type { Channel } from '@carillon/contract/channels'
import type { Db } from '../../../db/pool.ts'
import type { CampaignPlan, Planner } from './campaign-plan.ts'
import type { CampaignRow } from '../campaigns.queries.ts'
import { planSms } from './sms-plan.ts'
import { planWhatsapp } from './whatsapp-plan.ts'

/** One entry for each channel that campaigns are sent over. */
const planners: Partial<Record<Channel, Planner>> = { sms: planSms, whatsapp: planWhatsapp }

export function planCampaignOf(db: Db, campaign: CampaignRow, now: Date): Promise<CampaignPlan> {
  const plan = planners[campaign.channel]
  if (!plan) throw new Error(`No campaign is sent over ${campaign.channel}`)
  return plan(db, campaign, now)
}
